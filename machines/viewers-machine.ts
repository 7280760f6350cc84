/**
 * The viewers of one session in this process: connections of editors, programs, pages. It decides which of them is
 * asked, and what becomes of a turn when the last one has left. Live only: an ordinary actor, never stored.
 *
 * I1. What a turn asks, it asks of the one who prompted it. When that one leaves, or no viewer has prompted it, what is
 *     open is asked anew of the viewer who has attended longest, or of the next to come.
 * I2. It knows who is asked, and not what: which questions are open is said by their own machines.
 * I3. When the last viewer has left and none has come within the grace, the session is left alone, once. A turn that
 *     no viewer has begun is not theirs to lose.
 */
import { assign, emit, enqueueActions, setup } from "xstate";

/** `nobody`: another process runs the turn. `next`: the next to come. */
type Respondent = { is: "nobody" } | { is: "next" } | { is: "viewer"; viewer: string };
export type AudienceEvent =
  | { type: "viewer.came"; viewer: string }
  | { type: "viewer.left"; viewer: string; graceMs: number }
  /** `by`: null where no viewer has prompted it. */
  | { type: "turn.began"; by: string | null }
  /** Another process runs a turn, and asks there what it asks. */
  | { type: "turn.began elsewhere" };
export type ViewersFact =
  /** Another viewer is asked from now on: what is open is to be asked anew. */
  { type: "asked.changed" } | { type: "session.deserted" };
type Context = {
  /** In the order in which they came. */
  viewers: readonly string[];
  asked: Respondent;
  /** The turn was begun by one of them. */
  isTheirs: boolean;
  graceMs: number;
};

export const viewersMachine = setup({
  types: {} as { context: Context; events: AudienceEvent; emitted: ViewersFact },
  delays: { grace: ({ context }) => context.graceMs },
  guards: {
    "is the last one?": ({ context }, p: { viewer: string }) => context.viewers.every((one) => one === p.viewer),
    "lose no turn of theirs?": ({ context }, p: { viewer: string }) =>
      !context.isTheirs && context.viewers.every((one) => one === p.viewer),
  },
  actions: {
    "note the viewer": assign(({ context }, p: { viewer: string }) => ({ viewers: [...context.viewers, p.viewer] })),
    "forget the viewer": assign(({ context }, p: { viewer: string; graceMs: number }) => ({
      viewers: context.viewers.filter((one) => one !== p.viewer),
      graceMs: p.graceMs,
      asked:
        context.asked.is === "viewer" && context.asked.viewer === p.viewer ? { is: "next" as const } : context.asked,
    })),
    "ask who is next": enqueueActions(({ context, enqueue }) => {
      const viewer = context.viewers[0];
      if (context.asked.is !== "next" || viewer === undefined) return;
      enqueue.assign({ asked: { is: "viewer", viewer } });
      enqueue.emit({ type: "asked.changed" });
    }),
    "ask who prompts": assign((_, p: { by: string | null }) => ({
      asked: p.by === null ? { is: "next" as const } : { is: "viewer" as const, viewer: p.by },
      isTheirs: p.by !== null,
    })),
    "ask nobody": assign({ asked: { is: "nobody" }, isTheirs: false }),
    "leave the session alone": emit({ type: "session.deserted" }),
  },
}).createMachine({
  id: "viewers",
  context: { viewers: [], asked: { is: "nobody" }, isTheirs: true, graceMs: 0 },
  initial: "attended",
  states: {
    attended: {
      description: "A viewer attends, or none has come yet.",
      on: {
        "viewer.came": {
          description: "A viewer comes.",
          actions: [{ type: "note the viewer", params: ({ event }) => ({ viewer: event.viewer }) }, "ask who is next"],
        },
        "viewer.left": [
          {
            description: "A viewer leaves.",
            guard: { type: "lose no turn of theirs?", params: ({ event }) => ({ viewer: event.viewer }) },
            target: "gone",
          },
          {
            guard: { type: "is the last one?", params: ({ event }) => ({ viewer: event.viewer }) },
            target: "waiting",
            actions: { type: "forget the viewer", params: ({ event }) => event },
          },
          { actions: [{ type: "forget the viewer", params: ({ event }) => event }, "ask who is next"] },
        ],
        "turn.began": {
          description: "A turn begins in this process.",
          actions: [{ type: "ask who prompts", params: ({ event }) => ({ by: event.by }) }, "ask who is next"],
        },
        "turn.began elsewhere": { description: "A turn begins in another process.", actions: "ask nobody" },
      },
    },
    waiting: {
      description: "The last viewer has left; within the grace one may come back.",
      after: { grace: { target: "gone", actions: "leave the session alone" } },
      on: {
        "viewer.came": {
          target: "attended",
          actions: [{ type: "note the viewer", params: ({ event }) => ({ viewer: event.viewer }) }, "ask who is next"],
        },
        "turn.began": "gone",
      },
    },
    gone: { description: "No viewer is left, and what became of the session is decided.", type: "final" },
  },
});
