/**
 * `troupe ui`: a stack of views on a whole terminal, or, for screen readers, as plain lines.
 *
 * I1. The terminal is given back as it was, however the program ends.
 * I2. A paste is text: it ends no answer, and none of its characters is a key that does something.
 * I3. What was begun here runs in this process: who leaves while it runs is asked first.
 */
import type { Troupe } from "../../actors/troupe.ts";
import { troupeError } from "../../actors/troupe.ts";
import { count } from "../../projections/terminal/words.ts";
import { frameLines, ROWS_ABOVE, roomBeside, type UiPlace } from "../../projections/ui/frame.ts";
import type { Canvas, Io } from "../cli/io.ts";
import { Deeds } from "./deeds.ts";
import type { Painter } from "./painters.ts";
import { Runs } from "./runs.ts";
import type { KeyPress, UiStage, UiView } from "./view.ts";
import { HelpView } from "./views/help-view.ts";
import { RunsView } from "./views/runs-view.ts";

/** Of one turn of the wheel. */
const LINES_SCROLLED = 3;
const BELL = "\u0007";
/** Bytes of a text that a terminal takes into its clipboard. */
const MOST_COPIED = 74_000;

export class Ui implements UiStage {
  readonly #io: Pick<Io, "colours" | "now">;
  readonly #canvas: Canvas;
  readonly #painter: Painter;
  readonly #runs: Runs;
  readonly #list: RunsView;
  readonly #views: UiView[];
  readonly #over = Promise.withResolvers<void>();
  #notice = "";
  #isPasting = false;
  /** `leaves`: a second ctrl-c is its yes. */
  #asks: { question: string; act: () => Promise<void> | void; leaves?: true } | null = null;
  /** Runs of this process. */
  #carried = 0;

  constructor(troupe: Troupe, io: Pick<Io, "colours" | "now" | "cwd" | "env">, canvas: Canvas, painter: Painter) {
    this.#io = io;
    this.#canvas = canvas;
    this.#painter = painter;
    const failed = (error: unknown): void => this.doing(Promise.reject(error));
    const rings = (): void => canvas.write(BELL);
    this.#runs = new Runs({ troupe, canvas, changed: (what) => this.#changed(what), rings, failed });
    this.#list = new RunsView(this.#runs, this, new Deeds(troupe, this.#runs, this, io));
    this.#views = [this.#list];
  }

  /** Resolves when it is left. */
  async live(): Promise<void> {
    this.redraw();
    this.doing(this.#runs.load());
    await this.#over.promise.finally(() => this.#runs.close());
  }
  press(key: KeyPress): void {
    if (key === "paste-start" || key === "paste-end") {
      this.#isPasting = key === "paste-start";
      return;
    }
    this.#notice = "";
    // Nothing announces that a process has died.
    this.#runs.soon();
    if (this.#isPasting) this.#paste(key);
    else if (this.#asks !== null) this.#answered(key === "y" || (key === "ctrl-c" && this.#asks.leaves === true));
    else if (key === "ctrl-c") this.#leave();
    else if (key === "ctrl-l") return this.#painter.anew();
    else if (key === "wheelup" || key === "wheeldown") this.#scroll(key === "wheelup" ? "up" : "down");
    else if (key.startsWith("click-")) this.#view?.point?.(Number(key.slice("click-".length)) - 1 - ROWS_ABOVE);
    else if (!(this.#view?.press(key) ?? false)) this.#own(key);
    this.redraw();
    this.#painter.now();
  }

  /** At once, whatever runs. */
  end(): void {
    this.#over.resolve();
  }

  open(view: UiView): void {
    this.#views.push(view);
    this.redraw();
  }
  back(): void {
    this.#views.pop()?.close?.();
    if (this.#views.length === 0) this.#over.resolve();
    this.redraw();
  }
  say(text: string): void {
    this.#notice = text;
    this.redraw();
  }
  confirm(question: string, act: () => Promise<void> | void): void {
    this.#asks = { question, act };
    this.redraw();
  }
  doing(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      const { code, message } = troupeError(error);
      this.say(`${message} [${code}]`);
    });
  }
  carrying(done: Promise<unknown>): void {
    this.#carried += 1;
    this.doing(
      done.finally(() => {
        this.#carried -= 1;
      }),
    );
  }
  choose(run: string): void {
    this.#list.choose(run);
  }
  copy(text: string): void {
    const bytes = Buffer.from(text);
    const copied = bytes.subarray(Math.max(0, bytes.length - MOST_COPIED));
    this.#canvas.write(`\u001b]52;c;${copied.toString("base64")}\u0007`);
    this.say(copied.length < bytes.length ? "its end is in the clipboard" : "it is in the clipboard");
  }
  redraw(): void {
    this.#painter.show((place) => this.#lines({ ...place, colours: this.#io.colours }));
  }

  #changed(what: "text" | "news"): void {
    if (what === "news" || this.#view?.showsText === true) this.redraw();
  }
  get #view(): UiView | undefined {
    return this.#views.at(-1);
  }
  #lines(place: UiPlace): readonly string[] {
    const view = this.#view;
    if (view === undefined) return [];
    const notice = this.#asks === null ? this.#notice : `${this.#asks.question} y/n`;
    const body = view.lines({ ...place, height: roomBeside(notice, place) });
    return frameLines({ title: view.title(), right: view.right(), body, keys: view.keys, notice }, place);
  }
  /** I2. */
  #paste(key: KeyPress): void {
    const pasted = this.#asks === null ? this.#view?.pasted : undefined;
    if (pasted === undefined) {
      this.#notice = "there is nothing to paste into here";
      return;
    }
    const text = key === "enter" ? (pasted === "lines" ? "\n" : " ") : key === "tab" ? "    " : key;
    if (text !== key || [...key].length === 1) for (const one of text) this.#view?.press(one);
  }
  #scroll(key: "up" | "down"): void {
    const view = this.#view;
    // What is below a view that is left is not scrolled.
    for (let line = 0; line < LINES_SCROLLED && this.#view === view; line++) view?.press(key);
  }
  /** Keys that mean the same everywhere. */
  #own(key: KeyPress): void {
    if (key === "?") this.open(new HelpView(this.#view?.keys ?? [], this));
    else if (key !== "q" && key !== "escape") return;
    else if (this.#views.length > 1) this.back();
    else if (key === "q") this.#leave();
  }
  #leave(): void {
    if (this.#carried === 0) return this.#over.resolve();
    const question = `${count(this.#carried, "run")} of this window would be cancelled: leave?`;
    this.#asks = { question, act: () => this.#over.resolve(), leaves: true };
  }
  #answered(isYes: boolean): void {
    const act = this.#asks?.act;
    this.#asks = null;
    if (isYes && act !== undefined) this.doing(Promise.resolve(act()));
  }
}
