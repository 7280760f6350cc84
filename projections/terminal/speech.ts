/**
 * Text blocks on the sheet: made safe, shown once, and whole lines only where several steps speak at once.
 *
 * I1. A step in a `parallel` is heard line by line, each line under its name; a line still open is shown at its end, or
 *     before what else the step does or says.
 * I2. So is a program: what it takes back before a line ends is not shown. A line that is too long to be held comes in
 *     parts, which stand in one line where nobody else speaks between them.
 */
import type { TextRow } from "../../machines/exchange.ts";
import { type LinePart, OutputLines } from "./output-lines.ts";
import { SafeText } from "./safe.ts";
import type { Sheet, Voice } from "./sheet.ts";
import { blockKey, Shown } from "./shown.ts";

/** `by`: what speaks, of which one speaks after the other; null for tools of an agent, which speak at once. */
type Block = {
  text: { running: SafeText } | { lines: OutputLines };
  step: string;
  by: string | null;
  voice: Voice;
  /** A part of its last line is shown. */
  isCut: boolean;
};

export class Speech {
  readonly #sheet: Sheet;
  readonly #shown = new Shown();
  readonly #blocks = new Map<string, Block>();

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
  }

  /** `whole`: only whole lines. `step` says at which step's end the block ends. */
  hear(
    row: TextRow,
    live: boolean,
    speaker: { step: string; margin: string; style: Voice["style"]; whole: boolean },
  ): void {
    const fresh = this.#shown.fresh(row, live);
    if (fresh === "") return;
    const key = blockKey(row);
    let block = this.#blocks.get(key);
    if (block === undefined) {
      const { step, margin, style, whole } = speaker;
      const byLine = whole || row.payload.stream !== undefined;
      const text = byLine ? { lines: new OutputLines() } : { running: new SafeText() };
      block = { text, step, by: speakerOf(row), voice: { speaker: key, margin, style }, isCut: false };
      this.#settle(({ step: of, by }) => of === step && follows(block?.by ?? null, by));
      this.#blocks.set(key, block);
    }
    if ("running" in block.text) return this.#sheet.say(block.voice, block.text.running.push(fresh));
    for (const piece of block.text.lines.pieces(fresh)) this.#piece(block, piece);
  }

  /** Something else of the step comes: what it has said stands before that. */
  settle(step: string): void {
    this.#settle((block) => block.step === step);
  }
  /** The step has ended, and its blocks with it. */
  end(step: string): void {
    this.#endAll((block) => block.step === step);
  }
  /** Nothing more comes. */
  finish(): void {
    this.#endAll(() => true);
  }

  #endAll(isMeant: (block: Block) => boolean): void {
    this.#settle(isMeant);
    for (const [key, block] of this.#blocks) if (isMeant(block)) this.#blocks.delete(key);
  }
  #settle(isMeant: (block: Block) => boolean): void {
    for (const block of this.#blocks.values()) {
      const open = "lines" in block.text && isMeant(block) ? block.text.lines.close() : "";
      if (open !== "" || (block.isCut && isMeant(block))) this.#piece(block, { text: open, ends: true });
    }
  }

  #piece(block: Block, { text, ends }: LinePart): void {
    if (ends && !block.isCut) return this.#line(block, text);
    block.isCut = !ends;
    if (text !== "") this.#sheet.say(block.voice, text);
    if (ends) this.#sheet.close();
  }
  #line({ voice: { margin, style } }: Block, line: string): void {
    this.#sheet.line(line === "" ? "" : margin + style(line));
  }
}

const WORDS = "words";
/** Both streams of a program speak at once, under one name. */
function speakerOf({ payload: { block, call, stream } }: TextRow): string | null {
  if (stream === undefined) return WORDS;
  return call === undefined ? block.slice(0, block.lastIndexOf(".")) : null;
}
/** Whether what a step has said by one speaker is over once the next one speaks. */
const follows = (next: string | null, by: string | null): boolean =>
  by === WORDS || (by !== null && ![null, by].includes(next));
