/** An editor's snippet: the exact texts of the documents; with any name of the command, a word stays a word. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { EDITORS, editorSnippet } from "../../../projections/editors/snippet.ts";

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

it.each(EDITORS)("is what docs/editors.md shows for %s", (editor) => {
  const { language, text } = editorSnippet(editor, ["troupe", "acp"]);
  expect(read("docs/editors.md")).toContain(`\`\`\`${language}\n${text}\n\`\`\``);
});

it("is JSON that a file of settings can hold, with the command whole", () => {
  fc.assert(
    fc.property(fc.constantFrom("zed", "jetbrains", "vscode"), fc.string(), fc.string(), (editor, program, word) => {
      const { text, entry } = editorSnippet(editor as "zed", [program, word]);
      const [outer = "", inner = ""] = entry?.path ?? [];
      const read = (JSON.parse(text) as { [key: string]: { [key: string]: object } })[outer]?.[inner];
      expect(read).toEqual(entry?.value);
      expect(read).toMatchObject({ command: program, args: [word] });
    }),
  );
});

it("quotes what would end a text in Lua or in Emacs Lisp", () => {
  const command = ['/a "b"\\c', "acp"] as const;
  for (const editor of ["neovim", "emacs"] as const)
    expect(editorSnippet(editor, command).text).toContain('"/a \\"b\\"\\\\c"');
});
