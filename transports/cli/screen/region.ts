/**
 * The part of a terminal that is drawn anew, below everything else that was written.
 *
 * I1. Only lines that changed are written, all of them in one write: nothing flickers.
 * I2. While it is drawn the cursor is hidden and stands below it; `erase` and `leave` show it again.
 * I3. Where the terminal has become narrower nothing of before is left on it, but for what it has moved to its scrollback
 *     as it broke the lines; where it has become lower or higher all is drawn.
 */
import { widthOf } from "../../../projections/terminal/width.ts";
import type { Canvas } from "../io.ts";

const ESC = "\u001b[";
const [BEGIN, END] = [`${ESC}?2026h`, `${ESC}?2026l`];
const [HIDE, SHOW] = [`${ESC}?25l`, `${ESC}?25h`];
const CLEAR_BELOW = `${ESC}J`;
/** Before the new line: cleared behind it, tmux takes the row for as long as the old one, and breaks it when narrower. */
const CLEAR_LINE = `${ESC}2K`;
const up = (rows: number): string => (rows > 0 ? `${ESC}${rows}A\r` : "\r");

export class Region {
  readonly #canvas: Canvas;
  #lines: readonly string[] = [];
  #columns: number;
  #rows: number;
  #isHidden = false;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
    this.#columns = canvas.columns();
    this.#rows = canvas.rows();
  }

  /** Writes text that stays, and the lines below it. `above`: whole lines. Each line is narrower than the terminal. */
  draw(above: string, lines: readonly string[]): void {
    const isMoved = this.#columns !== this.#canvas.columns() || this.#rows !== this.#canvas.rows();
    if (above === "" && !isMoved && lines.length === this.#lines.length && this.#lines.every((l, i) => l === lines[i]))
      return;
    const text = above !== "" || isMoved ? this.#top() + CLEAR_BELOW + above + ended(lines) : this.#changed(lines);
    this.#measure();
    this.#lines = lines;
    this.#canvas.write(BEGIN + (this.#isHidden ? "" : HIDE) + text + END);
    this.#isHidden = true;
  }
  /** Nothing is drawn any more; the cursor stands where the region began. */
  erase(above = ""): void {
    const text = this.#lines.length > 0 ? this.#top() + CLEAR_BELOW : "";
    this.#lines = [];
    this.#measure();
    const whole = text + above + (this.#isHidden ? SHOW : "");
    this.#isHidden = false;
    if (whole !== "") this.#canvas.write(whole);
  }
  /** The process stops or ends: what is drawn stays. */
  leave(): void {
    if (this.#isHidden) this.#canvas.write(SHOW);
    this.#isHidden = false;
    this.#lines = [];
  }

  #measure(): void {
    this.#columns = this.#canvas.columns();
    this.#rows = this.#canvas.rows();
  }
  #changed(lines: readonly string[]): string {
    const old = this.#lines;
    const from = lines.findIndex((line, index) => line !== old[index]);
    const first = from < 0 ? lines.length : from;
    const rest = lines
      .slice(first)
      .map((line, index) => (line === old[first + index] ? "\r\n" : `${CLEAR_LINE}${line}\r\n`));
    return up(old.length - first) + rest.join("") + (old.length > lines.length ? CLEAR_BELOW : "");
  }
  /** To its first row, also where a narrower terminal has broken its lines (I3). */
  #top(): string {
    const columns = Math.max(1, this.#canvas.columns());
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    return up(Math.min(rows, this.#canvas.rows() - 1));
  }
}

const ended = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join("");
