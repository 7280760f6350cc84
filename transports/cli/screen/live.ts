/**
 * A screen that lives below what a command writes: drawn when something changed, at most so often, and each second for
 * the time that passes. Questions are asked in its place.
 *
 * I1. Whatever is written through its `io` stands above it, whole, in the order in which it was written.
 * I2. While a question is asked nothing is drawn. What is written then is written around the line that is typed.
 * I3. Before anything is written the terminal is measured: what was drawn stands as wide as the terminal is now.
 */
import type { Around, Canvas, Io } from "../io.ts";
import { Region } from "./region.ts";

/** Milliseconds between two drawings. */
const OFTEN_MS = 80;
const SECOND_MS = 1_000;
/** The last column stays free: a terminal that has filled it is between two lines. */
const FREE = 1;

const BARE: Around = (write) => write();

export type View = (place: { width: number; height: number; now: number }) => readonly string[];

export class Live {
  /** Writes above the screen, and asks in its place. */
  readonly io: Io;
  readonly #canvas: Canvas;
  readonly #now: () => number;
  readonly #region: Region;
  readonly #undo: (() => void)[];
  #view: View | null = null;
  #above = "";
  #questions = 0;
  #around: Around = BARE;
  #due: { at: number; cancel: () => void } | null = null;
  #isOver = false;

  constructor(io: Io, canvas: Canvas) {
    this.#canvas = canvas;
    this.#now = io.now;
    this.#region = new Region(canvas);
    this.#undo = [canvas.onChange(() => this.#draw()), canvas.onLeave(() => this.#region.leave())];
    this.io = {
      ...io,
      out: (text) => this.above(text),
      err: (text) => {
        this.#around(() => {
          this.#clear();
          io.err(text);
        });
        this.#soon(OFTEN_MS);
      },
      readLine: async (signal, options) => {
        this.#questions += 1;
        this.#clear();
        try {
          const shown = (around: Around): void => {
            this.#around = around;
          };
          return await io.readLine(signal, { hidden: false, ...options, shown });
        } finally {
          this.#questions -= 1;
          this.#around = BARE;
          this.#soon(OFTEN_MS);
        }
      },
    };
  }

  /** Something changed. */
  show(view: View): void {
    this.#view = view;
    this.#soon(OFTEN_MS);
  }
  /** Draws what changed at once: a key was pressed. */
  now(): void {
    this.#draw();
  }
  /** Draws everything: the terminal shows nothing any more of what was drawn. */
  anew(): void {
    this.#region.leave();
    this.#draw();
  }
  /** Text that stays; whole lines. */
  above(text: string): void {
    if (text === "") return;
    this.#above += text;
    if (this.#isOver || this.#view === null) this.#clear();
    else this.#soon(OFTEN_MS);
  }
  /** The screen goes; what was written above it stays. Idempotent. */
  end(): void {
    this.#isOver = true;
    this.#due?.cancel();
    this.#clear();
    for (const undo of this.#undo.splice(0)) undo();
  }

  #clear(): void {
    this.#canvas.measure();
    const above = this.#above;
    this.#above = "";
    this.#region.erase(above);
  }
  #soon(ms: number): void {
    if (this.#isOver) return;
    const at = this.#now() + ms;
    if (this.#due !== null && this.#due.at <= at) return;
    this.#due?.cancel();
    this.#due = { at, cancel: this.#canvas.later(ms, () => this.#draw()) };
  }
  #draw(): void {
    this.#due?.cancel();
    this.#due = null;
    if (this.#isOver || this.#view === null) return;
    this.#canvas.measure();
    if (this.#questions > 0) return this.#above === "" ? undefined : this.#around(() => this.#clear());
    const [width, height] = [this.#canvas.columns() - FREE, this.#canvas.rows() - 1];
    const lines = this.#view({ width, height, now: this.#now() });
    const above = this.#above;
    this.#above = "";
    this.#region.draw(above, lines);
    this.#soon(SECOND_MS);
  }
}
