import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Document, Scalar } from "yaml";
import { readYaml } from "../../../../machines/workflow/yaml/read.ts";
import { scalarOffsets } from "../../../../machines/workflow/yaml/scalar.ts";

/** The text of the file where the value of `key` has `word`. */
function underlined(source: string, word: string): string {
  const located = readYaml(source).root?.entries?.get("key")?.value;
  if (located === undefined || typeof located.value !== "string") throw new Error("no text");
  const start = located.value.indexOf(word);
  const offset = scalarOffsets(source, located);
  return source.slice(offset(start), offset(start + word.length));
}

describe("scalarOffsets", () => {
  it.each([
    ["plain", "key: some WORD here\n"],
    ["single quoted", "key: 'it''s a WORD'\n"],
    ["double quoted", 'key: "a \\"q\\" \\u00e9\\x41\\t WORD"\n'],
    ["astral escape", 'key: "\\U0001F600 WORD"\n'],
    ["literal", "key: |\n  first\n\n    indented WORD\n  last\n"],
    ["literal with an indicator", "key: |2-\n    two more WORD\n"],
    ["literal with blank lines first", "key: |\n\n\n  WORD\n"],
    ["literal with a comment", "key: | # why\n  WORD\n"],
    ["literal with CRLF", "key: |\r\n  first\r\n  WORD\r\n"],
    ["folded", "key: >-\n  first line\n  then WORD\n\n  last\n"],
    ["plain over lines", "key: first line\n  then WORD\n"],
    ["quoted over lines", 'key: "first line\n\n  then \\\n  WORD"\n'],
    ["in a flow map", "key: WORD # comment\nother: {a: b}\n"],
  ])("points into a %s scalar (I1)", (_, source) => {
    expect(underlined(source, "WORD")).toBe("WORD");
  });

  it("points exactly into any literal block and any quoted scalar on one line (I1)", () => {
    const line = fc.stringMatching(/^[ -~éあ😀]{0,12}$/u);
    const style = fc.constantFrom(Scalar.BLOCK_LITERAL, Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), style, fc.nat(), (lines, type, at) => {
        // By whole characters: a file cannot hold half of one.
        const text = [...lines.join(type === Scalar.BLOCK_LITERAL ? "\n" : " ")];
        const value = text.toSpliced(at % (text.length + 1), 0, "WORD").join("");
        const scalar = new Scalar(value);
        scalar.type = type;
        const source = new Document({ key: scalar }).toString({ lineWidth: 0 });
        expect(underlined(source, "WORD")).toBe("WORD");
      }),
    );
  });

  it("gives the start for a value that is no text", () => {
    const located = readYaml("key: 12\n").root?.entries?.get("key")?.value;
    expect(located && scalarOffsets("key: 12\n", located)(1)).toBe(5);
  });
});
