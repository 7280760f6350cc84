/**
 * What steps said: an agent's words, a command's output, as the log has them.
 *
 * I1. A step that is tried again, done again in a loop, or asked to mend its answer, begins anew: its last attempt is
 *     what it said.
 * I2. Of longer words the last `MOST_WORDS` UTF-16 units are kept, with how many went before them, and of steps those that run, and one that has ended.
 */
import { type Frame, isLive, isText, type Row } from "../../machines/exchange.ts";
import { tailOf } from "./page.ts";

export const MOST_WORDS = 1024 * 1024;

/** `step`: its path. `omitted`: so many UTF-16 units before the text were not kept. */
export type Said = { step: string; text: string; omitted?: number };
type Speaking = { step: string; text: string; omitted: number; block: string };

/** The words of one step, or, where none is named, of the last one that ended and had said something. */
export class StepWords {
  readonly #only: string | null;
  readonly #speaking = new Map<string, Speaking>();
  #last: Said | null = null;
  constructor(step: string | null = null) {
    this.#only = step;
  }

  take(frames: readonly Frame[]): void {
    for (const frame of frames) {
      const { run = "", step = "" } = frame;
      if (isLive(frame) || (this.#only !== null && step !== this.#only)) continue;
      const key = `${run} ${step}`;
      if (frame.type === "step.started" || frame.type === "step.retrying" || isUnfit(frame)) this.#speaking.delete(key);
      else if (frame.type === "step.completed") this.#end(key);
      else if (isText(frame) && frame.type !== "message.thought" && frame.payload.call === undefined) {
        const { block, text } = frame.payload;
        const before = this.#speaking.get(key) ?? { step, block, text: "", omitted: 0 };
        const between = before.block === block || before.text === "" || before.text.endsWith("\n") ? "" : "\n";
        const whole = before.text + between + text;
        const kept = tailOf(whole, MOST_WORDS);
        this.#speaking.set(key, { step, block, text: kept, omitted: before.omitted + whole.length - kept.length });
      }
    }
  }

  /** Null: nothing was said. */
  get said(): Said | null {
    const open = [...this.#speaking.values()].at(-1);
    return this.#last ?? (open === undefined ? null : saidOf(open));
  }

  #end(key: string): void {
    const ended = this.#speaking.get(key);
    this.#speaking.delete(key);
    if (ended !== undefined) this.#last = saidOf(ended);
  }
}

/** The row before an attempt that mends an answer. */
const isUnfit = (row: Row): boolean =>
  row.type === "notice" && row.payload.code === "EXECUTION.STEP.INVALID_SHAPE" && row.step !== undefined;

const saidOf = ({ step, text, omitted }: Speaking): Said => ({ step, text, ...(omitted === 0 ? {} : { omitted }) });
