/** Which values are known to be plain words before anything runs, and the ways through a template. Covers `code.ts`. */
import { describe, expect, it } from "vitest";
import { codeFaults, isKnownPlain, MAX_CHECKED_LENGTH, waysOf } from "../../../../machines/workflow/check/code.ts";
import type { Input } from "../../../../machines/workflow/document.ts";
import { command, workflow } from "../../../support/documents.ts";

const text = (validation: Input["validation"] = {}): Input => ({
  name: "x",
  type: "string",
  required: false,
  validation,
});
const knows = (value: string, ...inputs: Input[]): boolean => {
  const [action] = waysOf(`{{${value}}}`).ways[0]?.actions ?? [];
  if (action === undefined) throw new Error(`no action in ${value}`);
  return isKnownPlain(action, workflow([command("a")], { inputs }));
};

describe("what is known to be plain (I1)", () => {
  it.each([
    "loop.Index",
    "loop.Index1",
    ".loop.First",
    "loop.Last",
    "loop.Length",
    "states.a.ExitCode",
    "states.a.Status",
    "states.a.TokensUsed",
    "workflow.ID",
    "workflow.Duration",
    "workflow.StartedAt",
  ])("%s", (value) => expect(knows(value)).toBe(true));

  it.each([
    "states.a.Output",
    "loop.Item",
    "states.a.JSON.ExitCodes",
    "states.a.MyStatus",
    "states.a.Tokens",
    "states.a.Index2",
    "inputs.x",
    "inputs",
    ".",
    "`ExitCode`",
    "1",
    "states.a.ExitCode | upper",
    "upper loop.Index",
    "(loop.Item)",
  ])("not %s", (value) => expect(knows(value)).toBe(false));

  it("an input that is a number or a yes, or one of plain words", () => {
    expect(knows("inputs.x", { ...text(), type: "integer" })).toBe(true);
    expect(knows("inputs.x", { ...text(), type: "boolean" })).toBe(true);
    expect(knows("inputs.x", text({ enum: ["a", "b-1"] }))).toBe(true);
    expect(knows("inputs.x", text({ enum: ["a", "b c"] }))).toBe(false);
    expect(knows("inputs.x", text())).toBe(false);
    expect(knows("inputs.y", { ...text(), type: "integer" })).toBe(false);
    expect(knows(".inputs.x", { ...text(), name: "y", type: "integer" }, { ...text(), type: "integer" })).toBe(true);
  });

  it.each([
    "^$",
    "^abc$",
    "^[a-z]+$",
    "^[A-Z]?$",
    "^[0-9]*$",
    "^v\\d+\\.\\d+$",
    "^[a-zA-Z0-9_.-]+$",
    "^\\w+/\\w+$",
    "^(?:a)(?:b)$",
    "^(a)(b)$",
    "^a{3}$",
    "^a{3,}$",
    "^a{3,12}$",
    "^[\\w\\-\\.\\/\\+]+$",
    "^a:b@c,d=e%f$",
    "^[+=%@:,]$",
    "^\\-\\+$",
  ])("an input of the pattern %s", (pattern) => {
    expect(knows("inputs.x", text({ pattern }))).toBe(true);
  });

  it.each([
    "abc",
    "^abc",
    "abc$",
    "^a b$",
    "^a.b$",
    "^.*$",
    "^a|b$",
    "^\\s$",
    "^\\D$",
    "^\\W$",
    "^\\S+$",
    "^[^a]$",
    "^[a-Z]$",
    "^[A-z]$",
    "^[ -~]$",
    "^[a;b]$",
    "^a;b$",
    "^a$b$",
    "^[$]$",
    "^[\\s]$",
    "^a{x}$",
    "^(?!a)b$",
    "^~$",
    "^[*]$",
    "^'$",
    "^`$",
    "^[]$",
  ])("not an input of the pattern %s", (pattern) => {
    expect(knows("inputs.x", text({ pattern }))).toBe(false);
  });
});

describe("the ways through a template (I2)", () => {
  const ways = (source: string) => {
    const { branches, ways } = waysOf(source);
    return { branches, ways: ways.map(({ text, actions }) => [text, actions.length]) };
  };
  it("are one without branches, else two", () => {
    expect(ways("a {{.x}} b")).toEqual({ branches: false, ways: [["a \0 b", 1]] });
    expect(ways("a {{if .x}}{{.y}}{{else}}c{{end}} {{.z}}")).toEqual({
      branches: true,
      ways: [
        ["a \0 \0", 2],
        ["a c \0", 1],
      ],
    });
    expect(ways("{{with .x}}w{{end}}{{range .x}}r{{else}}{{if .a}}i{{else}}e{{end}}{{end}}")).toEqual({
      branches: true,
      ways: [
        ["wr", 0],
        ["e", 0],
      ],
    });
  });
  it("leave out what is bound, and have a letter for what the author wants raw", () => {
    expect(ways("{{$v := .x}}{{$v}}{{raw .x}}{{/* c */}}a\0b")).toEqual({ branches: false, ways: [["\0xa b", 1]] });
    expect(waysOf("{{")).toEqual({ branches: false, ways: [] });
  });
});

describe("what is wrong with a place", () => {
  const of = (source: string) => codeFaults(source, workflow([command("a")]));
  const why = "a value here becomes code";
  it("has its range, and what to write instead", () => {
    expect(of("eval {{.x}}")).toEqual([
      {
        message: expect.stringContaining(why),
        expected: expect.stringMatching(/; or \{\{… \| raw\}\} for text that is yours$/),
        ...{ range: { start: 5, end: 11 }, maybe: false },
      },
    ]);
    expect(of("echo \\{{.x}}")).toEqual([
      {
        message: "no value can stand here: a backslash stands before the template: leave it out",
        ...{ range: { start: 6, end: 12 }, maybe: false },
      },
    ]);
    expect(of("{{if .a}}echo \\{{.x}}{{end}}")).toEqual([]);
    expect(of("{{.x}} a")).toMatchObject([{ maybe: true, range: { start: 0, end: 6 } }]);
    expect(of("echo {{.x}} $((1))")).toEqual([]);
  });
  it("is not looked for where there is no template, or in what is too long", () => {
    const long = (length: number): string => "eval {{.x}} ".padEnd(length, "a");
    expect([of(long(MAX_CHECKED_LENGTH)).length, of(long(MAX_CHECKED_LENGTH + 1)).length]).toEqual([1, 0]);
    expect(of("eval x")).toEqual([]);
    expect(MAX_CHECKED_LENGTH).toBe(32_768);
  });
});
