/** What a command leaves open is found where that alone is wrong with it, and a secret is never asked for. */
import { expect, test } from "vitest";
import { missingOf } from "../../../actors/prompt/missing.ts";
import { house, workflow } from "../catalogue/support.ts";

const TWO = "inputs: [{name: file, required: true}, {name: n, type: integer, required: true}]\n";

async function missing(prompt: string): Promise<unknown> {
  const one = house();
  one.write("work/.troupe/workflows/two.yaml", workflow("two", TWO));
  one.write("work/.troupe/workflows/sent.yaml", workflow("sent", "inputs: [{name: api_key, required: true}]\n"));
  one.write("work/.troupe/workflows/broken.yaml", "name: broken\n");
  const found = await missingOf(one.catalogue, one.cwd, { blocks: [{ type: "text", text: prompt }] });
  return found && { workflow: found.workflow, inputs: found.inputs.map(({ name }) => name) };
}

test.each<[string, string[]]>([
  ["/two", ["file", "n"]],
  ["/two a.ts", ["n"]],
  ["/two n=3", ["file"]],
])("%s lacks %j", async (prompt, inputs) => expect(await missing(prompt)).toEqual({ workflow: "two", inputs }));

test.each([
  ["nothing", "/two a.ts n=3"],
  ["a number, but another fault comes first (I1)", "/two n=many"],
  ["an input that is not declared (I1)", "/two other=1"],
  ["a workflow that can be read", "/broken"],
  ["a workflow of that name", "/none"],
  ["a name: it is a path", "/./two.yaml"],
  ["a command", "say hello"],
  ["a secret (I2)", "/sent"],
])("where it lacks %s, no one is asked: %s", async (_, prompt) => expect(await missing(prompt)).toBeNull());
