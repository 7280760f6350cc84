import { expect, test } from "vitest";
import type { Message } from "../../../transports/acp/framer.ts";
import { initializeResult, isPlainInitialize } from "../../../transports/acp/initialize.ts";
import { faultOf } from "../../support/acp-schema.ts";

const request = (params: unknown, rest: object = {}): Message => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params,
  ...rest,
});

test.each<[string, boolean, Message]>([
  ["version 1", true, request({ protocolVersion: 1 })],
  ["a later version (C3)", true, request({ protocolVersion: 2 })],
  ["a text as id", true, request({ protocolVersion: 1 }, { id: "a" })],
  [
    "fields that the SDK replaces by defaults",
    true,
    request({ protocolVersion: 1, clientCapabilities: 7, clientInfo: [] }),
  ],
  ["no params", false, request(undefined)],
  ["params as a list", false, request([1])],
  ["no version", false, request({})],
  ["an inherited version", false, request(Object.create({ protocolVersion: 1 }))],
  ["a text as version", false, request({ protocolVersion: "1" })],
  ["a version beyond 16 bits", false, request({ protocolVersion: 65_536 })],
  ["a negative version", false, request({ protocolVersion: -1 })],
  ["half a version", false, request({ protocolVersion: 1.5 })],
  ["no id", false, { jsonrpc: "2.0", method: "initialize", params: { protocolVersion: 1 } }],
  ["null as id", false, request({ protocolVersion: 1 }, { id: null })],
  ["another method", false, request({ protocolVersion: 1 }, { method: "session/new" })],
  ["another JSON-RPC", false, request({ protocolVersion: 1 }, { jsonrpc: "1.0" })],
])("%s: %s", (_, expected, message) => {
  expect(isPlainInitialize(message)).toBe(expected);
});

test("the answer is the protocol's, and names only what is served", () => {
  const result = initializeResult("1.2.3");
  expect(faultOf("InitializeResponse", result)).toBeNull();
  expect(result).toEqual({
    protocolVersion: 1,
    agentInfo: { name: "troupe", title: "Troupe", version: "1.2.3" },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
      _meta: {
        "troupe/cursor": true,
        "troupe/methods": ["_troupe/session/export", "_troupe/session/stop", "_troupe/tell"],
      },
    },
    authMethods: [],
  });
});
