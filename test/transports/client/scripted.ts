/** Connections that follow a script, and the agent at their far end; a folder and a clock anew for each test of the file that takes them from here. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentApp, type AnyMessage, agent, methods } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach } from "vitest";
import { type ConnectOptions, connect, type OpenChannel } from "../../../transports/client/connect.ts";
import { channelPair, type Pair } from "../../support/channel.ts";
import { ManualClock } from "../../support/manual-clock.ts";

export const NONE = { pending: 0, timers: 0, sending: 0, waiting: 0 };
export let cwd: string;
export let clock: ManualClock;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-client-")));
  clock = new ManualClock();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

export type Script = { takes?: (message: AnyMessage) => Promise<void> | void; refuses?: boolean };
/** A factory of connections that follows a script; its last line is repeated. */
export function scripted(
  app: () => AgentApp,
  ...script: Script[]
): { open: OpenChannel; pairs: Pair[]; tries: () => number } {
  const pairs: Pair[] = [];
  let tries = 0;
  const open: OpenChannel = async () => {
    const line = script[Math.min(tries++, script.length - 1)] ?? {};
    if (line.refuses) throw new Error("nobody listens");
    const pair = channelPair(line);
    pairs.push(pair);
    app().connect(pair.far);
    return pair.channel;
  };
  return { open, pairs, tries: () => tries };
}
export const reconnect = { attempts: 3, baseMs: 100, maxMs: 1000 };
export const connected = (open: OpenChannel, more: Partial<ConnectOptions> = {}) =>
  connect({ open, clock, reconnect, random: () => 0, ...more } as ConnectOptions);

let sessions = 0;
export const bare = (capabilities: object = {}): AgentApp =>
  agent({ name: "far" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: capabilities }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: `s${++sessions}` }));
export const app = (capabilities: object = {}): AgentApp =>
  bare(capabilities).onRequest(methods.agent.session.list, () => ({ sessions: [] }));
export const never = (): Promise<never> => new Promise(() => undefined);
export const methodsOf = (pair: Pair | undefined): unknown[] =>
  (pair?.sent ?? []).map((message) => ("method" in message ? message.method : "answer"));
