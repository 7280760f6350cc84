import { expect, test } from "vitest";
import { faultOf, faultsOf, type Sent } from "./acp-schema.ts";

const text = { type: "text", text: "x" };

test.each([
  ["a chunk", { sessionUpdate: "agent_message_chunk", content: text, messageId: "m" }, true],
  ["a chunk without content", { sessionUpdate: "agent_message_chunk" }, false],
  ["a card", { sessionUpdate: "tool_call", toolCallId: "a", title: "t", kind: "execute", status: "in_progress" }, true],
  ["a card of an unknown kind", { sessionUpdate: "tool_call", toolCallId: "a", title: "t", kind: "dance" }, false],
  ["a plan entry without priority", { sessionUpdate: "plan", entries: [{ content: "x", status: "pending" }] }, false],
  ["an unknown update", { sessionUpdate: "state_update", state: "idle" }, false],
])("judges %s", (_, update, isValid) => {
  expect(faultOf("SessionUpdate", update) === null).toBe(isValid);
});

test("judges a trace by the method that was asked", () => {
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const trace: Sent[] = [
    { from: "client", message: initialize },
    { from: "agent", message: { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } } },
  ];
  expect(faultsOf(trace)).toEqual([]);
  expect(faultsOf([trace[0] as Sent, { from: "agent", message: { jsonrpc: "2.0", id: 1, result: {} } }])).toHaveLength(
    1,
  );
  expect(faultsOf([{ from: "agent", message: { jsonrpc: "2.0", id: 1, result: {} } }])).toHaveLength(1);
  expect(faultsOf([{ from: "client", message: { jsonrpc: "2.0", id: 1, method: "session/dance" } }])).toHaveLength(1);
});
