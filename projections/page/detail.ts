/**
 * What a step did, in the order in which it did it, up to one row: words, thoughts, tools with their results, output,
 * questions and answers, attempts.
 *
 * I1. Everything that people wrote, agents said or programs printed stays text here, as it came.
 * I2. What is too long to be shown is cut at its beginning, and it says how much was cut.
 * I3. A question that is asked again before it has an answer, as after a crash, is one question.
 */
import {
  type Block,
  type Exchange,
  isText,
  type Live,
  type Location,
  type RowOf,
  type TextPayload,
  type ToolKind,
  type ToolStatus,
} from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import type { StepHistory } from "./history.ts";
import type { PieceTime } from "./line-times.ts";
import { countUpTo, type RunMoment } from "./moment.ts";

/** UTF-16 units of one text that are shown. */
export const MOST_SHOWN = 65_536;

/** `cut`: how many UTF-16 units before it are left out; `cutLines`: how many ends of lines are in them. `times`: when its pieces came. */
export type ShownText = { text: string; cut: number; cutLines: number; times: readonly PieceTime[] };
export type ShownCall = {
  title: string;
  kind: ToolKind;
  status: ToolStatus;
  input: Json | undefined;
  output: Json | undefined;
  said: ShownText;
  content: readonly Block[];
  locations: readonly Location[];
};
type Asked = RowOf<"permission.requested">["payload"];
export type DetailItem = { seq: number; at: number } & (
  | { type: "said" | "thought"; words: ShownText }
  | { type: "output"; stream: "stdout" | "stderr"; words: ShownText }
  | { type: "tool"; call: ShownCall }
  | {
      type: "permission";
      asked: Asked;
      answer: RowOf<"permission.resolved">["payload"] | null;
      answeredAt: number | null;
    }
  | { type: "input"; id: string; prompt: string; answer: string | null; who: string | null; answeredAt: number | null }
  | { type: "retry"; attempt: number; delayMs: number; why: string }
  | { type: "notice"; severity: "info" | "warning" | "error"; message: string }
);

export function detailOf(step: StepHistory, moment: RunMoment): DetailItem[] {
  const folded = new Detail();
  for (const row of step.rows.slice(0, countUpTo(step.rows, moment.seq))) folded.see(row);
  const { seq, at } = moment;
  if (moment.isEnd) for (const { head, text } of step.live.values()) folded.say(head, text, { seq, at });
  return folded.items();
}

/** `of`: what it is a piece of the text of. */
type Said = { text: string; at: number; of: object };
type Piece = { texts: Said[]; item: DetailItem };
const NO_WORDS: ShownText = { text: "", cut: 0, cutLines: 0, times: [] };

class Detail {
  readonly #items: DetailItem[] = [];
  readonly #pieces = new Map<string, Piece>();
  readonly #calls = new Map<string, { item: ShownCall; texts: Said[] }>();
  readonly #questions = new Map<string, DetailItem & { type: "permission" | "input" }>();

  items(): DetailItem[] {
    for (const { texts, item } of this.#pieces.values()) if ("words" in item) item.words = wordsOf(texts);
    for (const { texts, item } of this.#calls.values()) item.said = wordsOf(texts);
    return this.#items;
  }

  see(row: Exchange): void {
    const { seq, at } = row;
    switch (row.type) {
      case "tool.call":
        return this.#begin(row);
      case "tool.result":
        return this.#change(row);
      case "permission.requested":
        return this.#ask(row.payload.permission, {
          ...{ seq, at, type: "permission", asked: row.payload, answer: null, answeredAt: null },
        });
      case "permission.resolved": {
        const { payload } = row;
        return this.#answer(payload.permission, { answer: payload, answeredAt: at });
      }
      case "input.required": {
        const { input: id, prompt } = row.payload;
        return this.#ask(id, { seq, at, type: "input", id, prompt, answer: null, who: null, answeredAt: null });
      }
      case "input.answered": {
        const { input, text: answer, who = null } = row.payload;
        return this.#answer(input, { answer, who, answeredAt: at });
      }
      case "step.retrying": {
        const { attempt, delayMs, reason } = row.payload;
        return this.#add({ seq, at, type: "retry", attempt, delayMs, why: reason.message });
      }
      case "notice":
        return this.#add({ seq, at, type: "notice", severity: row.payload.severity, message: row.payload.message });
      default:
        if (isText(row)) return this.say(row, row.payload.text, row);
        if (row.type === "tool.update") this.#change(row);
    }
  }

  say({ type, payload }: Pick<Live, "type" | "payload">, text: string, of: { seq: number; at: number }): void {
    const { block, call } = payload;
    const { seq, at } = of;
    const said: Said = { text, at, of };
    if (call !== undefined) return void this.#calls.get(call)?.texts.push(said);
    const known = this.#pieces.get(block);
    if (known !== undefined && payload.offset > 0) return void known.texts.push(said);
    if (known !== undefined && "words" in known.item) known.item.words = wordsOf(known.texts); // it begins anew
    const item: DetailItem = { seq, at, ...kindOf(type, payload), words: NO_WORDS };
    this.#pieces.set(`${block}`, { texts: [said], item });
    this.#add(item);
  }

  #add(item: DetailItem): void {
    this.#items.push(item);
  }
  /** I3. */
  #ask(id: string, item: DetailItem & { type: "permission" | "input" }): void {
    const known = this.#questions.get(id);
    if (known?.answer !== null) {
      this.#questions.set(id, item);
      this.#add(item);
    } else if (known.type === "permission" && item.type === "permission") known.asked = item.asked;
  }
  #answer(id: string, told: object): void {
    const item = this.#questions.get(id);
    if (item !== undefined) Object.assign(item, told);
  }
  #begin({ seq, at, payload }: Exchange<RowOf<"tool.call">>): void {
    const { title, kind, status, input, output, content = [], locations = [] } = payload;
    const call: ShownCall = { title, kind, status, input, output, said: NO_WORDS, content, locations };
    this.#calls.set(payload.call, { item: call, texts: [] });
    this.#add({ seq, at, type: "tool", call });
  }
  #change({ payload }: { payload: RowOf<"tool.update">["payload"] | RowOf<"tool.result">["payload"] }): void {
    if ("block" in payload) return;
    const { call: id, ...told } = payload;
    const known = this.#calls.get(id);
    if (known !== undefined)
      Object.assign(known.item, Object.fromEntries(Object.entries(told).filter(([, one]) => one !== undefined)));
  }
}

function kindOf(
  type: Live["type"],
  { stream }: TextPayload,
): { type: "said" } | { type: "thought" } | { type: "output"; stream: "stdout" | "stderr" } {
  if (type === "message.thought") return { type: "thought" };
  return type === "message.assistant" && stream === undefined
    ? { type: "said" }
    : { type: "output", stream: stream ?? "stdout" };
}

/** I2. Only what is shown is put together. */
function wordsOf(texts: readonly Said[]): ShownText {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const parts: Pick<Said, "text" | "at">[] = [];
  let held = 0;
  let cutLines = 0;
  for (const said of texts.toReversed()) {
    const { text, at } = said;
    const room = MOST_SHOWN - held;
    const shown = text.length <= room ? text : room === 0 ? "" : text.slice(-room);
    if (shown !== "") parts.push({ text: shown, at });
    if (shown !== text) cutLines += linesEnded(said) - endsIn(shown);
    held += shown.length;
  }
  let from = 0;
  const times = parts.reverse().map(({ text, at }) => {
    const time = { from, at };
    from += text.length;
    return time;
  });
  return { text: parts.map(({ text }) => text).join(""), cut: length - held, cutLines, times };
}

const endsIn = (text: string): number => {
  let ends = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends++;
  return ends;
};
/** Of rows of the log, which are shown again with each drawing. */
const counted = new WeakMap<object, number>();
function linesEnded({ text, of }: Said): number {
  const known = counted.get(of) ?? endsIn(text);
  counted.set(of, known);
  return known;
}
