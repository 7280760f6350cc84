import { describe, expect, it } from "vitest";
import { FILE_LIMITS } from "../../../../machines/workflow/limits.ts";
import { readYaml } from "../../../../machines/workflow/yaml/read.ts";

const faultsOf = (source: string): string[] =>
  readYaml(source).faults.map(({ code, message }) => `${code.split(".").at(-1)}: ${message}`);

/** Lists of lists, each level naming the one below nine times. */
function bomb(levels: number): string {
  const lines = ["a0: &a0 [x, x]"];
  for (let level = 1; level < levels; level += 1) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  }
  return lines.join("\n");
}

const TAB = "a tab stands in the indentation of this line";
const NO_TABS = "blanks in place of every tab that a line begins with";
const DEEPER =
  "this line stands deeper than the field above it, whose value it goes on with, and looks like a field too";
const SAME_DEPTH = 'the indentation of that field; or, where both lines are one text, "|" behind its colon';
const PLAIN = "a plain blank in its place, here and wherever else it was copied to";

describe("readYaml limits (T11)", () => {
  it("refuses a file above 1 MiB, counted in bytes (I1)", () => {
    const most = "a".repeat(FILE_LIMITS.bytes - 3);
    expect(faultsOf(`x: ${most}`)).toEqual([]);
    expect(faultsOf(`x: ${most}a`)).toEqual(["LIMIT_EXCEEDED: the file is larger than 1048576 bytes"]);
    expect(faultsOf(`x: ${"é".repeat(FILE_LIMITS.bytes / 2)}`)).toEqual([
      "LIMIT_EXCEEDED: the file is larger than 1048576 bytes",
    ]);
    expect(faultsOf(`x: ${"😀".repeat(FILE_LIMITS.bytes / 4 - 1)}`)).toEqual([]);
  });

  it.each([
    ["brackets", `a: ${"[".repeat(900_000)}`],
    ["closed brackets", `a: ${"[".repeat(65)}${"]".repeat(65)}`],
    ["braces", `a: ${"{a: ".repeat(100_000)}`],
    ["dashes", `${"- ".repeat(3_000)}x`],
    ["indented keys", Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("refuses %s nested too deep, before anything recurses (I1)", (_, source) => {
    expect(readYaml(source).root).toBeNull();
    expect(faultsOf(source)).toEqual(["LIMIT_EXCEEDED: nested deeper than 64 levels"]);
  });

  it("refuses a bomb of aliases and an alias of itself (I2)", () => {
    expect(faultsOf(bomb(9))).toEqual(["LIMIT_EXCEEDED: more than 50 uses of aliases"]);
    expect(faultsOf("a: &a [*a]")).toEqual(["LIMIT_EXCEEDED: deeper than 64 levels"]);
    expect(faultsOf(bomb(2))).toEqual([]);
  });

  it("follows merge keys: the map's own key wins, then that of the earlier map (I5)", () => {
    const maps = "x: &x {a: 1, b: 1}\ny: &y {<<: *x, b: 2, c: 2}\n";
    expect(readYaml(`${maps}z: {b: 3, <<: *y}`).root?.value).toMatchObject({ z: { b: 3, a: 1, c: 2 } });
    expect(readYaml(`${maps}z: {<<: [*x, *y]}`).root?.value).toMatchObject({ z: { a: 1, b: 1, c: 2 } });
    expect(readYaml('"<<": 1').root?.value).toEqual({ "<<": 1 });
    expect(faultsOf("z: {<<: 3}")).toEqual(["YAML_SYNTAX: a merge key (<<) names a map, or a list of maps"]);
    const many = Array.from({ length: 51 }, (_, at) => `m${at}: {<<: *x}`).join("\n");
    expect(faultsOf(`${maps}${many}`)).toEqual(["LIMIT_EXCEEDED: more than 50 uses of aliases"]);
  });

  it("points at the value that a finding is about", () => {
    const startOf = (source: string) => readYaml(source).faults.map(({ range }) => source.slice(range.start));
    expect(startOf("a:\n   b: 1\n  c: 2\n")).toEqual(["c: 2\n"]);
    expect(startOf('a:\n  b: "it\n  c: 2\n')).toEqual(['"it\n  c: 2\n']);
    expect(startOf("a: {b: {c: 1}\nd: 2\n")).toEqual(["{b: {c: 1}\nd: 2\n"]);
    expect(startOf("a: {b: [1, 2}\n")).toEqual(["[1, 2}\n"]);
    expect(startOf("a:\n  b: x\n   c: y\n  d: z\n")).toEqual(["c: y\n  d: z\n"]);
  });

  it("takes no tags, duplicates or second documents (I3)", () => {
    expect(faultsOf("a: !!js/function x")).toEqual(["YAML_SYNTAX: Unresolved tag: tag:yaml.org,2002:js/function"]);
    expect(faultsOf("a: 1\na: 2")).toEqual(["YAML_SYNTAX: this key is already used above"]);
    expect(readYaml("a: 1\na: 2").root?.value).toEqual({ a: 1 });
    expect(readYaml("a: 1\n---\nb: [").faults).toMatchObject([
      { message: "a file holds one document: what follows is not read", loads: true },
    ]);
    expect(faultsOf("__proto__: {polluted: true}")).toEqual(['YAML_SYNTAX: "__proto__" cannot be used as a name']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("readYaml", () => {
  it("keeps values, their text and their places", () => {
    const { root } = readYaml("version: 1.10\nlist: [yes, 0x10]\nempty:\n");
    expect(root?.value).toEqual({ version: 1.1, list: ["yes", 16], empty: null });
    expect(root?.entries?.get("version")?.value.scalar).toEqual({ style: "plain", text: "1.10" });
    expect(root?.entries?.get("list")?.value.items?.[1]?.range).toEqual({ start: 26, end: 30 });
    expect(root?.entries?.get("empty")?.key).toEqual({ start: 32, end: 37 });
  });

  it("reports a fault once, with what to do about it", () => {
    const colon = readYaml('a: echo "x: y"\n').faults;
    expect(colon).toEqual([
      expect.objectContaining({
        code: "WORKFLOW.PARSE.YAML_SYNTAX",
        expected: 'a value that holds ": " in quotes, or after "|" on lines of its own',
      }),
    ]);
    const braces = readYaml("a: {b: x {{.inputs.y}} z}\nc: 1\n").faults;
    expect(braces.map((fault) => fault.expected)).toEqual(["a value that holds {{…}} in quotes"]);
    const bare = readYaml("a: {{.inputs.x}}\n").faults;
    expect(bare.map((fault) => fault.expected)).toEqual(["a value that holds {{…}} in quotes"]);
  });

  it.each([
    ["a:\n  b 1\n  c: 2\n", "this line is no key with a value", "a colon and a blank behind the key, as in key: value"],
    [
      "a:\n  - b: 1\n   c: 2\n   d: 3\n",
      "this line stands less deep than the item that it belongs to",
      'the same indentation as the first field of the item, or "- " before a new one',
    ],
    ['a: "b" --c\n', "the value has ended before this text", "quotes around the whole value, or none"],
    [
      "{a: echo b: c}\n",
      "inside { } or [ ] this value looks like a list, or another key and value, of several lines",
      'a value that holds ": " or begins with "- " in quotes',
    ],
    ["a:\n  b: x\n   c: y\n  d: z\n", DEEPER, SAME_DEPTH],
    ["a:\n  - b: x\n     c: y\n", DEEPER, SAME_DEPTH],
    ["a: {b: 1\nc: 2\n", '"{" is not closed', "a closing }, and every line up to it deeper than its field"],
    ["a: @b\n", "Plain value cannot start with reserved character @", "the whole value in quotes"],
    ["a:\n\tb: 1\n\tc: 2\n", TAB, NO_TABS],
    ["a:\n  b: |\n\tc\n  d: 1\n", TAB, NO_TABS],
    ["a:\n    b: 1\n\tc: 2\n    d: 3\n", TAB, NO_TABS],
    ["a:\n  b: 1\n \u00a0c: 2\n", "a non-breaking blank (U+00A0) stands here, which YAML takes for a letter", PLAIN],
    ["a:\u00a0b\nc: 1\n", "a non-breaking blank (U+00A0) stands here, which YAML takes for a letter", PLAIN],
    ["a:\n  b:\u00a0c\n  d: 1\n", "a non-breaking blank (U+00A0) stands here, which YAML takes for a letter", PLAIN],
    ["a:\n\u00a0 b: c\n  d: 1\n", "a non-breaking blank (U+00A0) stands here, which YAML takes for a letter", PLAIN],
    ["a:\u3000b\nc: 1\n", "a blank (U+3000) stands here, which YAML takes for a letter", PLAIN],
  ])("says in plain words, once, what is wrong in %j", (source, message, expected) => {
    expect(readYaml(source).faults).toMatchObject([{ message, expected }]);
  });

  it.each([
    "a:\n<<<<<<< HEAD\n  b: 1\n=======\n  b: 2\n>>>>>>> other\n",
    "<<<<<<< HEAD\r\na: 1\r\n||||||| base\r\n=======\r\na: 2\r\n>>>>>>> other\r\n",
    "a: |\n  b\n<<<<<<< HEAD\n  c\n=======\n  d\n>>>>>>> other\n",
    "a: {\n<<<<<<< HEAD\n  b: 1,\n=======\n  b: 2,\n>>>>>>> other\n}\n",
  ])("says once where a conflict of git begins in %j", (source) => {
    const at = source.indexOf("<");
    const message = '"<<<<<<<" is a mark of git: two versions of this file are not merged yet';
    expect(readYaml(source).faults).toMatchObject([{ message, range: { start: at, end: at + 7 } }]);
  });

  it("takes no tab, blank or line of a text for what is wrong elsewhere", () => {
    const text = "a: |\n  \tb\n  \u00a0c\n  =======\nd: x:\u00a0y z\n";
    expect(faultsOf(`${text}e: "f" g\n`)).toEqual(["YAML_SYNTAX: the value has ended before this text"]);
  });

  it("refuses an alias that stands for nothing: most often a pattern of files without quotes", () => {
    const [fault] = readYaml("a: &x 1\nb: [*.md]\nx: *x\n").faults;
    expect(fault).toMatchObject({
      message: "no anchor &.md stands above",
      expected: "a text that begins with * in quotes, or the anchor before its use",
      range: { start: 12, end: 16 },
    });
    expect(faultsOf("a: *later\nb: &later 1\n")).toEqual(["YAML_SYNTAX: no anchor &later stands above"]);
  });

  it("follows aliases, and keeps as text the numbers that JSON cannot write", () => {
    expect(readYaml("a: &x {b: 1}\nc: *x").root?.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(readYaml("a: .inf").root?.value).toEqual({ a: ".inf" });
    expect(readYaml("1: a\ntrue: b").root?.value).toEqual({ 1: "a", true: "b" });
  });
});
