import { describe, expect, it } from "vitest";
import type { AgentEvent, ToolEvent } from "../../../actors/agents/agent.ts";
import { Edits } from "../../../actors/effects/edits.ts";
import { namedSession } from "../../../actors/effects/named-session.ts";
import { agentNode } from "./support.ts";

const diff = (path: string, oldText: string | null, newText: string) =>
  ({ type: "diff", path, oldText, newText }) as const;
const editsOf = (...tools: ToolEvent[]) => {
  const edits = new Edits();
  const events: AgentEvent[] = [
    { type: "text", text: "hi" },
    ...tools.map((tool) => ({ type: "tool", tool }) as const),
  ];
  for (const event of events) edits.take(event);
  return edits.left.Edits;
};

describe("the edits of a step (H54)", () => {
  it("are those of calls that ended well, whenever they told them (I1)", () => {
    expect(
      editsOf(
        { call: "1", content: [diff("/a", "one\ntwo\n", "one\n2\n3\n")] },
        { call: "1", status: "completed" },
        { call: "2", content: [diff("/b", null, "x")], status: "failed" },
        { call: "3", content: [diff("/c", null, "x\n")] },
      ),
    ).toEqual([{ Path: "/a", New: false, Added: 2, Removed: 1 }]);
  });
  it("of one file are one line; what was new at first is new (I1)", () => {
    expect(
      editsOf(
        { call: "1", content: [diff("/a", null, "one\n")], status: "completed" },
        { call: "2", content: [diff("/a", "one\n", "")], status: "completed" },
      ),
    ).toEqual([{ Path: "/a", New: true, Added: 1, Removed: 1 }]);
  });
});

describe("a session by its name (H52)", () => {
  const state = (turn: number, Conversation: string, agent = "id") => ({
    ...{ Output: "", Stderr: "", ExitCode: 0, Status: "completed" as const, Conversation },
    Session: { name: "talk", agent, turn },
  });
  const step = agentNode("go", { session: "talk" });
  it("continues the turn that was last, in any order of states (I1)", () => {
    const states = { b: state(2, "c2"), a: state(3, "c3"), c: state(1, "c1") };
    expect(namedSession(step, states, "id")).toEqual({
      conversation: "c3",
      left: { Session: { name: "talk", agent: "id", turn: 4 } },
    });
  });
  it("is another one for another agent, and none for an isolated step (I1, I2)", () => {
    expect(namedSession(step, { a: state(1, "c1", "other") }, "id").conversation).toBeNull();
    expect(namedSession(agentNode("go"), { a: state(1, "c1") }, "id")).toEqual({ conversation: null, left: {} });
  });
});
