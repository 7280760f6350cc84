/** Prompts that run, and what a wire has seen of them. */
import type { Answer, Wire } from "../wire.ts";

export const END_TURN = { result: { stopReason: "end_turn" } };
export const CANCELLED = { result: { stopReason: "cancelled" } };

/** Starts a prompt that runs until it is cancelled. */
export async function running(wire: Wire, session: string): Promise<{ id: unknown; answer: Promise<Answer> }> {
  const from = wire.trace.length;
  const answer = wire.prompt(session, "/asleep");
  const id = wire.trace[from]?.message["id"];
  await wire.sees(
    ({ message }) => JSON.stringify(message).includes("asleep now") && JSON.stringify(message).includes(session),
  );
  return { id, answer };
}
