import { expect, test } from "vitest";
import type { Message } from "../../../transports/acp/framer.ts";
import { RequestGate } from "../../../transports/acp/request-gate.ts";

const request = (id: unknown, method: string): Message => ({ jsonrpc: "2.0", id, method });
const reasonOf = (gate: RequestGate, message: Message): unknown => {
  const verdict = gate.check(message);
  return verdict.pass ? "passed" : (verdict.answer?.error.data?.["reason"] ?? verdict.answer?.error.code ?? "dropped");
};

test("I1 an id is free again when its request is answered", () => {
  const gate = new RequestGate();
  expect(reasonOf(gate, request(1, "a"))).toBe("passed");
  expect(reasonOf(gate, request("1", "a"))).toBe("passed");
  expect(reasonOf(gate, request(1, "b"))).toBe("duplicate_id");
  gate.sent({ id: 1, result: {} });
  expect(reasonOf(gate, request(1, "b"))).toBe("passed");
});

test("I2 initialize may be tried again until it succeeds", () => {
  const gate = new RequestGate();
  expect(reasonOf(gate, request(1, "initialize"))).toBe("passed");
  expect(reasonOf(gate, request(2, "initialize"))).toBe("already_initialized");
  gate.sent({ id: 1 });
  expect(reasonOf(gate, request(3, "initialize"))).toBe("passed");
  gate.sent({ id: 3, result: {} });
  expect(reasonOf(gate, request(4, "initialize"))).toBe("already_initialized");
});

test("I3 a response passes once, and only to a request that was sent", () => {
  const gate = new RequestGate();
  gate.sent({ id: 7, method: "session/request_permission" });
  const response = { jsonrpc: "2.0", id: 7, result: {} };
  expect(reasonOf(gate, { jsonrpc: "2.0", id: "7", result: {} })).toBe("dropped");
  expect(reasonOf(gate, response)).toBe("passed");
  expect(reasonOf(gate, response)).toBe("dropped");
});
