/** Methods: those that are there, ours among them, and those that nobody offers. */
import { AGENT_METHODS } from "@agentclientprotocol/sdk";
import { expect } from "vitest";
import { scenario } from "../scenario.ts";
import type { Answer } from "../wire.ts";

const codeOf = ({ error }: Answer): number | undefined => error?.code;
const AUTH = { auth: { methods: [{ id: "key", name: "A key" }], required: true } };

/** Methods beyond those of the protocol. */
const LISTED = ["session/export", "session/stop", "session/set_model", "session/fork"];
const OURS = ["_troupe/session/export", "_troupe/session/stop", "_troupe/tell"];
/** The protocol's methods, from the SDK's schema; `session/cancel` is no request. */
const OFFICIAL = Object.values(AGENT_METHODS).filter((method) => method !== AGENT_METHODS.session_cancel);
const UNKNOWN = ["session/pause", "session/message", "session/rename", "initialized", "shutdown", "_troupe/anything"];

scenario("S62", async (stage) => {
  const wire = await stage.wire({ config: { fork: true, auth: AUTH.auth }, own: true });
  const served = async (method: string): Promise<boolean> => codeOf(await wire.request(method, {})) !== -32601;
  const found: string[] = [];
  for (const method of [...OFFICIAL, ...LISTED, ...OURS, ...UNKNOWN]) if (await served(method)) found.push(method);
  expect(found).toEqual([...OFFICIAL, ...LISTED, ...OURS]);
  wire.say(`of the protocol: ${OFFICIAL.join(", ")}`);
  wire.say(`beyond it: ${[...LISTED, ...OURS].join(", ")}`);
  wire.say(`-32601: ${UNKNOWN.join(", ")}`);
});
