import { describe, expect, it } from "vitest";
import { chosen, consentLines, optionOf } from "../../../projections/terminal/consent.ts";

const question = {
  permission: "p",
  title: "Trust /w?",
  kind: "execute" as const,
  message: 'Workflow "demo" runs commands.',
  options: [
    { id: "trust", name: "Trust this directory", kind: "allow_always" as const },
    { id: "refuse", name: "Do not run", kind: "reject_once" as const },
  ],
};

describe("consentLines", () => {
  it("writes the question from its fields, options numbered and explained by their kind", () => {
    const asked = {
      ...question,
      input: { cwd: "/w", list: [1, 2] },
      locations: [{ path: "a.ts", line: 3 }, { path: "b.ts" }],
    };
    expect(consentLines(asked, { colours: false, columns: null })).toEqual([
      "? Trust /w?",
      '  Workflow "demo" runs commands.',
      "  cwd: /w",
      "  list: [1,2]",
      "  a.ts:3",
      "  b.ts",
      "  1) Trust this directory (allow, from now on)",
      "  2) Do not run (refuse, this time)",
    ]);
  });

  it("shows what would be written as an edit of the file, whole, and not twice (H33)", () => {
    const edits = [{ path: "/w/a.txt", oldText: "one\ntwo", newText: "one\na much longer line\n" }];
    const input = { path: "/w/a.txt", content: "one\na much longer line\n", note: "x" };
    const asked = { ...question, tool: "Write", input, edits, locations: [{ path: "/w/a.txt" }] };
    expect(consentLines(asked, { colours: false, columns: 16 }).slice(4, 15)).toEqual([
      "  note: x",
      "  ± /w/a.txt",
      "    … 1 line as",
      "    it is",
      "  - two",
      "  + a much",
      "    longer line",
      "    … the last",
      "    line ends",
      "    with a",
      "    newline now",
    ]);
  });

  it("leaves out of a step's gate what its title says already", () => {
    const input = { step: "gate", kind: "command", command: "echo released" };
    const lines = consentLines({ ...question, input }, { colours: false, columns: null });
    expect(lines.slice(1, 3)).toEqual(['  Workflow "demo" runs commands.', "  command: echo released"]);
  });

  it("T25 I1 wraps what does not fit and leaves nothing of it out", () => {
    const message = Array.from({ length: 300 }, (_, line) => `echo ${line}; rm -rf /tmp/${line}`).join("\n");
    const shown = consentLines({ ...question, message }, { colours: false, columns: 20 });
    const joined = shown.join("").replace(/\s/g, "");
    for (let line = 0; line < 300; line++) expect(joined).toContain(`echo${line};rm-rf/tmp/${line}`);
    expect(shown.every((line) => line.length <= 20)).toBe(true);
  });

  it("T25 I2 says what an option does by its kind, whatever it is called", () => {
    const options = [{ id: "allow", name: "Allow", kind: "reject_always" as const }];
    expect(consentLines({ ...question, options }, { colours: false, columns: null }).at(-1)).toBe(
      "  1) Allow (refuse, from now on)",
    );
  });

  it("T12 shows what is invisible", () => {
    const shown = consentLines(
      { ...question, title: "a\u202eb\rc", message: "\u001b[2J", input: "x\u200b" },
      { colours: false, columns: null },
    );
    expect(shown.slice(0, 3)).toEqual(["? a\\u202eb\\u000dc", "  \\u001b[2J", "  x\\u200b"]);
  });
});

describe("chosen", () => {
  it.each<[string, string | null]>([
    ["1", "trust"],
    [" 2 ", "refuse"],
    ["3", null],
    ["0", null],
    ["refuse", "refuse"],
    ["TRUST", "trust"],
    ["do", "refuse"],
    ["tr", "trust"],
    ["", null],
    ["y", "trust"],
    ["Yes", "trust"],
  ])("%j chooses %j", (answer, id) => {
    expect(chosen(question, answer)).toBe(id);
  });

  it("takes no beginning that fits two options", () => {
    const options = [
      { id: "a", name: "Allow once", kind: "allow_once" as const },
      { id: "b", name: "Allow always", kind: "allow_always" as const },
    ];
    expect(chosen({ ...question, options }, "allow")).toBe(null);
  });
});

describe("optionOf", () => {
  it.each<[string, string | null]>([
    ["allow", null],
    ["deny", "refuse"],
    ["trust", "trust"],
    ["1", "trust"],
    ["perhaps", null],
  ])("%j chooses %j", (answer, id) => {
    expect(optionOf(question, answer)).toBe(id);
  });

  it("goes by an option's kind and not by its name, and chooses nothing where that is unclear", () => {
    const deny = { id: "deny", name: "Deny", kind: "allow_always" as const };
    const allow = { id: "allow", name: "Allow", kind: "reject_once" as const };
    const once = { id: "x", name: "Go", kind: "allow_once" as const };
    expect(optionOf({ ...question, options: [deny, allow, once] }, "allow")).toBe("x");
    expect(optionOf({ ...question, options: [deny, allow, once] }, "deny")).toBe("allow");
    expect(optionOf({ ...question, options: [deny, once, { ...once, id: "y" }] }, "allow")).toBe(null);
    expect(optionOf({ ...question, options: [deny, once] }, "deny")).toBe(null);
  });
});
