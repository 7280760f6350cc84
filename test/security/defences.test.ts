/** Every attack of `defences.ts` is stopped, and gets through where its defence is taken out of the sources. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { DEFENCES } from "./defences.ts";

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const run = promisify(execFile);
/** Whether the attack gets through in a process of its own, on the sources without its defence. */
async function succeedsWithout(row: number, without: object): Promise<boolean> {
  const argv = ["--no-warnings", "--import", path("programs/without.mjs"), path("programs/attack.ts"), String(row)];
  const { stdout } = await run(process.execPath, argv, {
    env: { ...process.env, TROUPE_WITHOUT: JSON.stringify(without) },
  });
  return stdout === "true";
}

test.each(DEFENCES.map((one, row) => [one.threat, one.attack, one, row] as const))(
  "%s: %s",
  async (_, _attack, { succeeds, without }, row) => {
    expect([await succeeds(), await succeedsWithout(row, without)]).toEqual([false, true]);
  },
);

test("the document shows every defence", () => {
  const document = readFileSync(path("../../docs/hostile-input.md"), "utf8");
  const rows = DEFENCES.map(({ threat, attack, stops }) => `| ${threat} | ${attack} | ${stops} |`);
  expect(document.split("\n").filter((line) => /^\| T\d+ \|/.test(line))).toEqual(rows);
});
