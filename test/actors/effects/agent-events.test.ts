/** What an agent tells while it works, as the rows of its step. */
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../actors/agents/agent.ts";
import { at, DONE, run, text } from "./agent-run.ts";
import { agentNode, fakeAgent, result } from "./support.ts";

describe("the rows of an agent step", () => {
  it("are its events in order, a new text block after a thought and around a call (I1, I2 of agent-rows)", async () => {
    const { agents } = fakeAgent(
      [
        { type: "conversation", id: "c-1" },
        { type: "text", text: "Let me " },
        { type: "text", text: "see." },
        { type: "thought", text: "Hm." },
        { type: "text", text: "I look." },
        { type: "tool", tool: { call: "t1", title: "Read a.ts", kind: "read", locations: [{ path: "/a.ts" }] } },
        { type: "text", text: "Meanwhile" },
        { type: "tool", tool: { call: "t1", status: "in_progress" } },
        { type: "text", text: " more." },
        { type: "tool output", call: "t1", text: "line" },
        { type: "tool output", call: "t1", text: " one" },
        { type: "tool", tool: { call: "t1", status: "completed", output: 3 } },
        { type: "text", text: "Done." },
        { type: "tool", tool: { call: "t1", title: "late" } },
        { type: "usage", usage: { inputTokens: 5, outputTokens: 7 } },
        { type: "notice", severity: "warning", message: "nearly full" },
        { type: "unknown", value: 1 },
        { type: "unknown", value: 2 },
        { type: "conversation", id: "c-1" },
      ],
      { ...DONE, usage: { inputTokens: 5, outputTokens: 7 } },
    );
    const { rows, told, result: ended } = await run(agentNode("Hello"), agents);
    const call = "build@1.t1";
    expect(rows).toEqual([
      text("message.assistant", "1", "Let me see."),
      text("message.thought", "2", "Hm."),
      text("message.assistant", "3", "I look."),
      {
        type: "tool.call",
        ...at,
        payload: { call, title: "Read a.ts", kind: "read", status: "pending", locations: [{ path: "/a.ts" }] },
      },
      text("message.assistant", "4", "Meanwhile"),
      { type: "tool.update", ...at, payload: { call, status: "in_progress" } },
      { type: "message.assistant", ...at, payload: { block: "build@1.4", offset: 9, text: " more." } },
      { type: "tool.update", ...at, payload: { block: `${call}.output`, offset: 0, text: "line one", call } },
      { type: "tool.result", ...at, payload: { call, status: "completed", output: 3 } },
      text("message.assistant", "5", "Done."),
      { type: "tool.update", ...at, payload: { call, title: "late", kind: "read", status: "completed" } },
      { type: "usage.recorded", ...at, payload: { inputTokens: 5, outputTokens: 7 } },
      { type: "notice", ...at, payload: { severity: "warning", message: "nearly full" } },
      ...[1, 2].map((kept) => ({
        type: "notice",
        ...at,
        payload: { severity: "info", message: "the agent sent something in a form that Troupe does not know", kept },
      })),
    ]);
    expect(told).toEqual([{ type: "work.noted", conversation: "c-1" }]);
    expect(ended).toEqual({
      outcome: { status: "completed", exitCode: 0 },
      state: result({
        Output: "all",
        Conversation: "c-1",
        StopReason: "end_turn",
        Tools: [{ Title: "late", Kind: "read", Status: "completed" }],
        TokensInput: 5,
        TokensOutput: 7,
        TokensUsed: 12,
        TokensEstimated: false,
      }),
      draw: 0.25,
    });
  });

  it("begin a call that is first seen at its end, or by its output", async () => {
    const { agents } = fakeAgent([
      { type: "tool", tool: { call: "a", title: "A", status: "failed", output: "no" } },
      { type: "tool output", call: "b", text: "x" },
      { type: "tool", tool: { call: "b", status: "completed" } },
    ]);
    const { rows } = await run(agentNode("Hello"), agents);
    expect(rows).toEqual([
      { type: "tool.call", ...at, payload: { call: "build@1.a", title: "A", kind: "other", status: "in_progress" } },
      { type: "tool.result", ...at, payload: { call: "build@1.a", title: "A", status: "failed", output: "no" } },
      { type: "tool.call", ...at, payload: { call: "build@1.b", title: "b", kind: "other", status: "in_progress" } },
      { type: "tool.update", ...at, payload: { block: "build@1.b.output", offset: 0, text: "x", call: "build@1.b" } },
      { type: "tool.result", ...at, payload: { call: "build@1.b", status: "completed" } },
    ]);
  });

  it("end what the agent left open as it has ended itself: failed where it has (I3)", async () => {
    const tool = { type: "tool", tool: { call: "t", status: "in_progress" } } as const;
    const broken = { status: "failed", class: "crashed", message: "gone", text: "", usage: null } as const;
    for (const end of [DONE, broken]) {
      const { rows, result: ended } = await run(agentNode("Hello"), fakeAgent([tool], end).agents);
      const content = [{ type: "text", text: "The agent ended before this call did." }];
      const told = end === broken ? { status: "failed", content } : { status: "completed" };
      expect(rows.at(-1)).toEqual({ type: "tool.result", ...at, payload: { call: "build@1.t", ...told } });
      expect(ended.state.Tools).toMatchObject([{ Status: end.status }]);
    }
  });

  it("end what the agent left open, record the usage that it only returned, and nothing after it (I3)", async () => {
    let late: (() => void) | null = null;
    const agent: Agent = async (_, emit) => {
      emit({ type: "tool", tool: { call: "t" } });
      late = () => emit({ type: "text", text: "too late" });
      return { status: "completed", text: "", usage: { totalTokens: 9 } };
    };
    const { rows, result: ended } = await run(agentNode("Hello"), { fake: async () => agent });
    late!();
    expect(rows).toEqual([
      { type: "tool.call", ...at, payload: { call: "build@1.t", title: "t", kind: "other", status: "pending" } },
      {
        type: "tool.result",
        ...at,
        payload: { call: "build@1.t", status: "completed" },
      },
      { type: "usage.recorded", ...at, payload: { totalTokens: 9 } },
    ]);
    expect(ended.state.TokensUsed).toBe(9);
  });
});
