/**
 * What a client hears of its prompt beside what the log shows. `acp` is plain; each switch of a profile is a decorator
 * around it, so that the way of a prompt has no branch for a profile.
 *
 * I1. What is explained ends with `end_turn`, with its code in `_meta`: by the schema a client may drop a prompt that was
 *     refused, and the words with it. Only where that is switched on does it end with `refusal`.
 * I2. `cancelled` answers a cancel, and nothing else; where that is switched on, a prompt that was not permitted too.
 * I3. A request that its client took back is answered with -32800.
 * I4. A run that waits for an answer ends its turn as one that has ended does: `_meta` says it in the word of
 *     `session/list`.
 */
import { type PromptResponse, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk";
import { isDenied } from "../../projections/acp/order.ts";
import { type View, withdrawnUpdate } from "../../projections/acp/view.ts";
import type { Switches } from "./profile.ts";
import type { TurnEnd } from "./session-view.ts";

export interface Manner {
  /** What is shown before everything else of a turn. `commands`: what the session's directory offers. */
  first(commands: () => Promise<SessionUpdate>): Promise<View[]>;
  /** What is shown of a prompt that was taken back before it was sent on. */
  readonly withdrawn: readonly SessionUpdate[];
  /** A turn's end as its client gets it. */
  end(end: TurnEnd): TurnEnd;
  /** How the prompt is answered. Throws the error that the client gets instead. */
  answer(end: TurnEnd): PromptResponse;
}

/** What went wrong, what its run has failed of, and whether it waits (I4), for a program. */
function metaOf({ error, failed, stopReason, goesOn }: TurnEnd): { _meta?: { [name: string]: unknown } } {
  const isParked = goesOn === true && error === null && stopReason === "end_turn";
  const meta = {
    ...(isParked ? { "troupe/state": "parked" } : {}),
    ...(error === null ? {} : { "troupe/error": error }),
    ...(failed === undefined ? {} : { "troupe/failed": failed }),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

const PLAIN: Manner = {
  first: async () => [],
  withdrawn: [withdrawnUpdate()],
  end: (end) => end,
  answer: (end) => ({ stopReason: end.stopReason === "refusal" ? "end_turn" : end.stopReason, ...metaOf(end) }),
};

type Decorator = (manner: Manner, switches: Switches) => Manner;

const commandsFirst: Decorator = (manner, { updateOrder }) =>
  updateOrder === "by kind" ? { ...manner, first: async (commands) => [{ update: await commands() }] } : manner;
const silentCancel: Decorator = (manner, { updatesOnCancel }) =>
  updatesOnCancel === "none" ? { ...manner, withdrawn: [] } : manner;
const deniedIsCancelled: Decorator = (manner, switches) =>
  switches.deniedPrompt === "cancelled"
    ? {
        ...manner,
        end: (end) => (isDenied(end, switches) ? { ...manner.end(end), stopReason: "cancelled" } : manner.end(end)),
      }
    : manner;
const failureIsError: Decorator = (manner, { failedPrompt }) =>
  failedPrompt === "error"
    ? {
        ...manner,
        answer: (end) => {
          const { error, stopReason } = end;
          if (error !== null && stopReason === "end_turn") throw new RequestError(-32603, error.message, error);
          return manner.answer(end);
        },
      }
    : manner;
const refusalIsSaid: Decorator = (manner, { refusals }) =>
  refusals
    ? {
        ...manner,
        answer: (end) =>
          end.stopReason === "refusal" ? { stopReason: "refusal", ...metaOf(end) } : manner.answer(end),
      }
    : manner;

/** The manner of a profile, switch by switch. */
export const mannerOf = (switches: Switches): Manner =>
  [commandsFirst, silentCancel, deniedIsCancelled, failureIsError, refusalIsSaid].reduce<Manner>(
    (manner, decorate) => decorate(manner, switches),
    PLAIN,
  );

/** The answer to a prompt. `signal`: aborted when the client took the request back (I3). */
export function answerOf(end: TurnEnd, manner: Manner, signal: AbortSignal): PromptResponse {
  if (end.stopReason === "cancelled" && signal.aborted) throw RequestError.requestCancelled();
  return manner.answer(end);
}
