import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { UpdateReader } from "../../../../actors/agents/acp/updates.ts";

const called = (toolCallId: string, title = "Look"): SessionUpdate => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title,
});
const ended = (toolCallId: string): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: "completed",
});
const calls = (events: readonly object[]) => events.map((event) => (event as { tool: { call: string } }).tool.call);

describe("a call's id (I1)", () => {
  it("is the agent's own; one that could be ours is another card than ours", () => {
    const reader = new UpdateReader();
    const entries = [{ content: "Look around", priority: "high" as const, status: "pending" as const }];
    const plan = calls(reader.read({ sessionUpdate: "plan", entries }));
    const [write] = calls(reader.written({ path: "/a", oldText: null, newText: "a" }));
    const theirs = ["plan", String(write), "agent/plan", "t1"];
    const shown = theirs.map((id) => calls(reader.read(called(id)))[0]);
    expect(new Set([...plan, write, ...shown]).size).toBe(6);
    expect(shown[3]).toBe("t1");
    expect(theirs.map((id) => calls(reader.read(ended(id)))[0])).toEqual(shown);
    // The end of the turn ends our plan, and not the agent's call.
    expect(calls(reader.end())).toEqual([plan[0]]);
  });

  it("that is given again for another call is another one's, where an update or a question begins that", () => {
    const reader = new UpdateReader();
    const once = (begin: () => object[]) => calls([...begin(), ...reader.read(ended("")), ...reader.read(ended(""))]);
    expect(once(() => reader.read(called("")))).toEqual(["call", "call", "call"]);
    expect(once(() => reader.read(called("")))).toEqual(["call#2", "call#2", "call#2"]);
    expect(once(() => reader.asked({ toolCallId: "", title: "Ask" }))).toEqual(["call#3", "call#3", "call#3"]);
    expect(reader.call("")).toMatchObject({ title: "Ask" });
  });

  it("is one also where a question names the call first, or its refusal is its end", () => {
    const reader = new UpdateReader();
    const asked: ToolCallUpdate = { toolCallId: "plan", title: "Plan it" };
    const [call] = calls(reader.asked(asked));
    expect(reader.call("plan")).toMatchObject({ title: "Plan it" });
    reader.refused("plan", "no");
    expect(calls(reader.end())).toEqual([call]);
  });
});

describe("a call that is only pending when its turn ends (I5)", () => {
  const pending = (toolCallId: string, more: object = {}) =>
    ({ ...called(toolCallId), status: "pending", ...more }) as SessionUpdate;
  const update = (toolCallId: string, more: object) =>
    ({ sessionUpdate: "tool_call_update", toolCallId, ...more }) as SessionUpdate;

  it("has failed, in words", () => {
    const reader = new UpdateReader();
    reader.read(pending("a"));
    reader.read(update("a", { title: "Look closer" }));
    const text = "The agent ended its turn and did not begin this call.";
    const tool = { call: "a", status: "failed", content: [{ type: "text", text }] };
    expect(reader.end()).toEqual([{ type: "tool", tool }]);
  });

  it("is left to its agent's own word where it began, was asked about, or nothing is said of how it stands", () => {
    const reader = new UpdateReader();
    const began = [
      { status: "in_progress" },
      { status: "completed" },
      { content: [{ type: "terminal", terminalId: "t" }] },
      { _meta: { terminal_output_delta: { data: "x" } } },
    ];
    for (const [n, more] of began.entries()) {
      reader.read(pending(`${n}`));
      reader.read(update(`${n}`, more));
    }
    reader.read(pending("asked"));
    reader.asked({ toolCallId: "asked" });
    reader.read(pending("writes", { kind: "edit", locations: [{ path: "/a" }] }));
    reader.written({ path: "/a", oldText: null, newText: "a" });
    reader.read(called("silent"));
    expect(reader.end()).toEqual([]);
  });
});

describe("a title (I1)", () => {
  it("is cut between characters where a card has no room for it; who is asked sees the whole", () => {
    const reader = new UpdateReader();
    const title = `${"x".repeat(1_999)}😀${"y".repeat(98_000)}`;
    expect(reader.read(called("t1", title))).toMatchObject([{ tool: { title: `${"x".repeat(1_999)}…` } }]);
    expect(reader.call("t1").title).toBe(title);
  });

  it("of a notice is cut too", () => {
    const notice = { sessionUpdate: "notice", severity: "warning", title: "N".repeat(9_000) } as SessionUpdate;
    expect(new UpdateReader().read(notice)).toMatchObject([{ message: `${"N".repeat(2_000)}…` }]);
  });

  it("of nothing but spaces is none", () => {
    const update = { ...called("t1", "  "), kind: "read" } as SessionUpdate;
    expect(new UpdateReader().read(update)).toEqual([{ type: "tool", tool: { call: "t1", kind: "read" } }]);
  });
});
