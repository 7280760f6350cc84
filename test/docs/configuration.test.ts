/** The examples of docs/configuration.md can be taken as they stand, and beside each other. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../transports/cli/started.ts";

const PAGE = readFileSync("docs/configuration.md", "utf8");
const [CONFIG = "", AGENTS = "", PROJECT = ""] = [...PAGE.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text);

let place: Place;
beforeEach(() => {
  place = new Place();
  place.write("../config/troupe/config.yaml", CONFIG);
  place.write("../config/troupe/agents.yaml", AGENTS);
  place.write(".troupe/agents.yaml", PROJECT);
});
afterEach(() => place.remove());

it("has agents of both files, and the project's proposal", async () => {
  const { code, out } = await place.run(["agents", "list", "--format", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out).agents.map(({ slug }: { slug: string }) => slug)).toEqual(["helper", "vibe"]);
  const proposals = await place.run(["agents", "proposals"]);
  expect(proposals).toMatchObject({ code: 0, out: expect.stringContaining("reviewer, proposed by") });
});
