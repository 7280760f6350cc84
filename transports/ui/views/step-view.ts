/** What one step says, from its beginning on, and what comes: its words as Markdown, its tools, its output. */
import { filter, map, type Subscription } from "rxjs";
import type { Frame, RunLog } from "../../../actors/troupe.ts";
import { Downtime } from "../../../projections/runs/downtime.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { inSeq } from "../../../projections/shared/in-seq.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { uncoloured, wrap } from "../../../projections/terminal/width.ts";
import { foundIn } from "../../../projections/ui/found.ts";
import { type KeyHint, MARK, type UiPlace } from "../../../projections/ui/frame.ts";
import { markdownLines } from "../../../projections/ui/markdown.ts";
import { EditedText } from "../edited.ts";
import type { UiStage, UiView } from "../view.ts";

/** UTF-16 units of what is shown. */
const MOST_HELD = 1_000_000;

export class StepView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["↑↓", "scroll"],
    ["/", "find"],
    ["n", "next"],
    ["N", "one before"],
    ["y", "copy"],
    ["q", "back"],
    ["?", "help"],
  ];
  readonly #address: string;
  readonly #stage: UiStage;
  readonly #reading: Subscription;
  readonly #fold: RunFold;
  readonly #down = new Downtime();
  #text = "";
  #wrapped: { width: number; length: number; lines: readonly string[] } | null = null;
  /** The first line that is shown; null stays at the end. */
  #top: number | null = null;
  #height = 1;
  #search: { words: EditedText; isTyping: boolean } | null = null;

  constructor(log: RunLog, address: string, stage: UiStage) {
    this.#address = address;
    this.#stage = stage;
    this.#fold = new RunFold(log.record.id);
    const after = log.record.firstSeq - 1;
    this.#reading = log
      .log$({ after })
      .pipe(
        inSeq(after),
        map((frames) => frames.flatMap((frame) => this.#meant(frame))),
        filter((frames) => frames.length > 0),
        terminalLines({ colours: false, columns: null, bright: true }),
      )
      .subscribe({
        next: (pieces) => {
          this.#text = (this.#text + pieces.join("")).slice(-MOST_HELD);
          this.#wrapped = null;
          stage.redraw();
        },
        error: (error: unknown) => stage.doing(Promise.reject(error)),
      });
  }

  get pasted(): "line" | undefined {
    return this.#search?.isTyping === true ? "line" : undefined;
  }
  title(): string {
    if (this.#search === null) return safeLine(this.#address);
    const { words, isTyping } = this.#search;
    return `${safeLine(this.#address)} /${words.sides.join(isTyping ? MARK : "")}`;
  }
  right(): readonly string[] {
    return this.#top === null ? [] : [`line ${this.#top + 1} of ${this.#lines.length}`];
  }
  lines({ width, height, colours }: UiPlace): readonly string[] {
    this.#height = height;
    if (this.#wrapped?.width !== width) {
      const lines = wrap(this.#text.trimEnd(), Math.max(1, width));
      this.#wrapped = { width, length: this.#text.length, lines: markdownLines(lines, colours) };
    }
    const top = this.#top ?? Math.max(0, this.#lines.length - height);
    const words = this.#search?.words.text ?? "";
    return this.#lines.slice(top, top + height).map((line) => foundIn(line, words, colours));
  }
  press(key: string): boolean {
    if (this.#search?.isTyping === true) return this.#type(key, this.#search.words);
    const last = Math.max(0, this.#lines.length - this.#height);
    const top = this.#top ?? last;
    const moves: { readonly [key: string]: number } = {
      ...{ up: top - 1, k: top - 1, down: top + 1, j: top + 1, home: 0, g: 0, end: last, G: last },
      ...{ pageup: top - this.#height, pagedown: top + this.#height, " ": top + this.#height },
    };
    const to = moves[key];
    if (to !== undefined) {
      this.#top = to >= last ? null : Math.max(0, to);
      return true;
    }
    switch (key) {
      case "/":
        this.#search = { words: new EditedText(), isTyping: true };
        return true;
      case "n":
        this.#find(top + 1, 1);
        return true;
      case "N":
        this.#find(top - 1, -1);
        return true;
      case "y":
        this.#stage.copy(this.#text);
        return true;
      default:
        return false;
    }
  }
  close(): void {
    this.#reading.unsubscribe();
  }

  get #lines(): readonly string[] {
    return this.#wrapped?.lines ?? [];
  }
  /** With its time as if nothing had stood still: the rows that say so are no rows of the step. */
  #meant(frame: Frame): Frame[] {
    if ("seq" in frame) this.#fold.see(frame);
    const worked = "seq" in frame ? this.#down.leftOut(frame) : frame;
    return this.#fold.nodeOf(frame)?.place.includes(this.#address) === true ? [worked] : [];
  }
  #type(key: string, words: EditedText): boolean {
    if (key === "escape") this.#search = null;
    else if (key === "enter") {
      this.#search = { words, isTyping: false };
      this.#find(0, 1);
    } else words.press(key);
    return true;
  }
  /** In the words that are seen, from a line on, down or up. */
  #find(from: number, by: 1 | -1): void {
    const words = this.#search?.words.text ?? "";
    if (words === "") return;
    const lines = this.#lines;
    const holds = (line = ""): boolean => uncoloured(line).toLowerCase().includes(words.toLowerCase());
    let at = from;
    while (at >= 0 && at < lines.length && !holds(lines[at])) at += by;
    if (at >= 0 && at < lines.length) this.#top = at;
    else if (from === 0 && by > 0) this.#stage.say(`no line has "${words}"`);
    else this.#stage.say(`"${words}" is not further ${by > 0 ? "down" : "up"}`);
  }
}
