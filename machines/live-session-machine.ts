/**
 * One session in one process, while it is attended, prompted or asks something there. Its regions live side by side:
 * the prompt that keeps others out, the viewers who attend, and the questions that were asked here. Live only: never
 * stored; the turn that a prompt causes is the `turn` machine.
 *
 * I1. A prompt keeps every other one of the session out until its turn has ended; from then on only those of its own
 *     client, until that has its answer.
 * I2. A cancel that comes before a prompt was sent on takes it back, and so does the leaving of its viewer: nothing is
 *     begun. One that comes before the prompt is durable is passed on when it is, once; a cancel counts more than the
 *     end of all attendance.
 * I3. A prompt that no client waits for, or no longer, is over with its turn.
 * I4. What a turn asks, it asks of the viewer who prompted it. When that one leaves, or no viewer has prompted it, what
 *     is open is asked anew of the viewer who has attended longest, or of the next to come.
 * I5. When the last viewer has left and none has come within the grace, the session is left alone, once. A turn that no
 *     viewer has begun is not theirs to lose.
 * I6. It knows who is asked, and that something is; what is asked is said by the questions' own machines.
 */
import { cancel, raise } from "xstate";
import { liveSession } from "./live-session/vocabulary.ts";

type About<Event> = { event: Event };
/** The turn has ended, or never began, or its log is lost. */
const FREE = { target: "free", actions: "let it go" } as const;
const ofPrompt = ({ event }: About<{ name: string }>): { name: string } => ({ name: event.name });
const GIVEN_BACK = {
  guard: { type: "is this one?", params: ofPrompt },
  target: "free",
  actions: { type: "be over", params: ofPrompt },
} as const;
const WAITS_NO_MORE = { guard: { type: "is this one?", params: ofPrompt }, actions: "wait no more" } as const;
const CAME = [
  { type: "note the viewer", params: ({ event }: About<{ viewer: string }>) => ({ viewer: event.viewer }) },
  "ask who is next",
] as const;

export const liveSessionMachine = liveSession.createMachine({
  id: "live session",
  context: () => ({
    prompt: null,
    answering: [],
    viewers: [],
    asked: { is: "no one" as const },
    isTheirs: false,
    graceMs: 0,
    questions: [],
  }),
  type: "parallel",
  states: {
    prompt: {
      description: "The prompt that keeps others out.",
      initial: "free",
      on: {
        "prompt.answered": {
          description: "A client has its answer, gives the reservation back, or waits no more.",
          actions: { type: "be over", params: ({ event }) => event },
        },
      },
      states: {
        free: {
          description: "The session takes a prompt.",
          on: {
            "prompt.reserved": {
              description: "A client is about to prompt.",
              guard: { type: "owes its viewer no answer?", params: ({ event }) => event },
              target: "reserved",
              actions: { type: "keep the session for it", params: ({ event }) => event },
            },
          },
        },
        reserved: {
          description: "The session is kept for it; what is missing may be asked of its client.",
          tags: ["keeps others out"],
          on: {
            "prompt.sent": { description: "It is sent on: its turn begins.", target: "starting" },
            "cancel.requested": {
              description: "What runs is to end.",
              target: "withdrawn",
              actions: "take it back",
            },
            "viewer.left": {
              guard: { type: "is its viewer?", params: ({ event }) => event },
              target: "withdrawn",
              actions: "take it back",
            },
            "prompt.answered": GIVEN_BACK,
          },
        },
        withdrawn: {
          description: "It is not sent on any more.",
          tags: ["keeps others out"],
          on: { "prompt.answered": GIVEN_BACK },
        },
        starting: {
          description: "It is on its way into the log.",
          tags: ["keeps others out", "has a turn"],
          on: {
            "cancel.requested": { actions: { type: "note the ending", params: { ending: "cancel.requested" } } },
            "session.deserted": {
              guard: "is no cancel noted?",
              actions: { type: "note the ending", params: { ending: "session.deserted" } },
            },
            "prompt.answered": WAITS_NO_MORE,
            "prompt.durable": [
              {
                description: "Its first rows are committed.",
                guard: "is to be ended?",
                target: "running",
                actions: { type: "pass the ending on", params: { ending: null } },
              },
              { target: "running" },
            ],
            "prompt.failed": FREE,
            "turn.ended": FREE,
          },
        },
        running: {
          description: "Its turn runs.",
          tags: ["keeps others out", "has a turn"],
          on: {
            "session.deserted": { actions: { type: "pass the ending on", params: { ending: "session.deserted" } } },
            "prompt.answered": WAITS_NO_MORE,
            "turn.ended": { description: "The turn's last row is committed.", ...FREE },
            "prompt.failed": { description: "It never began, or its log cannot be written.", ...FREE },
          },
        },
      },
    },
    viewers: {
      description: "Who attends, and who of them is asked.",
      initial: "unattended",
      states: {
        unattended: {
          description: "No viewer attends; the next to come is asked what a turn of this process asks.",
          on: {
            "viewer.came": { description: "A viewer comes.", target: "attended", actions: CAME },
            "prompt.sent": { actions: "ask who prompts" },
            "turn.ended": { actions: "ask no one" },
            "prompt.failed": { actions: "ask no one" },
          },
        },
        attended: {
          description: "Viewers attend.",
          tags: ["hears others"],
          on: {
            "viewer.came": { actions: CAME },
            "viewer.left": [
              {
                description: "A viewer leaves.",
                guard: { type: "lose no turn of theirs?", params: ({ event }) => event },
                target: "unattended",
                actions: "forget all viewers",
              },
              {
                guard: { type: "is the last one?", params: ({ event }) => event },
                target: "waiting",
                actions: { type: "forget the viewer", params: ({ event }) => event },
              },
              { actions: [{ type: "forget the viewer", params: ({ event }) => event }, "ask who is next"] },
            ],
            "prompt.sent": { actions: ["ask who prompts", "ask who is next"] },
            "turn.began elsewhere": { description: "A turn begins in another process.", actions: "ask no one" },
          },
        },
        waiting: {
          description: "The last viewer has left; within the grace one may come back.",
          tags: ["hears others"],
          entry: raise({ type: "session.deserted" }, { delay: "grace", id: "grace" }),
          exit: cancel("grace"),
          on: {
            "viewer.came": { target: "attended", actions: CAME },
            "session.deserted": {
              description: "No viewer has come within the grace.",
              target: "unattended",
              actions: "forget all viewers",
            },
            "prompt.sent": { target: "unattended", actions: "ask who prompts" },
          },
        },
      },
    },
    questions: {
      description: "The questions that this process has asked.",
      initial: "none",
      states: {
        none: {
          description: "None is open.",
          on: {
            "question.asked": {
              description: "A question is open.",
              target: "open",
              actions: { type: "note the question", params: ({ event }) => event },
            },
          },
        },
        open: {
          description: "One is open, or several: another process may answer them.",
          tags: ["hears others"],
          on: {
            "question.asked": { actions: { type: "note the question", params: ({ event }) => event } },
            "question.closed": [
              {
                description: "It is answered, or asked no more.",
                guard: { type: "is the last question?", params: ({ event }) => event },
                target: "none",
                actions: "forget all questions",
              },
              { actions: { type: "forget the question", params: ({ event }) => event } },
            ],
            "session.lost": {
              description: "The session is another process's now.",
              target: "none",
              actions: "forget all questions",
            },
          },
        },
      },
    },
  },
});
