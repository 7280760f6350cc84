/**
 * What a person says to a step while its agent works: kept here until the agent has it.
 *
 * I1. The words are in the log before the person hears that they were taken. They wait in the step's own snapshot until
 *     its agent has them: no crash loses or repeats them.
 * I2. An agent that listens gets them at once. For any other agent they follow the next prompt of the conversation:
 *     that of the next attempt, or of a turn of their own where the agent ends before.
 * I3. The log says so where the agent never got them.
 */
import type { StepInput } from "../contracts.ts";
import type { Guidance, Row } from "../exchange.ts";
import type { Told, WorkTold } from "../guidance.ts";
import type { Born } from "../model.ts";
import type { Judgement } from "./attempts.ts";

/** `listens`: its work takes in words now. `waiting`: not heard yet. `added`: belongs to the prompt of the turn under way. */
export type Guided = { listens: boolean; waiting: Told[]; added: string[] };
type Guidable = {
  birth: Born & StepInput;
  conversation: string | null;
  guidance?: Guided;
  judgement: Judgement;
};

/** More than this is not taken while none of it has reached the agent. */
export const MOST_TOLD = 32;
const SILENCE: Guided = { listens: false, waiting: [], added: [] };
const guidedOf = ({ guidance }: Pick<Guidable, "guidance">): Guided => guidance ?? SILENCE;

export const mayBeTold = (context: Guidable): boolean =>
  context.birth.node.type === "agent" && guidedOf(context).waiting.length < MOST_TOLD;

/** Words that are for work that runs, or for a prompt that is still to come. */
export type ToTell = { words: Told; for: "work" | "prompt" };

/** What is written of them, and what the work hears. */
export function wordsTaken(
  context: Guidable,
  { words: { tell, text }, for: whom }: ToTell,
): { row: Row; told: WorkTold | null } {
  const { run, step } = context.birth.origin;
  const reach = whom === "work" && guidedOf(context).listens ? "now" : "next turn";
  const payload = { tell, reach, blocks: [{ type: "text", text }] } satisfies Guidance;
  const told: WorkTold | null = whom === "work" ? { type: "work.told", tell, text } : null;
  return { row: { type: "message.user", run, step, payload }, told };
}

/** What becomes of words. `listens`: the work takes them in from now on. `repaired`: the agent is asked to mend its answer. `answered`: a person has said what comes next. */
export type GuidanceNews =
  | { type: "given"; words: Told }
  | { type: "listens" }
  | { type: "heard"; tell: string }
  | { type: "attempt begins" }
  | { type: "turn begins" }
  | { type: "repaired" }
  | { type: "answered" };

/** The fields of the step that change. `turn begins`: with what waits as its prompt. */
export function guiding(context: Guidable, news: GuidanceNews): { guidance?: Guided; said?: string } {
  const guided = guidedOf(context);
  const { waiting, added } = guided;
  switch (news.type) {
    case "given":
      return { guidance: { ...guided, waiting: [...waiting, { tell: news.words.tell, text: news.words.text }] } };
    case "listens":
      return { guidance: { ...guided, listens: true } };
    case "heard": {
      const rest = waiting.filter(({ tell }) => tell !== news.tell);
      // Without a conversation that has them, they belong to the prompt of a later attempt.
      const kept = context.conversation === null ? textsOf(waiting.filter((one) => !rest.includes(one))) : [];
      return { guidance: { ...guided, waiting: rest, added: [...added, ...kept] } };
    }
    case "attempt begins":
      if (context.guidance === undefined) return {};
      return { guidance: { listens: false, waiting: [], added: [...added, ...textsOf(waiting)] } };
    case "turn begins":
      return { guidance: SILENCE, said: textsOf(waiting).join("\n\n") };
    case "repaired":
      // Only where there is no conversation, the whole prompt is said again.
      if (context.conversation === null) return {};
      return guiding(context, { type: "answered" });
    case "answered":
      return context.guidance === undefined ? {} : { guidance: { ...guided, added: [] } };
    default:
      return news satisfies never;
  }
}
const textsOf = (told: readonly Told[]): string[] => told.map(({ text }) => text);

/** Whether a conversation has more words than its agent heard: it continues with those. */
export const isToldMore = (context: Guidable): boolean =>
  context.conversation !== null &&
  context.judgement.outcome.status === "completed" &&
  guidedOf(context).waiting.length > 0;

/** None where its agent heard all. */
export function unheard(context: Guidable): Row[] {
  const { origin, node } = context.birth;
  const { waiting } = guidedOf(context);
  if (waiting.length === 0) return [];
  const what = waiting.length === 1 ? "what it was told" : `${waiting.length} things that it was told`;
  const message = `the agent of step "${node.name}" ended before it got ${what}`;
  const { run, step } = origin;
  return [{ type: "notice", run, step, payload: { severity: "warning", message } }];
}
