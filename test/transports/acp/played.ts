/** A client anew for each test of the file that takes it from here, and rows for the sessions that it plays. */
import { setImmediate as tick } from "node:timers/promises";
import { afterEach, beforeEach, expect } from "vitest";
import type { Row, TextRow } from "../../../machines/exchange.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import type { PlayedSession } from "./played-session.ts";
import { Client } from "./support.ts";

export const words = (offset: number, text: string): TextRow => ({
  type: "message.assistant",
  run: "r",
  step: "ask",
  payload: { block: "ask@1.0", offset, text },
});
export const ended = (stopReason: "end_turn" | "cancelled" = "end_turn", turn = "t"): Row => ({
  type: "turn.completed",
  payload: { turn, stopReason },
});
export const asked = (permission = "p"): Row => ({
  type: "permission.requested",
  payload: {
    permission,
    title: "Trust?",
    kind: "execute",
    message: "Read it.",
    options: [{ id: "trust", name: "Trust", kind: "allow_always" }],
  },
});

export let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(async () => {
  await client.hangUp();
  expect(faultsOf(client.trace, ["agent"])).toEqual([]);
});
/** A prompt that runs: the facade has taken it. */
export async function running(): Promise<{ session: PlayedSession; answer: Promise<{ [name: string]: unknown }> }> {
  const session = await client.ready();
  const { promise, resolve } = Promise.withResolvers<void>();
  session.onPrompt = async () => {
    resolve();
    return { turn: "t" };
  };
  const answer = client.prompt(1, "/demo");
  await promise;
  await tick();
  return { session, answer };
}
