import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { outcomeOf, usageOf } from "../../../../actors/agents/github_copilot/outcome.ts";
import { CopilotParser } from "../../../../actors/agents/github_copilot/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";
import { joined, recordingsOf } from "../fake-program.ts";

const { cases, read: recording, folder } = recordingsOf("github_copilot");
const CWD = "/home/dev/work";
const KILLED: End = { type: "signalled", signal: "SIGTERM" };
const ENDS: { [name: string]: End } = {
  ...{ "sigterm-tool": KILLED, "sigterm-stream": KILLED, "sigint-tool": { type: "signalled", signal: "SIGINT" } },
};
const read = (parser: CopilotParser, text: string): AgentEvent[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : parser.read(line)));
const line = (type: string, data: object): string => JSON.stringify({ type, data });
const events = (...lines: string[]): AgentEvent[] => read(new CopilotParser(CWD), lines.join("\n"));

describe("the recordings of the real program", () => {
  it("are all here", () => {
    expect(cases.length).toBeGreaterThanOrEqual(21);
  });

  test.each(cases)("%s: every event in order, and the result", async (name) => {
    const parser = new CopilotParser(CWD);
    const heard = read(parser, recording(name));
    const result = outcomeOf(parser, ENDS[name] ?? { type: "exited", code: 0 }, "", null);
    const shown = [...heard, result].map((one) => `${JSON.stringify(one)}\n`).join("");
    await expect(shown).toMatchFileSnapshot(`${folder.pathname}events/${name}.jsonl`);
  });

  test.each(cases)("%s: nothing is unknown", (name) => {
    expect(events(recording(name)).filter((event) => event.type === "unknown")).toEqual([]);
  });

  test.each(["think-tool", "think-tool-anthropic-wire", "think-tool-responses-wire"])(
    "%s: thoughts, a call with its live output, and text, each once (I1)",
    (name) => {
      const heard = joined(events(recording(name)));
      const kinds = heard.map((event) => (event.type === "tool" ? `tool ${event.tool.status}` : event.type));
      expect(kinds).toEqual([
        "thought",
        "text",
        "tool pending",
        "tool in_progress",
        "tool output",
        "tool completed",
        "text",
      ]);
      expect(heard[0]).toEqual({
        type: "thought",
        text: "Let me think about this. The user wants something simple. I will answer directly.",
      });
    },
  );

  it("tell the output of a long command as it comes, once", () => {
    const heard = events(recording("long-command"));
    const output = heard.flatMap((one) => (one.type === "tool output" ? [one.text] : []));
    expect(output).toEqual(["line1\n", "line2\n", "line3\n"]);
    expect(heard.flatMap((one) => (one.type === "tool" ? (one.tool.content ?? []) : []))).toEqual([]);
  });

  it("edit files, with the lines that were there before", () => {
    const diffs = events(recording("edit")).flatMap((event) =>
      event.type === "tool" ? (event.tool.content ?? []).filter((block) => block.type === "diff") : [],
    );
    expect(diffs).toEqual([
      { type: "diff", path: `${CWD}/e.txt`, oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" },
      { type: "diff", path: `${CWD}/n.txt`, oldText: null, newText: "new\n" },
    ]);
  });
});

describe("words", () => {
  it("that come only as a whole are reported as a whole, thoughts first", () => {
    expect(events(line("assistant.message", { messageId: "m", content: "Hi", reasoningText: "Hm" }))).toEqual([
      { type: "thought", text: "Hm" },
      { type: "text", text: "Hi" },
    ]);
  });

  it("that break off begin anew, and a notice says so", () => {
    const heard = events(
      line("assistant.message_delta", { messageId: "m1", deltaContent: "Hel" }),
      line("model.call_failure", { failureKind: "transport" }),
      line("assistant.turn_retry", { reason: "streaming_error" }),
      line("assistant.message_delta", { messageId: "m2", deltaContent: "Hello" }),
    );
    expect(heard).toEqual([
      { type: "text", text: "Hel" },
      { type: "notice", severity: "warning", message: "The answer broke off and was asked for again; it begins anew" },
      { type: "notice", severity: "warning", message: "no answer from the model (streaming_error); retry 1" },
      { type: "text", text: "\n\nHello" },
    ]);
  });

  it("of a subagent are output of its call (I2)", () => {
    const parser = new CopilotParser(CWD);
    const below = { parentToolCallId: "c", messageId: "m", content: "Found", deltaContent: "Fo", reasoningId: "r" };
    const heard = [
      "assistant.message_delta",
      "assistant.message",
      "assistant.reasoning",
      "assistant.reasoning_delta",
    ].flatMap((type) => parser.read(line(type, below)));
    expect(heard).toEqual([{ type: "tool output", call: "c", text: "Found" }]);
    expect([parser.said, parser.answer]).toEqual(["", ""]);
  });
});

describe("a tool call", () => {
  it("that is denied fails, and a notice says what to do", () => {
    const heard = events(
      line("tool.execution_start", { toolCallId: "c", toolName: "bash", arguments: { command: "touch x" } }),
      line("tool.execution_complete", { toolCallId: "c", success: false, error: { code: "denied", message: "No." } }),
    );
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: { call: "c", status: "failed", content: [{ type: "text", text: "No." }] } },
      {
        type: "notice",
        severity: "warning",
        message: "not allowed: bash. Allow it with options.allowed_tools or options.allow_all",
      },
    ]);
  });

  test.each([
    [
      { toolName: "view", arguments: { path: "a.ts", view_range: [7, 9] } },
      "view a.ts",
      "read",
      [{ path: `${CWD}/a.ts`, line: 7 }],
    ],
    [{ toolName: "rg", arguments: { pattern: "x" } }, "rg x", "search", undefined],
    [{ toolName: "bash", arguments: {} }, "bash", "execute", undefined],
    [
      { toolName: "db-q", mcpServerName: "db", mcpToolName: "q", arguments: { path: "/x" } },
      "db: q",
      "other",
      undefined,
    ],
    [{ toolName: "toString", arguments: [] }, "toString", "other", undefined],
  ])("%j", (data, title, kind, locations) => {
    const [event] = events(line("tool.execution_start", { toolCallId: "c", ...data }));
    expect(event).toMatchObject({ type: "tool", tool: { title, kind, status: "in_progress", input: data.arguments } });
    expect(event?.type === "tool" ? event.tool.locations : null).toEqual(locations);
  });
});

describe("a result", () => {
  const end: End = { type: "exited", code: 0 };
  const outcome = (...lines: string[]) => {
    const parser = new CopilotParser(CWD);
    read(parser, lines.join("\n"));
    return outcomeOf(parser, end, "", null);
  };
  const result = JSON.stringify({ type: "result", exitCode: 0 });

  test.each([
    [{ errorType: "authentication" }, "auth"],
    [{ errorType: "quota" }, "rate_limit"],
    [{ errorType: "query", statusCode: 529 }, "overloaded"],
    [{ errorType: "query" }, "network"],
    [{ errorType: "context_limit" }, "refused"],
    [{ errorType: "toString" }, "crashed"],
  ])("with the error %j is of class %s", (error, expected) => {
    expect(outcome(line("session.error", { message: "No.", ...error }), result)).toMatchObject({
      status: "failed",
      class: expected,
      message: "No.",
    });
  });

  it("that was interrupted, with another exit code, or not there is none", () => {
    expect(outcome(line("abort", {}), result)).toMatchObject({ class: "cut" });
    expect(outcome(JSON.stringify({ type: "result", exitCode: 3 }))).toMatchObject({ class: "crashed" });
    expect(outcome()).toMatchObject({ class: "cut", message: "Copilot ended without a result" });
  });

  it("counts the tokens of all models", () => {
    const models = {
      a: { usage: { inputTokens: 2, outputTokens: 3 } },
      b: { usage: { inputTokens: 5, outputTokens: 7 } },
    };
    expect(usageOf(JSON.stringify({ modelMetrics: models }))).toEqual({
      inputTokens: 7,
      outputTokens: 10,
      totalTokens: 17,
    });
    expect([usageOf(null), usageOf("{"), usageOf("{}")]).toEqual([null, null, null]);
  });
});

describe("what is not known (I3)", () => {
  it.each([
    ["{", "{"],
    ["[1]", [1]],
    ['{"type":"tomorrow"}', { type: "tomorrow" }],
    ['{"type":"tool.tomorrow","data":{"toolCallId":"c"}}', { type: "tool.tomorrow", data: { toolCallId: "c" } }],
    ['{"type":"tool.execution_start","data":{}}', { type: "tool.execution_start", data: {} }],
  ])("is kept: %s", (text, value) => {
    expect(events(text)).toEqual([{ type: "unknown", value }]);
  });

  it("never throws, whatever is in a line", () => {
    const type = fc.constantFrom(
      ...["assistant.message", "assistant.reasoning", "tool.execution_start", "tool.execution_complete"],
      ...["tool.execution_partial_result", "assistant.tool_call_delta", "result", "session.error"],
    );
    const fields = fc.record({
      toolCallId: fc.string(),
      arguments: fc.jsonValue(),
      result: fc.jsonValue(),
      error: fc.jsonValue(),
    });
    const event = fc.record({ type, data: fc.oneof(fields, fc.jsonValue()) });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          event.map((one) => JSON.stringify(one)),
        ),
        (text) => {
          const parser = new CopilotParser(CWD);
          expect(parser.read(text)).toBeInstanceOf(Array);
          expect(outcomeOf(parser, { type: "exited", code: 0 }, "", usageOf(text)).status).toBeTypeOf("string");
        },
      ),
    );
  });
});
