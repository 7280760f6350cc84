/**
 * What `initialize` answers. It depends on nothing but the program's version and what its user configured, so it can
 * be given before anything else is loaded; the SDK's handler gives the same.
 */
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import type { Message } from "./framer.ts";
import { OFFER, type Offer } from "./offer.ts";

/** The one version of the protocol that is offer; whatever is asked for, this is the answer (C3). */
export const VERSION = 1;
const MAX_VERSION = 65_535;

const NAMED = ["list", "resume", "close", "delete"] as const;

/** Only what is served is named. */
export function initializeResult(version: string, offer: Offer = OFFER): InitializeResponse {
  const { auth, fork, switches, without } = offer;
  const logout = auth.methods.length === 0 ? {} : { logout: {} };
  const legacy = switches.legacyFields ? { authCapabilities: logout } : {};
  return {
    protocolVersion: VERSION,
    agentInfo: { name: "troupe", title: "Troupe", version },
    agentCapabilities: {
      loadSession: !without.includes("session/load"),
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        ...Object.fromEntries(NAMED.filter((name) => !without.includes(`session/${name}`)).map((name) => [name, {}])),
        additionalDirectories: {},
        ...(fork ? { fork: {} } : {}),
      },
      ...(auth.methods.length === 0 ? {} : { auth: logout }),
      _meta: {
        "troupe/cursor": true,
        "troupe/methods": ["_troupe/session/export", "_troupe/session/stop", "_troupe/tell"],
      },
      ...legacy,
    },
    authMethods: auth.methods.map(({ id, name, description }) => ({
      id,
      name,
      ...(description === undefined ? {} : { description }),
    })),
  };
}

export type PlainInitialize = Message & { id: string | number };

/**
 * True for an `initialize` that the SDK is sure to accept: its schema demands the version alone and replaces every
 * other field that it cannot read by a default. All others are left to the SDK, whose errors they get.
 */
export function isPlainInitialize(message: Message, { switches }: Offer = OFFER): message is PlainInitialize {
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "initialize" || Object.hasOwn(message, "result")) return false;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (typeof params !== "object" || params === null || Array.isArray(params)) return false;
  const version: unknown = Object.hasOwn(params, "protocolVersion") ? (params as Message)["protocolVersion"] : null;
  if (switches.versionMismatch === "refuse") return version === VERSION;
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= MAX_VERSION;
}
