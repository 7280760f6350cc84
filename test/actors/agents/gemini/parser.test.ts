import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { outcomeOf } from "../../../../actors/agents/gemini/outcome.ts";
import { GeminiParser } from "../../../../actors/agents/gemini/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";
import { recordingsOf } from "../fake-program.ts";

const { cases, read: recording, folder } = recordingsOf("gemini");
const PLACE = { cwd: "/home/dev/work", servers: ["stub"] };
const exit = (code: number): End => ({ type: "exited", code });
const ENDS: { [name: string]: End } = {
  "http-401": exit(145),
  "http-429": exit(173),
  "http-500": exit(244),
  "stream-cut": exit(1),
};
const read = (parser: GeminiParser, text: string): AgentEvent[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : parser.read(line)));
const line = (value: unknown): string => JSON.stringify(value);

describe("the recordings of the real program", () => {
  it("are all here", () => {
    expect(cases.length).toBeGreaterThanOrEqual(17);
  });

  test.each(cases)("%s: every event in order, and the result", async (name) => {
    const parser = new GeminiParser(PLACE);
    const events = read(parser, recording(name));
    const shown = [...events, outcomeOf(parser, ENDS[name] ?? exit(0), "", null)];
    await expect(shown.map((one) => `${line(one)}\n`).join("")).toMatchFileSnapshot(
      `${folder.pathname}events/${name}.jsonl`,
    );
  });

  test.each(cases)("%s: nothing is unknown", (name) => {
    expect(read(new GeminiParser(PLACE), recording(name)).filter((event) => event.type === "unknown")).toEqual([]);
  });
});

describe("a message that comes whole (I1)", () => {
  const heard = (...messages: (readonly [content: string, delta: boolean])[]) => {
    const parser = new GeminiParser(PLACE);
    const text = messages.flatMap(([content, delta]) =>
      parser.read(line({ type: "message", role: "assistant", content, ...(delta ? { delta } : {}) })),
    );
    return { shown: text.map((event) => (event.type === "text" ? event.text : "")).join(""), text: parser.text };
  };
  const both = (text: string) => ({ shown: text, text });

  it("is a paragraph of its own", () => {
    expect(heard(["One.", false], ["Two.", false])).toEqual(both("One.\n\nTwo."));
    expect(heard(["One", true], [".", true], ["Two.", false], ["Th", true], ["ree.", true])).toEqual(
      both("One.\n\nTwo.\n\nThree."),
    );
  });
  it("is not said again where its pieces have come", () => {
    expect(heard(["On", true], ["e.", true], ["One.", false], ["Two.", true])).toEqual(both("One.\n\nTwo."));
  });
});

describe("a change of a file", () => {
  const turn = (tool_name: string, parameters: object, status = "success") => {
    const parser = new GeminiParser(PLACE);
    parser.read(line({ type: "tool_use", tool_id: "c", tool_name, parameters }));
    return parser.read(line({ type: "tool_result", tool_id: "c", status, error: { message: "no" } }));
  };
  const edit = { file_path: "a.txt", old_string: "b", new_string: "c" };
  const path = "/home/dev/work/a.txt";

  it("is a diff of what was asked for", () => {
    expect(turn("replace", edit)).toEqual([
      {
        type: "tool",
        tool: { call: "c", status: "completed", content: [{ type: "diff", path, oldText: "b", newText: "c" }] },
      },
    ]);
  });

  it("that failed is none", () => {
    expect(turn("replace", edit, "error")).toEqual([
      { type: "tool", tool: { call: "c", status: "failed", content: [{ type: "text", text: "no" }] } },
    ]);
  });

  it("that writes a file which was not there has no old text", () => {
    expect(turn("write_file", { file_path: "a.txt", content: "new" })).toMatchObject([
      { tool: { content: [{ type: "diff", path, oldText: null, newText: "new" }] } },
    ]);
  });
});

describe("the end (outcome I1, I2)", () => {
  const none = (): GeminiParser => new GeminiParser(PLACE);
  test.each([
    [41, "Please set an Auth method", "auth"],
    [42, "Invalid model", "refused"],
    [0, "", "cut"],
    [1, "boom", "crashed"],
  ])("%i without a result: %s is %s", (code, stderr, name) => {
    expect(outcomeOf(none(), exit(code), stderr, null)).toMatchObject({ status: "failed", class: name });
  });

  test.each([
    [exit(247), "x", "overloaded"],
    [exit(148), "x", "refused"],
    [exit(1), "fetch failed", "network"],
    [exit(1), "RESOURCE_EXHAUSTED", "rate_limit"],
  ])("%j with a result that says %s is %s", (end, message, name) => {
    const parser = none();
    parser.read(line({ type: "result", status: "error", error: { message } }));
    expect(outcomeOf(parser, end, "", null)).toMatchObject({ status: "failed", class: name, message });
  });

  it("never throws, and keeps what is not known (I2)", () => {
    expect(none().read(line({ type: "news" }))).toEqual([{ type: "unknown", value: { type: "news" } }]);
    const type = fc.constantFrom("tool_use", "tool_result", "result", "message", "error", "init");
    const message = fc.record({ type, tool_id: fc.jsonValue(), parameters: fc.jsonValue(), stats: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), message.map(line)), (text) => {
        const parser = none();
        expect(parser.read(text)).toBeInstanceOf(Array);
        expect(outcomeOf(parser, exit(0), "", null).status).toBeTypeOf("string");
      }),
    );
  });
});
