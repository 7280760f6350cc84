import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { outcomeOf } from "../../../../actors/agents/opencode/outcome.ts";
import { OpencodeParser } from "../../../../actors/agents/opencode/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";
import { recordingsOf } from "../fake-program.ts";

const { cases, read: recording, folder } = recordingsOf("opencode");
const CWD = "/home/dev/work";
const PLACE = { cwd: CWD, servers: ["stub"] };
const KILLED: End = { type: "signalled", signal: "SIGTERM" };
const ENDS: { [name: string]: End } = {
  ...{ "sigterm-tool": KILLED, "sigterm-group": KILLED, "sigterm-stream": KILLED, "stream-cut": KILLED },
  ...{ "http-401": { type: "exited", code: 1 }, "http-429": { type: "exited", code: 1 } },
  ...{ "http-500": { type: "exited", code: 1 }, "sigint-tool": { type: "signalled", signal: "SIGINT" } },
};
const read = (parser: OpencodeParser, text: string): AgentEvent[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : parser.read(line)));
const line = (value: unknown): string => JSON.stringify(value);
const tool = (part: object) => line({ type: "tool_use", part });

describe("the recordings of the real program", () => {
  it("are all here", () => {
    expect(cases.length).toBeGreaterThanOrEqual(17);
  });

  test.each(cases)("%s: every event in order, and the result", async (name) => {
    const parser = new OpencodeParser(PLACE);
    const events = read(parser, recording(name));
    const result = outcomeOf(parser, ENDS[name] ?? { type: "exited", code: 0 }, "", null);
    const shown = [...events, result].map((one) => `${line(one)}\n`).join("");
    await expect(shown).toMatchFileSnapshot(`${folder.pathname}events/${name}.jsonl`);
  });

  test.each(cases)("%s: nothing is unknown", (name) => {
    expect(read(new OpencodeParser(PLACE), recording(name)).filter((event) => event.type === "unknown")).toEqual([]);
  });

  it("edit files, with the lines that were there before", () => {
    const diffs = read(new OpencodeParser(PLACE), recording("edit")).flatMap((event) =>
      event.type === "tool" ? (event.tool.content ?? []).filter((block) => block.type === "diff") : [],
    );
    expect(diffs).toEqual([
      { type: "diff", path: `${CWD}/e.txt`, oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" },
      { type: "diff", path: `${CWD}/n.txt`, oldText: null, newText: "new\n" },
    ]);
  });
});

describe("a tool call", () => {
  const state = { status: "completed", input: {}, output: "" };

  it("of a server has the server's name apart", () => {
    const events = new OpencodeParser(PLACE).read(tool({ callID: "c", tool: "stub_ping", state }));
    expect(events[0]).toMatchObject({ tool: { title: "stub: ping", kind: "other" } });
  });

  it("that writes over a file tells no old text that it does not know", () => {
    const part = {
      callID: "c",
      tool: "write",
      state: { ...state, output: "Wrote", input: { filePath: "n", content: "x" } },
    };
    const over = { ...part, state: { ...part.state, metadata: { exists: true } } };
    const events = new OpencodeParser(PLACE).read(tool(over));
    expect(events[1]).toMatchObject({ tool: { content: [{ type: "text", text: "Wrote" }] } });
    expect(events[0]).toMatchObject({ tool: { locations: [{ path: `${CWD}/n` }] } });
  });
});

describe("the answer", () => {
  const text = (messageID: string, said: string) => line({ type: "text", part: { messageID, text: said } });
  it("is what the last message says", () => {
    const parser = new OpencodeParser(PLACE);
    read(parser, [text("m1", "I look."), text("m2", "Found"), text("m2", "it.")].join("\n"));
    expect([parser.answer, parser.said]).toEqual(["Found\n\nit.", "I look.\n\nFound\n\nit."]);
  });
});

describe("a conversation that is too long for the model (I3)", () => {
  const overflow = line({ type: "error", error: { name: "ContextOverflowError", data: { message: "too long" } } });
  const round = (messageID: string, text: string, reason = "stop") => [
    line({ type: "text", part: { messageID, text } }),
    line({ type: "step_finish", part: { messageID, reason } }),
  ];
  const FAILED: End = { type: "exited", code: 1 };
  const ended = (lines: readonly string[], end = FAILED) => {
    const parser = new OpencodeParser(PLACE);
    const events = read(parser, lines.join("\n"));
    return { events, result: outcomeOf(parser, end, "", null) };
  };

  it("is shortened, and the answer after that counts, though the program ends with 1", () => {
    const { events, result } = ended([overflow, ...round("m1", "So far: much."), ...round("m2", "Done.")]);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(events[0]).toEqual({ type: "notice", severity: "info", message: "OpenCode shortens the conversation" });
  });

  it.each([
    ["nothing came after it", [overflow]],
    ["it was shortened and no more", [overflow, ...round("m1", "So far: much.")]],
    ["it was too long again", [overflow, ...round("m1", "So far."), ...round("m2", "On.", "tool-calls"), overflow]],
  ])("fails the step where %s", (_, lines) => {
    expect(ended(lines).result).toMatchObject({ status: "failed", class: "refused", message: "too long" });
  });

  it("another error is an end, whatever comes after it", () => {
    const error = line({ type: "error", error: { name: "APIError", data: { message: "no", statusCode: 500 } } });
    const { result } = ended([error, ...round("m1", "a"), ...round("m2", "b")]);
    expect(result).toMatchObject({ status: "failed", message: "no" });
  });
});

describe("what is not known (I2)", () => {
  it.each([
    ["{", "{"],
    ["[1]", [1]],
    ["null", "null"],
    ['{"type":"tomorrow","a":1}', { type: "tomorrow", a: 1 }],
    ['{"type":"tool_use","part":{}}', { type: "tool_use", part: {} }],
  ])("is kept: %s", (text, value) => {
    expect(new OpencodeParser(PLACE).read(text)).toEqual([{ type: "unknown", value }]);
  });

  it("never throws, whatever is in a line", () => {
    const type = fc.constantFrom("text", "reasoning", "tool_use", "step_start", "step_finish", "error");
    const event = fc.record({ type, sessionID: fc.jsonValue(), part: fc.jsonValue(), error: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), event.map(line)), (text) => {
        const parser = new OpencodeParser(PLACE);
        expect(parser.read(text)).toBeInstanceOf(Array);
        expect(outcomeOf(parser, { type: "exited", code: 0 }, "", null).status).toBeTypeOf("string");
      }),
    );
  });
});
