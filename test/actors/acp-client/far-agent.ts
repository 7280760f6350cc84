/** An agent at the far end of a connection, and what it says; a folder and a clock anew for each test of the file that takes them from here. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentApp, agent, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach } from "vitest";
import { connectOnce, type SingleClient, type SingleOptions } from "../../../actors/acp-client/single.ts";
import { channelPair, type Pair } from "../../support/channel.ts";
import { ManualClock } from "../../support/manual-clock.ts";

export const info = { name: "test", version: "1" };
export const text = (said: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: said },
});
export let cwd: string;
export let clock: ManualClock;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-single-")));
  clock = new ManualClock();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** An agent that answers the first words; a test adds what it is about. */
export const app = (capabilities: object = {}): AgentApp =>
  agent({ name: "far" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: capabilities }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }));

/** A client that has said the first words to the agent, and the pair of channels between them. */
export async function connected(
  far: AgentApp,
  o: Partial<SingleOptions> = {},
): Promise<{ client: SingleClient; pair: Pair }> {
  const pair = channelPair();
  far.connect(pair.far);
  return { pair, client: await connectOnce(pair.channel, { info, clock, ...o }) };
}

/** The text of an update that is words of the agent, else nothing. */
export function saidIn(update: SessionUpdate): string {
  return update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "";
}
