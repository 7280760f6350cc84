/**
 * One prompt in this process, from the reservation of its session to its answer: what keeps another one out, and what
 * becomes of a wish to end it. Live only: an ordinary actor, never stored; the turn that it causes is the `turn` machine.
 *
 * I1. A prompt keeps every other one of its session out until its turn has ended; from then on only those of its own
 *     client, until that has its answer.
 * I2. A wish to end it that comes before it was sent on takes it back: nothing is begun. One that comes before it is
 *     durable is passed on when it is, once; a cancel counts more than the end of all attendance.
 * I3. A prompt that no client waits for, or no longer, is over with its turn.
 */
import { assign, emit, setup } from "xstate";

export type PromptEnding = "cancel.requested" | "session.deserted";
export type PromptLifeEvent =
  /** Its turn begins. */
  | { type: "prompt.sent" }
  /** Its first rows are committed. */
  | { type: "prompt.durable" }
  /** It never began, or its log cannot be written. */
  | { type: "prompt.failed" }
  /** The turn's last row is committed. */
  | { type: "turn.ended" }
  /** Its client has the answer, gives the reservation back, or waits no more. */
  | { type: "prompt.answered" }
  | { type: "end.wanted"; ending: PromptEnding };
export type PromptFact =
  /** It is not to be sent on any more. */
  | { type: "prompt.withdrawn" }
  /** The turn is to be ended now that it can be. */
  | { type: "end.due"; ending: PromptEnding };
/** `keeps others out`: of its session, until its turn has ended. `has a turn`: it was sent on, and that has not ended. */
type PromptTag = "keeps others out" | "has a turn";
/** `isAwaited`: a client waits for its answer. */
type Input = { isAwaited: boolean };
type Context = Input & { ending: PromptEnding | null };

/** The turn has ended, or never began, or its log is lost. */
const OVER = [{ guard: "is awaited?", target: "answering" }, { target: "answered" }] as const;

export const promptMachine = setup({
  types: {} as { context: Context; input: Input; events: PromptLifeEvent; emitted: PromptFact; tags: PromptTag },
  guards: {
    "is to be ended?": ({ context }) => context.ending !== null,
    "is awaited?": ({ context }) => context.isAwaited,
    "counts more?": ({ context }, p: { ending: PromptEnding }) =>
      context.ending === null || p.ending === "cancel.requested",
  },
  actions: {
    "note the ending": assign((_, p: { ending: PromptEnding }) => p),
    "wait no more": assign({ isAwaited: false }),
    "take it back": emit({ type: "prompt.withdrawn" }),
    "pass the ending on": emit(({ context }) => ({
      type: "end.due" as const,
      ending: context.ending ?? ("cancel.requested" as const),
    })),
  },
}).createMachine({
  id: "prompt",
  context: ({ input }) => ({ ...input, ending: null }),
  initial: "reserved",
  states: {
    reserved: {
      description: "The session is kept for it; what is missing may be asked of its client.",
      tags: ["keeps others out"],
      on: {
        "prompt.sent": { description: "It is sent on: its turn begins.", target: "starting" },
        "end.wanted": {
          description: "A cancel, or its client has gone.",
          target: "withdrawn",
          actions: "take it back",
        },
        "prompt.answered": { description: "Its client has the answer, or gives it back.", target: "answered" },
      },
    },
    withdrawn: {
      description: "It is not sent on any more.",
      tags: ["keeps others out"],
      on: { "prompt.answered": "answered" },
    },
    starting: {
      description: "It is on its way into the log.",
      tags: ["keeps others out", "has a turn"],
      on: {
        "end.wanted": {
          guard: { type: "counts more?", params: ({ event }) => ({ ending: event.ending }) },
          actions: { type: "note the ending", params: ({ event }) => ({ ending: event.ending }) },
        },
        "prompt.answered": { description: "Its client has gone.", actions: "wait no more" },
        "prompt.durable": [
          {
            description: "Its first rows are committed.",
            guard: "is to be ended?",
            target: "running",
            actions: "pass the ending on",
          },
          { target: "running" },
        ],
        "prompt.failed": OVER,
        "turn.ended": OVER,
      },
    },
    running: {
      description: "Its turn runs.",
      tags: ["keeps others out", "has a turn"],
      on: {
        "prompt.answered": { description: "Its client has gone.", actions: "wait no more" },
        "turn.ended": [{ description: "The turn's last row is committed.", ...OVER[0] }, OVER[1]],
        "prompt.failed": [{ description: "It never began, or its log cannot be written.", ...OVER[0] }, OVER[1]],
      },
    },
    answering: {
      description: "Its turn has ended, and its client has not all of it yet.",
      on: { "prompt.answered": "answered" },
    },
    answered: { description: "It is over.", type: "final" },
  },
});
