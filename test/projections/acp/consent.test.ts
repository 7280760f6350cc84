import { describe, expect, it } from "vitest";
import type { RowOf } from "../../../machines/exchange.ts";
import { consentContent, consentText, consentTitle } from "../../../projections/acp/consent.ts";

type Question = RowOf<"permission.requested">["payload"];
const question = (more: Partial<Question> = {}): Question => ({
  permission: "p1",
  title: "May the agent use Bash (execute)?",
  kind: "execute",
  tool: "Bash",
  message: "",
  options: [],
  ...more,
});

describe("the text of a question in an editor", () => {
  it("T25 holds a tool's whole input, however long (I1)", () => {
    const lines = Array.from({ length: 300 }, (_, n) => `echo ${n}`);
    const command = [...lines, "rm -rf /"].join("\n");
    const text = consentText(question({ input: { command }, message: "The agent calls it: read the README" }));
    expect(text).toBe(`The agent calls it: read the README\n\n\`\`\`\ncommand: ${command}\n\`\`\``);
  });

  it.each(["```", "`````\nAllow me", "a ```` b"])("T25 is not left by a fence in the input: %j (I1)", (input) => {
    const [first = "", ...rest] = consentText(question({ input })).split("\n");
    expect(first).toMatch(/^`{3,}$/);
    expect(rest.at(-1)).toBe(first);
    expect(rest.slice(0, -1).join("\n")).toBe(input);
    expect(input).not.toContain(first);
  });

  it("T12 shows what is invisible (I2)", () => {
    expect(consentText(question({ input: "a\u202eb\u200b", locations: [{ path: "/x\u001b[2J", line: 3 }] }))).toBe(
      "```\na\\u202eb\\u200b\n```\n\nPlaces: /x\\u001b[2J:3",
    );
  });

  it("says how long an answer is waited for", () => {
    expect(consentText(question({ timeoutMs: 90_000 }))).toBe("Without an answer within 90 s it is refused.");
  });

  it("of a step is the workflow's own words", () => {
    const { tool: _, ...step } = question({ message: "Deploy?", input: { step: "deploy" }, timeoutMs: 5 });
    expect(consentText(step)).toBe("Deploy?");
  });

  it("of a step holds what the step would do, whole, below the workflow's words (I1)", () => {
    const { tool: _, ...step } = question({
      title: 'Run step "deploy"?',
      message: "Deploy?",
      input: { step: "deploy", kind: "command", command: "make\u202e deploy" },
      timeoutMs: 5_000,
    });
    expect(consentText(step)).toBe(
      "Deploy?\n\n```\ncommand: make\\u202e deploy\n```\n\nWithout an answer within 5 s it is refused.",
    );
    expect(consentTitle(step)).toBe('Run step "deploy"? Deploy? · command: make\\u202e deploy');
  });
});

describe("the title of a question, all that some editors show", () => {
  it("T25 says what a tool is to be used for (I3)", () => {
    expect(consentTitle(question({ input: { command: "rm -rf build\nls", wait: 1 }, message: "x" }))).toBe(
      "May the agent use Bash (execute)? command: rm -rf build\\nls, wait: 1",
    );
    expect(consentTitle(question())).toBe("May the agent use Bash (execute)?");
  });

  it("T25 counts what it has no room for (I3)", () => {
    const command = "x".repeat(500);
    expect(consentTitle(question({ input: command }))).toBe(
      `May the agent use Bash (execute)? ${"x".repeat(400)}… (100 more characters)`,
    );
  });

  it("T12 shows what is invisible (I2)", () => {
    expect(consentTitle(question({ input: "a\u202eb" }))).toBe("May the agent use Bash (execute)? a\\u202eb");
  });

  it("of a step holds the workflow's own words", () => {
    const { tool: _, ...step } = question({ title: "Run it?", message: "Deploy\nnow?", input: { step: "deploy" } });
    expect(consentTitle(step)).toBe("Run it? Deploy now?");
  });
});

describe("the edits of a question (H33, I3)", () => {
  const edit = { path: "/w/a.txt", oldText: "one\ntwo\nthree\n", newText: "one\n2\u202e\nthree\n" };
  const asked = question({
    tool: "Write",
    kind: "edit",
    input: { path: edit.path, content: edit.newText },
    edits: [edit],
  });

  it("are diffs beside the words; what they say is not said twice", () => {
    expect(consentContent(asked)).toEqual([{ type: "diff", ...edit }]);
    expect(consentContent({ ...asked, message: "The agent calls it: tidy" })).toEqual([
      { type: "content", content: { type: "text", text: "The agent calls it: tidy" } },
      { type: "diff", ...edit },
    ]);
    expect(consentTitle(asked)).toBe("May the agent use Bash (execute)? ± /w/a.txt (+1 -1)");
  });
  it("stand in the words where there are only words, with nothing invisible", () => {
    expect(consentText(asked)).toBe(
      "```\n± /w/a.txt\n  … 1 line as it is\n- two\n+ 2\\u202e\n  … 1 line as it is\n```",
    );
  });
  it("do not hide an input that says something else (T25)", () => {
    const other = { ...asked, input: { path: edit.path, content: "rm -rf" } };
    expect(consentContent(other)).toEqual([
      { type: "content", content: { type: "text", text: "```\ncontent: rm -rf\n```" } },
      { type: "diff", ...edit },
    ]);
  });
});
