import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { outcomeOf } from "../../../../actors/agents/claude/outcome.ts";
import { ClaudeParser } from "../../../../actors/agents/claude/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";
import { joined, RECORDINGS_FOLDER, recording } from "./support.ts";

const CWD = "/home/dev/work";
/** How the program ended in the recordings that have no result. */
const ENDS: { [name: string]: End } = {
  killed: { type: "signalled", signal: "SIGKILL" },
  "sigterm-group": { type: "exited", code: 143 },
  "sigterm-stream": { type: "exited", code: 143 },
  "sigterm-tool": { type: "exited", code: 143 },
};
const CASES = readdirSync(RECORDINGS_FOLDER)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

function read(parser: ClaudeParser, text: string): AgentEvent[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => parser.read(line));
}
const line = (value: unknown): string => JSON.stringify(value);
const delta = (type: string, field: string, text: string) =>
  line({ type: "stream_event", event: { type: "content_block_delta", delta: { type, [field]: text } } });
const start = (id: string) => line({ type: "stream_event", event: { type: "message_start", message: { id } } });
const begin = line({ type: "stream_event", event: { type: "content_block_start", content_block: { type: "text" } } });
const whole = (id: string, block: object, parent: string | null = null) =>
  line({ type: "assistant", message: { id, content: [block] }, parent_tool_use_id: parent });

describe("the recordings of the real program", () => {
  it("are all here", () => {
    expect(CASES.length).toBeGreaterThanOrEqual(28);
  });

  test.each(CASES)("%s: every event in order, and the result", async (name) => {
    const parser = new ClaudeParser(CWD);
    const events = read(parser, recording(name));
    const result = outcomeOf(parser, ENDS[name] ?? { type: "exited", code: 0 }, "");
    const shown = [...events, result].map((one) => `${line(one)}\n`).join("");
    await expect(shown).toMatchFileSnapshot(`${RECORDINGS_FOLDER.pathname}events/${name}.jsonl`);
  });

  test.each(CASES)("%s: nothing is unknown", (name) => {
    const events = read(new ClaudeParser(CWD), recording(name));
    expect(events.filter((event) => event.type === "unknown")).toEqual([]);
  });

  it("I4: the call of a subagent in the background ends with what the subagent says in the end", () => {
    const events = read(new ClaudeParser(CWD), recording("subagent-background"));
    const call = events.flatMap((event) => (event.type === "tool" ? [event.tool] : []));
    expect(call.map(({ status }) => status)).toEqual(["pending", "in_progress", "completed"]);
    expect(call.at(-1)?.content).toEqual([{ type: "text", text: "P2." }]);
  });

  it("think and call a tool", () => {
    const call = "toolu_stub000003";
    expect(joined(read(new ClaudeParser(CWD), recording("think-tool")))).toEqual([
      { type: "conversation", id: "d9e1b657-e651-4feb-b5a8-3b75fdf20de1" },
      {
        type: "thought",
        text: "Let me think about this. The user wants something simple. I will answer directly.",
      },
      { type: "text", text: "I will use a tool." },
      { type: "tool", tool: { call, title: "Bash", kind: "execute", status: "pending" } },
      {
        type: "tool",
        tool: {
          call,
          title: "echo hi-from-tool",
          kind: "execute",
          status: "in_progress",
          input: { command: "echo hi-from-tool" },
        },
      },
      { type: "tool", tool: { call, status: "completed", content: [{ type: "text", text: "hi-from-tool" }] } },
      { type: "text", text: "The tool returned: hi-from-tool. All done." },
    ]);
  });

  it("edit files, with the text that was there before", () => {
    const diffs = read(new ClaudeParser(CWD), recording("edit")).flatMap((event) =>
      event.type === "tool" ? (event.tool.content ?? []).filter((block) => block.type === "diff") : [],
    );
    expect(diffs).toEqual([
      { type: "diff", path: `${CWD}/e.txt`, oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" },
      { type: "diff", path: `${CWD}/n.txt`, oldText: null, newText: "new\n" },
      { type: "diff", path: `${CWD}/e.txt`, oldText: "alpha\ngamma\n", newText: "all\n" },
    ]);
  });
});

describe("text (I1)", () => {
  it("is reported by its deltas, and not again by a whole block", () => {
    const parser = new ClaudeParser(CWD);
    const lines = [
      ...[start("m1"), begin, delta("thinking_delta", "thinking", "Hm"), begin, delta("text_delta", "text", "A")],
      ...[whole("m1", { type: "thinking", thinking: "Hm" }), whole("m1", { type: "text", text: "A" })],
      ...[begin, delta("text_delta", "text", "B"), delta("text_delta", "text", "C")],
      whole("m1", { type: "text", text: "BC" }),
      whole("m1", { type: "text", text: "no delta of this one" }),
    ];
    expect(read(parser, lines.join("\n"))).toEqual([
      { type: "thought", text: "Hm" },
      { type: "text", text: "A" },
      { type: "text", text: "B" },
      { type: "text", text: "C" },
      { type: "text", text: "no delta of this one" },
    ]);
    expect(parser.said).toBe("ABCno delta of this one");
  });

  it("that broke off is reported to begin anew", () => {
    const lines = [
      start("m1"),
      begin,
      delta("text_delta", "text", "Hel"),
      whole("m2", { type: "text", text: "Hello" }),
    ];
    expect(read(new ClaudeParser(CWD), lines.join("\n"))).toEqual([
      { type: "text", text: "Hel" },
      {
        type: "notice",
        severity: "warning",
        message: "The answer broke off and was asked for again; it begins anew",
      },
      { type: "text", text: "\n\nHello" },
    ]);
  });
});

describe("what is not the agent's own (I2)", () => {
  it("is a subagent's text, which is output of its call, and an API error's", () => {
    const parser = new ClaudeParser(CWD);
    const lines = [
      whole("m1", { type: "text", text: "from below" }, "toolu_1"),
      whole("m1", { type: "thinking", thinking: "below" }, "toolu_1"),
      line({ ...JSON.parse(delta("text_delta", "text", "below")), parent_tool_use_id: "toolu_1" }),
      line({ type: "assistant", error: "rate_limit", message: { content: [{ type: "text", text: "API Error" }] } }),
    ];
    expect(read(parser, lines.join("\n"))).toEqual([{ type: "tool output", call: "toolu_1", text: "from below" }]);
    expect(parser.said).toBe("");
    expect(parser.apiError).toBe("rate_limit");
  });
});

describe("notices", () => {
  it("tell a limit of the account that is near or reached", () => {
    const info = (status: string) => line({ type: "rate_limit_event", rate_limit_info: { status, resetsAt: 0 } });
    expect(read(new ClaudeParser(CWD), ["allowed", "allowed_warning", "rejected"].map(info).join("\n"))).toEqual([
      {
        type: "notice",
        severity: "warning",
        message: "the limit usage of the account is near; it resets at 1970-01-01T00:00:00.000Z",
      },
      {
        type: "notice",
        severity: "warning",
        message: "the limit usage of the account is reached; it resets at 1970-01-01T00:00:00.000Z",
      },
      { type: "limited", pause: { until: 0 }, account: true },
    ]);
  });

  it("tell until when nobody is let in: of the account, of one model, or of a request that is made again", () => {
    const limited = (message: object) =>
      read(new ClaudeParser(CWD), line(message)).filter(({ type }) => type === "limited");
    const reached = (rateLimitType: string) => ({
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", resetsAt: 60, rateLimitType },
    });
    expect(limited(reached("five_hour"))).toEqual([{ type: "limited", pause: { until: 60_000 }, account: true }]);
    expect(limited(reached("seven_day_opus"))).toEqual([{ type: "limited", pause: { until: 60_000 } }]);
    const again = { type: "system", subtype: "api_retry", attempt: 1, error_status: 429, retry_delay_ms: 700 };
    expect(limited(again)).toEqual([{ type: "limited", pause: { afterMs: 700 }, passing: true }]);
    expect(limited({ ...again, error_status: 500 })).toEqual([]);
  });

  it("name no time where the program names none that a date can be", () => {
    const limit = {
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", resetsAt: 1_700_000_000_000_000 },
    };
    expect(new ClaudeParser(CWD).read(line(limit))).toEqual([
      { type: "notice", severity: "warning", message: "the limit usage of the account is reached" },
    ]);
  });

  it("tell a shortened conversation", () => {
    expect(new ClaudeParser(CWD).read(line({ type: "system", subtype: "compact_boundary" }))).toEqual([
      { type: "notice", severity: "info", message: "Claude Code shortened the conversation" },
    ]);
  });
});

describe("what is not known (I3)", () => {
  it.each([
    ["{", "{"],
    ["[1]", [1]],
    ["null", "null"],
    ['{"type":"tomorrow","a":1}', { type: "tomorrow", a: 1 }],
    ['{"type":"system","subtype":"new"}', { type: "system", subtype: "new" }],
    ['{"type":"stream_event","event":{"type":"new"}}', { type: "new" }],
    [delta("new_delta", "text", "x"), { type: "new_delta", text: "x" }],
    [whole("m", { type: "new" }), { type: "new" }],
    [whole("m", { type: "tool_use" }), { type: "tool_use" }],
    ['{"type":"user","message":{"content":[{"type":"tool_result"}]}}', { type: "tool_result" }],
  ])("is kept: %s", (text, value) => {
    expect(new ClaudeParser(CWD).read(text)).toEqual([{ type: "unknown", value }]);
  });

  it("never throws, whatever is in a line", () => {
    const type = fc.constantFrom("assistant", "user", "system", "result", "stream_event", "control_response");
    const message = fc.record({ type, subtype: fc.jsonValue(), message: fc.jsonValue(), event: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), message.map(line)), (text) => {
        const parser = new ClaudeParser(CWD);
        expect(parser.read(text)).toBeInstanceOf(Array);
        expect(outcomeOf(parser, { type: "exited", code: 0 }, "").status).toBeTypeOf("string");
      }),
    );
  });
});
