import { expect, test } from "vitest";
import { checked } from "../../../actors/acp-client/responses.ts";
import { faultOf } from "../../support/acp-schema.ts";

test.each<[string, string, unknown]>([
  ["initialize", "InitializeResponse", { protocolVersion: 1 }],
  [
    "initialize",
    "InitializeResponse",
    { protocolVersion: 1, authMethods: [], agentCapabilities: { loadSession: true } },
  ],
  ["session/new", "NewSessionResponse", { sessionId: "s" }],
  ["session/load", "LoadSessionResponse", {}],
  ["session/resume", "ResumeSessionResponse", { configOptions: [] }],
  ["session/list", "ListSessionsResponse", { sessions: [{ sessionId: "s", cwd: "/" }], nextCursor: null }],
  ["session/prompt", "PromptResponse", { stopReason: "refusal" }],
  ["session/set_config_option", "SetSessionConfigOptionResponse", { configOptions: [] }],
  ["session/set_mode", "SetSessionModeResponse", {}],
])("what the protocol allows is taken: %s", (method, definition, value) => {
  expect(faultOf(definition, value)).toBeNull();
  expect(checked(method, value)).toEqual(value);
});

test.each<[string, unknown, string]>([
  ["initialize", { protocolVersion: "1" }, "protocolVersion"],
  ["initialize", { protocolVersion: 1, agentCapabilities: { loadSession: "yes" } }, "agentCapabilities.loadSession"],
  ["initialize", null, "result"],
  ["session/new", {}, "sessionId"],
  ["session/new", { sessionId: "" }, "sessionId"],
  ["session/list", { sessions: [{ sessionId: "s" }] }, "sessions.0.cwd"],
  ["session/prompt", { stopReason: "banana" }, "stopReason"],
  ["session/prompt", {}, "stopReason"],
  ["session/set_config_option", {}, "configOptions"],
  ["session/close", "done", "result"],
])("what it does not allow is refused, with the field: %s %j (I1)", (method, value, field) => {
  expect(() => checked(method, value)).toThrow(
    expect.objectContaining({ type: "invalidResponse", details: { method, field } }),
  );
});

test("unknown fields stay, and a method without a result may be answered with null (I2)", () => {
  expect(checked("session/prompt", { stopReason: "end_turn", _meta: { a: 1 } })).toEqual({
    stopReason: "end_turn",
    _meta: { a: 1 },
  });
  expect(checked("session/set_mode", null)).toEqual({});
  expect(checked("_own/method", 7)).toBe(7);
});
