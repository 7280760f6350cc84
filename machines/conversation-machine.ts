/**
 * A person's conversation with one agent, while it is open in one process: which prompt is sent and when, and whether
 * the agent can be reached. Live only: an ordinary actor, never stored; what was said is kept as frames. H27–H29, H50.
 *
 * I1. One prompt runs at a time; at most MAX_WAITING others wait, in their order, and each can be taken back.
 * I2. A waiting prompt is sent by itself only after a prompt that has ended by itself. After a cancel, a fault or a
 *     loss it is sent when the person says so.
 * I3. A prompt whose agent was lost is over, with an unknown end, and never sent again.
 * I4. A conversation that cannot continue sends nothing: it can be viewed, and a new one can begin with its summary.
 */
import { assign, emit, enqueueActions, setup } from "xstate";

export const MAX_WAITING = 16;

export type ConversationInput =
  | { type: "session.opened" }
  /** `canRetry`: another try may do. */
  | { type: "session.failed"; canRetry: boolean }
  | { type: "prompt.given"; prompt: string }
  | { type: "prompt.dropped"; prompt: string }
  | { type: "queue.released" }
  | { type: "cancel.requested" }
  /** `well`: it has ended by itself, and as it should. */
  | { type: "turn.ended"; well: boolean }
  | { type: "agent.lost" };
type Refusal = "16 prompts wait already" | "it can only be viewed";
export type ConversationFact =
  | { type: "session.due" }
  | { type: "prompt.due"; prompt: string }
  | { type: "cancel.due" }
  | { type: "prompt.refused"; prompt: string; why: Refusal };
type Context = { waiting: readonly string[]; running: string | null };

const ENQUEUED = [
  {
    description: "The person has said something to the agent.",
    guard: "is there room?",
    actions: { type: "let it wait", params: ({ event }: { event: { prompt: string } }) => event },
  },
  {
    actions: {
      type: "refuse it",
      params: ({ event }: { event: { prompt: string } }) => ({ ...event, why: "16 prompts wait already" as const }),
    },
  },
] as const;
const [WAITS, REFUSED] = ENQUEUED;

export const conversationMachine = setup({
  types: {} as { context: Context; events: ConversationInput; emitted: ConversationFact },
  guards: {
    "is there room?": ({ context }) => context.waiting.length < MAX_WAITING,
    "does one wait?": ({ context }) => context.waiting.length > 0,
    "has it ended well?": (_, { well }: { well: boolean }) => well,
    "may another try do?": (_, { canRetry }: { canRetry: boolean }) => canRetry,
  },
  actions: {
    "let it wait": assign(({ context }, { prompt }: { prompt: string }) => ({ waiting: [...context.waiting, prompt] })),
    "take it back": assign(({ context }, { prompt }: { prompt: string }) => ({
      waiting: context.waiting.filter((one) => one !== prompt),
    })),
    "send the first": enqueueActions(({ context: { waiting }, enqueue }) => {
      const [prompt, ...rest] = waiting;
      if (prompt === undefined) return;
      enqueue.assign({ waiting: rest, running: prompt });
      enqueue.emit({ type: "prompt.due", prompt });
    }),
    "have none running": assign({ running: null }),
    "ask for a session": emit({ type: "session.due" }),
    "ask to cancel": emit({ type: "cancel.due" }),
    "refuse it": emit((_, { prompt, why }: { prompt: string; why: Refusal }) => ({
      type: "prompt.refused" as const,
      prompt,
      why,
    })),
  },
}).createMachine({
  id: "conversation",
  context: { waiting: [], running: null },
  initial: "opening",
  on: {
    "prompt.dropped": {
      description: "A prompt that waits is taken back.",
      actions: { type: "take it back", params: ({ event }) => event },
    },
  },
  states: {
    opening: {
      description: "The agent is started, and its session begun or continued.",
      tags: "works",
      entry: "ask for a session",
      on: {
        "prompt.given": ENQUEUED,
        "session.opened": { description: "The agent takes prompts.", target: "open" },
        "session.failed": [
          {
            description: "The agent has no session for it.",
            guard: { type: "may another try do?", params: ({ event }) => event },
            target: "lost",
          },
          { target: "view only" },
        ],
        "agent.lost": "lost",
      },
    },
    open: {
      description: "The agent has the session.",
      initial: "choosing",
      on: { "agent.lost": { description: "Its process or connection is gone.", target: "lost" } },
      states: {
        choosing: {
          description: "Does a prompt wait?",
          always: [{ guard: "does one wait?", target: "working" }, { target: "idle" }],
        },
        idle: {
          description: "The next word is the person's.",
          on: {
            "prompt.given": [{ ...WAITS, target: "working" }, REFUSED],
            "queue.released": {
              description: "What waits is to be sent after all.",
              guard: "does one wait?",
              target: "working",
            },
          },
        },
        working: {
          description: "The agent works at a prompt.",
          tags: "works",
          entry: "send the first",
          exit: "have none running",
          initial: "going on",
          on: {
            "prompt.given": ENQUEUED,
            "turn.ended": [
              {
                description: "The agent has answered the prompt.",
                guard: { type: "has it ended well?", params: ({ event }) => event },
                target: "choosing",
              },
              { target: "idle" },
            ],
          },
          states: {
            "going on": {
              description: "It was not asked to stop.",
              on: {
                "cancel.requested": {
                  description: "The person wants it to stop.",
                  target: "cancelling",
                  actions: "ask to cancel",
                },
              },
            },
            cancelling: {
              description: "It was asked to stop, and its answer is awaited.",
              tags: "stops",
              on: { "turn.ended": "#conversation.open.idle" },
            },
          },
        },
      },
    },
    lost: {
      description: "No process has the session; the next prompt asks for one.",
      on: {
        "prompt.given": [{ ...WAITS, target: "opening" }, REFUSED],
        "queue.released": { guard: "does one wait?", target: "opening" },
      },
    },
    "view only": {
      description: "It cannot continue; what was said can be read.",
      on: {
        "prompt.given": {
          actions: {
            type: "refuse it",
            params: ({ event }) => ({ ...event, why: "it can only be viewed" as const }),
          },
        },
      },
    },
  },
});
