/** Files that a person names in a prompt. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { promptBlocks } from "../../../actors/conversations/prompt-blocks.ts";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "troupe-blocks-"));
  mkdirSync(join(cwd, "src"));
  for (const file of ["notes.md", "odd.md,", "what?", "what"]) writeFileSync(join(cwd, file), "");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const named = (text: string): string[] =>
  promptBlocks(text, { cwd, takesImages: false, maxBytes: 9 }).flatMap((one) =>
    one.type === "resource_link" ? [one.name] : [],
  );

it.each<[string, string[]]>([
  ["see @notes.md, please", ["notes.md"]],
  ["see @notes.md.", ["notes.md"]],
  ["(see @notes.md).", ["notes.md"]],
  ["@src/: what is there?", ["src"]],
  ["@notes.md and @notes.md!", ["notes.md"]],
  ["as it is: @odd.md, @what?", ["odd.md,", "what?"]],
  ['quoted: @"notes.md,"', []],
  ["none: @, @none.md, @notes @...", []],
])("%j names %j", (text, files) => expect(named(text)).toEqual(files));
