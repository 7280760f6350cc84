/**
 * How a prompt is answered when its turn has ended.
 *
 * I1. What is explained ends with `end_turn`, with its code in `_meta`: by the schema a client may drop a prompt that was
 *     refused, and the words with it. Only where that is switched on does it end with `refusal`.
 * I2. `cancelled` answers a cancel, and nothing else; where that is switched on, a prompt that was not permitted too.
 * I3. A request that its client took back is answered with -32800.
 */
import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import { isDenied } from "../../projections/acp/order.ts";
import type { Switches } from "./profile.ts";
import type { TurnEnd } from "./session-view.ts";

type Ending = Pick<Switches, "refusals" | "deniedPrompt" | "failedPrompt">;

/** A turn's end as its client is told of it: a prompt that it did not permit ends as the profile says. */
export const endOf = (end: TurnEnd, switches: Ending): TurnEnd =>
  isDenied(end, switches) ? { ...end, stopReason: "cancelled" } : end;

/** `signal`: aborted when the client took the request back. Throws the error that the client gets instead. */
export function answerOf({ stopReason, error }: TurnEnd, switches: Ending, signal: AbortSignal): PromptResponse {
  const meta = error === null ? {} : { _meta: { "troupe/error": error } };
  if (stopReason === "cancelled" && signal.aborted) throw RequestError.requestCancelled();
  if (stopReason === "refusal") return { stopReason: switches.refusals ? "refusal" : "end_turn", ...meta };
  if (error !== null && stopReason === "end_turn" && switches.failedPrompt === "error")
    throw new RequestError(-32603, error.message, error);
  return { stopReason, ...meta };
}
