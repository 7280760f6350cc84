import { expect, test } from "vitest";
import type { Json } from "../../../machines/model.ts";
import { type House, house } from "./support.ts";

const flow = (path: string): string =>
  `name: a\nstates:\n  initial: s\n  s: {command: echo 1, output_schema: ${path}, on_success: done}\n  done: {type: terminal}\n`;

/** What the step's schema was read as; where the workflow is refused, why. */
async function read({ catalogue, cwd }: House): Promise<Json> {
  try {
    const { workflow } = await catalogue.load(cwd, "a");
    const node = workflow.states["s"];
    return node?.type === "command" ? (node.outputSchema?.schema ?? null) : null;
  } catch (error) {
    return (error as Error).message;
  }
}
const MISSING = expect.stringContaining("output_schema: there is no file");

test("a schema beside the workflow is read with it, and one that changes, comes or goes counts", async () => {
  const place = house();
  place.write("work/.troupe/workflows/a.yaml", flow("shapes/one.yaml"));
  expect(await read(place)).toEqual(MISSING);
  place.write("work/.troupe/workflows/shapes/one.yaml", "type: integer\n");
  expect(await read(place)).toEqual({ type: "integer" });
  place.write("work/.troupe/workflows/shapes/one.yaml", "type: integer\nminimum: 3\n");
  expect(await read(place)).toEqual({ type: "integer", minimum: 3 });
});

test.each([
  ["a path that leads out of the workflow's folder", "../../../secret.json"],
  ["a link that leads out of it", "link.json"],
])("%s is not read (T23)", async (_, path) => {
  const place = house();
  place.write("secret.json", '{"title": "secret"}');
  place.link("work/.troupe/workflows/link.json", "secret.json");
  place.write("work/.troupe/workflows/a.yaml", flow(path));
  expect(await read(place)).toEqual(MISSING);
});

test("an absolute path is not read (T23)", async () => {
  const place = house();
  const file = place.write("work/.troupe/workflows/one.json", '{"title": "secret"}');
  place.write("work/.troupe/workflows/a.yaml", flow(file));
  expect(await read(place)).toEqual(MISSING);
});
