import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { commandOf } from "../../../../actors/agents/codex/command.ts";
import { outcomeOf } from "../../../../actors/agents/codex/outcome.ts";
import { CodexParser } from "../../../../actors/agents/codex/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";
import { recordingsOf } from "../fake-program.ts";

const { cases, read: recording, folder } = recordingsOf("codex");
const CWD = "/home/dev/work";
const FAILED: End = { type: "exited", code: 1 };
const KILLED: End = { type: "signalled", signal: "SIGTERM" };
const ENDS: { [name: string]: End } = {
  ...{ "http-401": FAILED, "http-429": FAILED, "http-500": FAILED, "stream-cut": FAILED, "sigint-tool": FAILED },
  ...{ "sigterm-tool": KILLED, "sigterm-group": KILLED, "sigterm-stream": KILLED },
};
const read = (parser: CodexParser, text: string): AgentEvent[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : parser.read(line)));
const line = (value: unknown): string => JSON.stringify(value);
const item = (value: object, type = "item.completed") => line({ type, item: value });
const failure = (message: string) => line({ type: "turn.failed", error: { message } });

test("a thread without a name is none", () => {
  const parser = new CodexParser(CWD, null);
  expect(read(parser, line({ type: "thread.started", thread_id: "" }))).toEqual([]);
  expect(parser.thread).toBeNull();
});

describe("the recordings of the real program", () => {
  it("are all here", () => {
    expect(cases.length).toBeGreaterThanOrEqual(17);
  });

  test.each(cases)("%s: every event in order, and the result", async (name) => {
    const parser = new CodexParser(CWD, null);
    const events = read(parser, recording(name));
    const shown = [...events, outcomeOf(parser, ENDS[name] ?? { type: "exited", code: 0 }, "")];
    await expect(shown.map((one) => `${line(one)}\n`).join("")).toMatchFileSnapshot(
      `${folder.pathname}events/${name}.jsonl`,
    );
  });

  test.each(cases)("%s: nothing is unknown", (name) => {
    const events = read(new CodexParser(CWD, null), recording(name));
    expect(events.filter((event) => event.type === "unknown")).toEqual([]);
  });
});

describe("messages (I1)", () => {
  it("are paragraphs, and the last is the turn's text", () => {
    const parser = new CodexParser(CWD, null);
    const events = [{ text: "One." }, { text: "Two." }].flatMap(({ text }) =>
      parser.read(item({ id: text, type: "agent_message", text })),
    );
    expect(events).toEqual([
      { type: "text", text: "One." },
      { type: "text", text: "\n\nTwo." },
    ]);
    expect([parser.text, parser.said]).toEqual(["Two.", "One.\n\nTwo."]);
  });
});

describe("a tool call", () => {
  test.each([
    [
      { type: "web_search", query: "otters" },
      { title: "Search the web otters", kind: "fetch" },
    ],
    [
      { type: "todo_list", items: [{ text: "a", completed: true }] },
      { title: "Plan", kind: "think" },
    ],
    [
      { type: "collab_tool_call", tool: "spawn_agent", prompt: "p" },
      { title: "spawn_agent", kind: "think" },
    ],
    [
      { type: "file_change", changes: [{ path: "/home/dev/work/a.txt", kind: "delete" }] },
      { title: "Delete a.txt", kind: "delete", locations: [{ path: "/home/dev/work/a.txt" }] },
    ],
    [
      { type: "mcp_tool_call", server: "s", tool: "t", arguments: {}, status: "failed", error: { message: "no" } },
      { title: "s: t", kind: "other", status: "failed", content: [{ type: "text", text: "no" }] },
    ],
  ])("%j", (fields, tool) => {
    const events = new CodexParser(CWD, null).read(item({ id: "i", status: "completed", ...fields }));
    expect(events).toMatchObject([{ type: "tool", tool: { call: "i", ...tool } }]);
  });

  test.each([
    ["/bin/bash -lc 'echo hi'", "echo hi"],
    ["bash -lc ls", "ls"],
    [`/bin/zsh -lc 'it'"'"'s'`, "it's"],
    [`/bin/bash -lc "echo \\"a\\" \\$B"`, 'echo "a" $B'],
    ["/bin/bash -lc 'a' b", "/bin/bash -lc 'a' b"],
    ["git status", "git status"],
  ])("of %s is titled %s", (told, command) => {
    expect(commandOf(told)).toBe(command);
  });
});

describe("the class of a failure (outcome I2)", () => {
  test.each([
    ["unexpected status 401 Unauthorized: x", "auth"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limit"],
    ["unexpected status 503 Service Unavailable", "overloaded"],
    ["Missing environment variable: `OPENAI_API_KEY`.", "auth"],
    ["You've hit your usage limit.", "rate_limit"],
    ["Quota exceeded. Check your plan and billing details.", "no_credit"],
    ["unexpected status 402 Payment Required", "no_credit"],
    ["stream disconnected before completion: x", "cut"],
    ["error sending request for url", "network"],
    ['{"error":{"type":"invalid_request_error"}}', "refused"],
    ["something else", "crashed"],
  ])("%s is %s", (message, name) => {
    const parser = new CodexParser(CWD, null);
    parser.read(failure(message));
    expect(outcomeOf(parser, FAILED, "")).toMatchObject({ status: "failed", class: name, message });
  });
});

describe("what is not known (I4)", () => {
  it("is kept", () => {
    const parser = new CodexParser(CWD, null);
    const events = [line({ type: "news" }), item({ id: "i", type: "dance" }), "no json"].flatMap((one) =>
      parser.read(one),
    );
    expect(events.map(({ type }) => type)).toEqual(["unknown", "unknown", "unknown"]);
  });

  it("never throws", () => {
    const type = fc.constantFrom("item.completed", "item.started", "error", "turn.failed", "turn.completed");
    const kind = fc.constantFrom("command_execution", "file_change", "mcp_tool_call", "todo_list", "agent_message");
    const fields = fc.record({ id: fc.string(), type: kind, changes: fc.jsonValue(), result: fc.jsonValue() });
    const message = fc.record({ type, item: fc.oneof(fields, fc.jsonValue()), message: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), message.map(line)), (text) => {
        const parser = new CodexParser(CWD, null);
        expect(parser.read(text)).toBeInstanceOf(Array);
        expect(outcomeOf(parser, FAILED, "").status).toBeTypeOf("string");
      }),
    );
  });
});
