/** Values in commands and scripts of AWF's workflows: as AWF's users know them, where that is safe. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeAll(() => {
  house = openHouse([]);
  cpSync(fileURLToPath(new URL("../fixtures/awf", import.meta.url)), join(house.cwd, ".awf"), { recursive: true });
  writeFileSync(join(house.env["HOME"] ?? "", "hi.sh"), "echo [home]\n");
});
afterAll(() => house.leave());

/** The exit code of a run in a terminal, and all its output. */
async function shown(workflow: string, ...inputs: string[]): Promise<{ code: number | null; text: string }> {
  const args = ["run", workflow, "--trust", ...inputs.flatMap((input) => ["-i", input])];
  const run = house.troupe(args, { SHELL: "/bin/bash" });
  const { code } = await run.ended;
  return { code, text: `${run.lines.join("\n")}\n${run.stderr}` };
}

test.each([
  ["a template's command wins over the step's dummy", "template-with-dummy", [], "[hey]"],
  ["escape leaves a plain word alone", "escape-plain", [], "[abc]"],
  ["escape quotes what is none", "escape-plain", ["x=a b"], "['a b']"],
  ["~/ in script_file is the user's home", "home-script", [], "[home]"],
  ["a here-string of read is data", "here-string", [], "[3]"],
])("%s", async (_, workflow, inputs, says) => {
  const { code, text } = await shown(workflow, ...inputs);
  expect([code, text]).toEqual([0, expect.stringContaining(says)]);
});

test("an integer is put into a range; a bare NAME=value before a command is refused, with the safe way to write it", async () => {
  const { code, text } = await shown("range-of-value");
  expect(code).toBe(2);
  expect(text).toMatch(/\[1\]\s+\[2\]\s+\[3\]/);
  expect(text).toContain("a variable before a command must be written out: NAME={{…}} and then the command");
});

test("a command that names $target gets that input and no other, under the rules of templates", async () => {
  const { code, text } = await shown("inputs-as-variables");
  expect([code, text]).toEqual([2, expect.stringContaining("[prod] [] []")]);
  expect(text).toContain("$EDITOR is the environment's here, not the input");
  expect(text).toContain(
    "$target is an input here: the value must be an integer, because the script computes with $target",
  );
  expect((await shown("inputs-as-variables", "target=7")).code).toBe(0);
});
