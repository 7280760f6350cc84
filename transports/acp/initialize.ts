/**
 * What `initialize` answers. It depends on nothing but the program's version, so it can be given before anything
 * else is loaded; the SDK's handler gives the same.
 */
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import type { Message } from "./framer.ts";

/** The one version of the protocol that is served; whatever is asked for, this is the answer (C3). */
const VERSION = 1;
const MAX_VERSION = 65_535;

/** Only what is served is named. */
export const initializeResult = (version: string): InitializeResponse => ({
  protocolVersion: VERSION,
  agentInfo: { name: "troupe", title: "Troupe", version },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: false, audio: false, embeddedContext: false },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  },
  authMethods: [],
});

export type PlainInitialize = Message & { id: string | number };

/**
 * True for an `initialize` that the SDK is sure to accept: its schema demands the version alone and replaces every
 * other field that it cannot read by a default. All others are left to the SDK, whose errors they get.
 */
export function isPlainInitialize(message: Message): message is PlainInitialize {
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "initialize" || Object.hasOwn(message, "result")) return false;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (typeof params !== "object" || params === null || Array.isArray(params)) return false;
  const version: unknown = Object.hasOwn(params, "protocolVersion") ? (params as Message)["protocolVersion"] : null;
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= MAX_VERSION;
}
