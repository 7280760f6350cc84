/**
 * Those who attend one session in this process: connections of editors, programs, pages. It decides who of them is
 * asked, and what becomes of a turn when the last one has gone. Live only: an ordinary actor, never stored.
 *
 * I1. What a turn asks, it asks of the one who prompted it. When that one leaves, or nobody here has prompted it, open
 *     questions are asked anew of who has attended longest, or of who comes next.
 * I2. An answer counts when its question is open and was asked of who gives it, and it counts once.
 * I3. When the last one has left and nobody has come within the grace, the session is left alone, once. A turn that
 *     somebody else has begun is not theirs to lose.
 */
import { assign, emit, enqueueActions, setup } from "xstate";

/** `nobody`: another process runs the turn. `next`: whoever comes. */
type Respondent = { is: "nobody" } | { is: "next" } | { is: "viewer"; viewer: string };
export type AudienceEvent =
  | { type: "viewer.came"; viewer: string }
  | { type: "viewer.left"; viewer: string; graceMs: number }
  /** `by`: null where nobody of them has prompted it. */
  | { type: "turn.began"; by: string | null }
  /** Another process runs a turn, and asks there what it asks. */
  | { type: "turn.began elsewhere" }
  | { type: "question.opened"; permission: string }
  | { type: "question.closed"; permission: string }
  | { type: "answer.given"; viewer: string; permission: string };
export type ViewersFact =
  /** From now on what the session asks is asked of this one. */
  | { type: "asked.changed"; viewer: string | null }
  | { type: "question.reopened"; permission: string }
  | { type: "session.deserted" };
type Context = {
  /** In the order in which they came. */
  viewers: readonly string[];
  asked: Respondent;
  /** The turn was begun by one of them. */
  isTheirs: boolean;
  /** Open questions, oldest first. */
  open: readonly string[];
  graceMs: number;
};

export const viewersMachine = setup({
  types: {} as { context: Context; events: AudienceEvent; emitted: ViewersFact },
  delays: { grace: ({ context }) => context.graceMs },
  guards: {
    "is the last one?": ({ context }, p: { viewer: string }) => context.viewers.every((one) => one === p.viewer),
    "lose no turn of theirs?": ({ context }, p: { viewer: string }) =>
      !context.isTheirs && context.viewers.every((one) => one === p.viewer),
    "was asked?": ({ context: { asked, open } }, p: { viewer: string; permission: string }) =>
      asked.is === "viewer" && asked.viewer === p.viewer && open.includes(p.permission),
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
      enqueue.emit({ type: "asked.changed", viewer });
      for (const permission of context.open) enqueue.emit({ type: "question.reopened", permission });
    }),
    "ask who prompts": enqueueActions(({ enqueue }, p: { by: string | null }) => {
      enqueue.assign({
        asked: p.by === null ? { is: "next" } : { is: "viewer", viewer: p.by },
        isTheirs: p.by !== null,
      });
      if (p.by !== null) enqueue.emit({ type: "asked.changed", viewer: p.by });
    }),
    "ask nobody": enqueueActions(({ enqueue }) => {
      enqueue.assign({ asked: { is: "nobody" }, isTheirs: false });
      enqueue.emit({ type: "asked.changed", viewer: null });
    }),
    "note the question": assign(({ context }, p: { permission: string }) => ({
      open: [...context.open.filter((one) => one !== p.permission), p.permission],
    })),
    "forget the question": assign(({ context }, p: { permission: string }) => ({
      open: context.open.filter((one) => one !== p.permission),
    })),
    "leave the session alone": emit({ type: "session.deserted" }),
  },
}).createMachine({
  id: "viewers",
  context: { viewers: [], asked: { is: "nobody" }, isTheirs: true, open: [], graceMs: 0 },
  initial: "attended",
  on: {
    "question.opened": {
      description: "A person has to be asked.",
      actions: { type: "note the question", params: ({ event }) => ({ permission: event.permission }) },
    },
    "question.closed": {
      description: "A question has its answer, or needs none.",
      actions: { type: "forget the question", params: ({ event }) => ({ permission: event.permission }) },
    },
  },
  states: {
    attended: {
      description: "Somebody is there, or nobody has been yet.",
      on: {
        "viewer.came": {
          description: "Somebody attends from now on.",
          actions: [{ type: "note the viewer", params: ({ event }) => ({ viewer: event.viewer }) }, "ask who is next"],
        },
        "viewer.left": [
          {
            description: "Somebody attends no longer.",
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
        "answer.given": {
          description: "A viewer answers a question.",
          guard: {
            type: "was asked?",
            params: ({ event }) => ({ viewer: event.viewer, permission: event.permission }),
          },
          actions: { type: "forget the question", params: ({ event }) => ({ permission: event.permission }) },
        },
      },
    },
    waiting: {
      description: "The last one has left; within the grace somebody may come back.",
      after: { grace: { target: "gone", actions: "leave the session alone" } },
      on: {
        "viewer.came": {
          target: "attended",
          actions: [{ type: "note the viewer", params: ({ event }) => ({ viewer: event.viewer }) }, "ask who is next"],
        },
        "turn.began": "gone",
      },
    },
    gone: { description: "Nobody attends, and what became of the session is decided.", type: "final" },
  },
});
