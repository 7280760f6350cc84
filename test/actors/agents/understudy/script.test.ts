import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseScript, parseScriptText } from "../../../../actors/agents/understudy/script.ts";
import type { Json } from "../../../../machines/model.ts";
import { scriptOf } from "./support.ts";

describe("forms", () => {
  test("YAML and inline give the same script", () => {
    const text =
      "turns:\n  - when: fix|mend\n    play:\n      - say: {text: On it, chunks: 2}\n  - play: []\nconversation: talk\n";
    const inline = {
      turns: [{ when: "fix|mend", play: [{ say: { text: "On it", chunks: 2 } }] }, { play: [] }],
      conversation: "talk",
    };
    const read = scriptOf(parseScriptText(text));
    expect(read).toEqual(scriptOf(parseScript(inline)));
    expect(read).toMatchObject({
      type: "turns",
      conversation: "talk",
      turns: [{ play: [{ type: "say" }] }, { when: null, play: [] }],
    });
  });
});

describe("faults", () => {
  test("YAML faults name line and column of the field", () => {
    expect(parseScriptText("- say: Hi\n- say:\n    text: Hi\n    rate: fast\n- tool: {kind: read}\n")).toEqual({
      ok: false,
      faults: [
        {
          at: [1, "say", "rate"],
          field: "script[1].say.rate",
          expected: "a number above 0, to 1000000",
          message: 'line 4, column 11: script[1].say.rate: expected a number above 0, to 1000000, got "fast"',
          line: 4,
          column: 11,
        },
        {
          at: [2, "tool", "title"],
          field: "script[2].tool.title",
          expected: "a text",
          message: "line 5, column 9: script[2].tool.title: expected a text, got nothing",
          line: 5,
          column: 9,
        },
      ],
    });
  });

  test.each([
    ["broken YAML", "- say: [\n", 2],
    ["a key given twice", "- say: {text: a, text: b}\n", 1],
    ["too many aliases", `- &a [x]\n- &b [${"*a,".repeat(60)}]\n- [${"*b,".repeat(60)}]\n`, 1],
  ])("%s is a fault of the whole script", (_, source, line) => {
    const parsed = parseScriptText(source);
    expect(parsed).toMatchObject({ ok: false, faults: [{ field: "script", expected: "YAML", line }] });
  });

  test("I1: reading never throws, and says at least one thing that is wrong", () => {
    const data = fc.jsonValue();
    const near = fc.array(
      fc.dictionary(fc.constantFrom("say", "tool", "wait", "usage", "write", "exit", "turns"), data, { maxKeys: 2 }),
    );
    fc.assert(
      fc.property(fc.oneof(data, near, fc.record({ turns: near })), (value) => {
        const parsed = parseScript(value as Json);
        expect(parsed.ok || parsed.faults.length > 0).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (source) => {
        const parsed = parseScriptText(source);
        expect(parsed.ok || parsed.faults.every((fault) => fault.line !== null && fault.line > 0)).toBe(true);
      }),
    );
  });
});
