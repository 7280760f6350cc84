/**
 * What a parked run waits for: read from its session's stored state and log, where no secret stands.
 *
 * I1. A question is open while its session's machine says so; a question whose step was cancelled is not.
 * I2. The log is read from its end, and no further back than the oldest open question and the words before it.
 */
import { type Exchange, isText, type RowOf } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Permission, Question } from "../api/records.ts";
import type { Host } from "../host/host.ts";
import { checkedText } from "./call-forms.ts";
import { closedQuestion } from "./refuse.ts";

type Asked = Pick<Host, "questions" | "backwards">;
/** Of longer words the end is kept, in UTF-16 units. */
const MAX_WORDS = 4_096;

/** The open questions of a session, oldest first: the next plain prompt answers the first of them. */
export function openQuestions(host: Asked, session: Key): Question[] {
  const keys = host.questions.inputs(session);
  if (keys.length === 0) return [];
  const open = new Map<string, { asked: Exchange<RowOf<"input.required">>; words: Words }>();
  for (const row of host.backwards(session)) {
    for (const { words } of open.values()) words.see(row);
    if (row.type === "input.required" && keys.includes(row.payload.input))
      open.set(row.payload.input, { asked: row, words: new Words(row) });
    if (open.size === keys.length && [...open.values()].every(({ words }) => words.isWhole)) break;
  }
  return keys.flatMap((input) => {
    const found = open.get(input);
    if (found === undefined) return [];
    const { run = "", step = "", payload } = found.asked;
    const form = payload.form === undefined ? {} : { form: payload.form };
    return [{ input, run, step, prompt: payload.prompt, said: found.words.text, ...form }];
  });
}

/** White space alone is no answer. Throws USER.FACADE.INVALID_REQUEST. */
export const answerText = (text: string): string => (checkedText("text", text).trim() === "" ? "" : text);

/** Throws where the question is not open: it was answered, or never asked. */
export function refuseClosed(host: Host, session: Key, question: string): void {
  const open = openQuestions(host, session);
  if (open.some(({ input }) => input === question)) return;
  throw closedQuestion(question, host.questions.isAnswered(session, question), open);
}

/** The open permissions of a session, oldest first, as they were put last. */
export function openPermissions(host: Asked, session: Key): Permission[] {
  const keys = host.questions.permissions(session);
  const open = new Map<string, Permission>();
  if (keys.length === 0) return [];
  for (const row of host.backwards(session)) {
    if (row.type !== "permission.requested" || !keys.includes(row.payload.permission)) continue;
    const { run = "", step = "", payload } = row;
    if (!open.has(payload.permission)) open.set(payload.permission, { run, step, ...payload });
    if (open.size === keys.length) break;
  }
  return [...open.values()].reverse();
}

/** Asks anew what is open: the one who was asked has gone. */
export function askAnew(host: Asked & Pick<Host, "send">, session: Key): void {
  for (const { permission } of openPermissions(host, session))
    host.send(`permission/${permission}`, { type: "asker.changed" }).catch(() => undefined);
}

/** Whether the turn that was started last has asked anything. */
export function hasAsked(host: Asked, session: Key): boolean {
  for (const { type } of host.backwards(session)) {
    if (type === "input.required") return true;
    if (type === "turn.started") return false;
  }
  return false;
}

/** Whether the last question of the session's latest run was answered. */
export function lastAnswer(host: Asked, session: Key): boolean {
  for (const row of host.backwards(session)) {
    if (row.type === "input.answered") return true;
    if (row.type === "input.required" || (row.type === "run.started" && row.parentRun === undefined)) return false;
  }
  return false;
}

/** The words that a step said last before it asked, put together from the end. */
class Words {
  text = "";
  isWhole: boolean;
  readonly #asked: Exchange;
  #block: string | null = null;
  constructor(asked: Exchange<RowOf<"input.required">>) {
    this.#asked = asked;
    // A question that says itself what it wants needs no words before it.
    this.isWhole = asked.payload.prompt !== "";
  }

  see(row: Exchange): void {
    if (this.isWhole || row.run !== this.#asked.run || row.step !== this.#asked.step) return;
    if (row.type === "message.assistant" && isText(row)) {
      this.#block ??= row.payload.block;
      if (row.payload.block === this.#block) {
        this.text = (row.payload.text + this.text).slice(-MAX_WORDS);
        this.isWhole = row.payload.offset === 0 || this.text.length === MAX_WORDS;
        return;
      }
    }
    if (this.#block !== null || row.type === "step.started" || row.type === "input.answered") this.isWhole = true;
  }
}
