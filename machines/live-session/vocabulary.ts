/** The words of the live session: what it holds, hears and says, and what its chart calls things. */
import { assign, emit, enqueueActions, setup } from "xstate";

export type Ending = "cancel.requested" | "session.deserted";
/** `name`: the prompt's, in this process. `by`: the viewer who prompts; null where none does. */
export type LivePrompt = { name: string; by: string | null };
export type LiveEvent =
  | ({ type: "prompt.reserved" } & LivePrompt)
  /** Its turn begins. */
  | { type: "prompt.sent" }
  /** Its first rows are committed. */
  | { type: "prompt.durable" }
  /** It never began, or its log cannot be written. */
  | { type: "prompt.failed" }
  /** The turn's last row is committed. */
  | { type: "turn.ended" }
  /** Its client has the answer, gives the reservation back, or waits no more. */
  | { type: "prompt.answered"; name: string }
  | { type: "cancel.requested" }
  | { type: "session.deserted" }
  | { type: "viewer.came"; viewer: string }
  | { type: "viewer.left"; viewer: string; graceMs: number }
  /** Another process runs a turn, and asks there what it asks. */
  | { type: "turn.began elsewhere" }
  | { type: "question.asked"; question: string }
  | { type: "question.closed"; question: string }
  /** The session is another process's now. */
  | { type: "session.lost" };
export type LiveFact =
  /** It is not to be sent on any more. */
  | { type: "prompt.withdrawn"; name: string }
  /** The turn is to be ended now that it can be. */
  | { type: "end.due"; ending: Ending }
  | { type: "prompt.over"; name: string }
  /** Another viewer is asked from now on: what is open is to be asked anew. */
  | { type: "asked.changed" };
/** `no one`: no turn runs here. `next`: the next viewer to come. */
type Respondent = { is: "no one" } | { is: "next" } | { is: "viewer"; viewer: string };
type Context = {
  /** The one that keeps others out. `isAwaited`: a client waits for its answer. `ending`: how it is to end. */
  prompt: (LivePrompt & { isAwaited: boolean; ending: Ending | null }) | null;
  /** Those whose turn has ended, and whose client has not all of it yet. */
  answering: readonly LivePrompt[];
  /** In the order in which they came. */
  viewers: readonly string[];
  asked: Respondent;
  /** The turn was begun by one of them. */
  isTheirs: boolean;
  graceMs: number;
  questions: readonly string[];
};
type LiveTag = "keeps others out" | "has a turn" | "hears others";

type Left = { viewer: string; graceMs: number };

export const liveSession = setup({
  types: {} as { context: Context; events: LiveEvent; emitted: LiveFact; tags: LiveTag },
  delays: { grace: ({ context }) => context.graceMs },
  guards: {
    "owes its viewer no answer?": ({ context }, p: LivePrompt) =>
      p.by === null || context.answering.every(({ by }) => by !== p.by),
    "is this one?": ({ context }, p: { name: string }) => context.prompt?.name === p.name,
    "is its viewer?": ({ context }, p: { viewer: string }) => context.prompt?.by === p.viewer,
    "is to be ended?": ({ context }) => (context.prompt?.ending ?? null) !== null,
    "is no cancel noted?": ({ context }) => context.prompt?.ending !== "cancel.requested",
    "is the last one?": ({ context }, p: { viewer: string }) => context.viewers.every((one) => one === p.viewer),
    "lose no turn of theirs?": ({ context }, p: { viewer: string }) =>
      !context.isTheirs && context.viewers.every((one) => one === p.viewer),
    "is the last question?": ({ context }, p: { question: string }) =>
      context.questions.every((one) => one === p.question),
  },
  actions: {
    "keep the session for it": assign((_, { name, by }: LivePrompt) => ({
      prompt: { name, by, isAwaited: by !== null, ending: null },
    })),
    "take it back": emit(({ context }) => ({ type: "prompt.withdrawn" as const, name: context.prompt?.name ?? "" })),
    "note the ending": assign(({ context: { prompt } }, { ending }: { ending: Ending }) => ({
      prompt: prompt && { ...prompt, ending },
    })),
    "pass the ending on": emit(({ context }, p: { ending: Ending | null }) => ({
      type: "end.due" as const,
      ending: p.ending ?? context.prompt?.ending ?? ("cancel.requested" as const),
    })),
    "wait no more": assign(({ context: { prompt } }) => ({ prompt: prompt && { ...prompt, isAwaited: false } })),
    "let it go": enqueueActions(({ context: { prompt, answering }, enqueue }) => {
      if (prompt === null) return;
      const { name, by, isAwaited } = prompt;
      enqueue.assign({ prompt: null, ...(isAwaited ? { answering: [...answering, { name, by }] } : {}) });
      if (!isAwaited) enqueue.emit({ type: "prompt.over", name });
    }),
    "be over": enqueueActions(({ context: { prompt, answering }, enqueue }, { name }: { name: string }) => {
      enqueue.assign({
        prompt: prompt?.name === name ? null : prompt,
        answering: answering.filter((one) => one.name !== name),
      });
      enqueue.emit({ type: "prompt.over", name });
    }),
    "note the viewer": assign(({ context }, p: { viewer: string }) => ({ viewers: [...context.viewers, p.viewer] })),
    "forget the viewer": assign(({ context: { viewers, asked } }, { viewer, graceMs }: Left) => ({
      viewers: viewers.filter((one) => one !== viewer),
      graceMs,
      asked: asked.is === "viewer" && asked.viewer === viewer ? { is: "next" as const } : asked,
    })),
    "forget all viewers": assign(({ context }) => ({
      viewers: [],
      asked: context.prompt === null ? { is: "no one" as const } : { is: "next" as const },
      isTheirs: false,
    })),
    "ask who is next": enqueueActions(({ context, enqueue }) => {
      const viewer = context.viewers[0];
      if (context.asked.is !== "next" || viewer === undefined) return;
      enqueue.assign({ asked: { is: "viewer", viewer } });
      enqueue.emit({ type: "asked.changed" });
    }),
    "ask who prompts": assign(({ context: { prompt, viewers } }) => {
      const by = viewers.find((one) => one === prompt?.by);
      return {
        asked: by === undefined ? { is: "next" as const } : { is: "viewer" as const, viewer: by },
        isTheirs: by !== undefined,
      };
    }),
    "ask no one": assign({ asked: { is: "no one" }, isTheirs: false }),
    "note the question": assign(({ context }, p: { question: string }) => ({
      questions: [...context.questions.filter((one) => one !== p.question), p.question],
    })),
    "forget the question": assign(({ context }, p: { question: string }) => ({
      questions: context.questions.filter((one) => one !== p.question),
    })),
    "forget all questions": assign({ questions: [] }),
  },
});
