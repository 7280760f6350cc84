/**
 * A run in the log of GitHub Actions: the lines of the terminal, a fold for each step of the run, an error for each step
 * that it failed of.
 *
 * I1. No text of a step is a command to the runner: between our own commands it takes none, until a word that only we know.
 * I2. Folds are not nested: a step that begins while another one is open stands in its fold.
 * I3. A fold ends with its step, or with the turn that leaves it open: what a run waits for is said outside.
 */
import { concat, defer, of } from "rxjs";
import { type Frame, isLive, type Row } from "../../machines/exchange.ts";
import { Failures } from "../runs/failures.ts";
import type { FailedStep } from "../runs/tree.ts";
import { folding, type Projection } from "../shared/projection.ts";
import type { TerminalOptions } from "../terminal/options.ts";
import { RunLines } from "../terminal/run-lines.ts";
import { safeLine } from "../terminal/safe.ts";

/** `word`: nothing that runs can guess it. `run`: whose steps have folds. */
export type ActionsOptions = TerminalOptions & { word: string; run: string };

/** Pieces of text to write one after the other, a batch for each batch of frames. */
export const actionsLines =
  (options: ActionsOptions): Projection<string[]> =>
  (frames$) =>
    defer(() => {
      const fold = new ActionsFold(options);
      const shown$ = frames$.pipe(
        folding(
          () => fold,
          (_, frames: readonly Frame[]) => fold.show(frames),
        ),
      );
      return concat(
        shown$,
        defer(() => of(fold.end())),
      );
    });

class ActionsFold {
  readonly #lines: RunLines;
  readonly #failures: Failures;
  readonly #options: ActionsOptions;
  /** The path of the step whose fold is open. */
  #open: string | null = null;
  #isFirst = true;
  #isLineOpen = false;
  constructor(options: ActionsOptions) {
    this.#options = options;
    this.#lines = new RunLines(options);
    this.#failures = new Failures(options.keeps ?? true);
  }

  show(frames: readonly Frame[]): string[] {
    const shown: string[] = this.#isFirst ? [`::stop-commands::${this.#options.word}\n`] : [];
    this.#isFirst = false;
    for (const frame of frames) {
      this.#failures.see(frame);
      const row = isLive(frame) || frame.seq <= (this.#options.after ?? 0) ? null : frame;
      if (row !== null && this.#begins(row)) shown.push(...this.#command(`::group::${data(safeLine(row.step ?? ""))}`));
      shown.push(...this.#said(this.#lines.show([frame])));
      if (row !== null && this.#ends(row)) shown.push(...this.#command("::endgroup::"));
      if (row !== null && this.#isOver(row)) shown.push(...this.#over());
    }
    return shown;
  }

  /** What comes after this command may command the runner again. */
  end(): string[] {
    const rest = this.#said(this.#lines.end());
    return this.#isFirst ? rest : [...rest, ...(this.#isLineOpen ? ["\n"] : []), `::${this.#options.word}::\n`];
  }

  #said(pieces: string[]): string[] {
    const last = pieces.findLast((piece) => piece !== "");
    if (last !== undefined) this.#isLineOpen = !last.endsWith("\n");
    return pieces;
  }

  #begins(row: Row): boolean {
    const { step = "" } = row;
    if (row.type !== "step.started" || row.run !== this.#options.run || this.#open !== null) return false;
    this.#open = step;
    return true;
  }
  #ends(row: Row): boolean {
    if (row.type === "turn.completed" && this.#open !== null) {
      this.#open = null;
      return true;
    }
    if (row.type !== "step.completed" || row.run !== this.#options.run || row.step !== this.#open) return false;
    this.#open = null;
    return true;
  }
  #isOver(row: Row): boolean {
    return row.type === "run.completed" && row.run === this.#options.run;
  }

  #over(): string[] {
    const open = this.#open === null ? [] : ["::endgroup::"];
    this.#open = null;
    const failed = this.#failures.ofTurn().failed?.steps ?? [];
    return [...open, ...failed.map(errorCommand)].flatMap((command) => this.#command(command));
  }
  /** One command of ours, and then none again (I1). */
  #command(text: string): string[] {
    const { word } = this.#options;
    const rest = this.#isLineOpen ? ["\n"] : [];
    this.#isLineOpen = false;
    return [...rest, `::${word}::\n`, `${text}\n`, `::stop-commands::${word}\n`];
  }
}

function errorCommand({ address, exitCode, error, stderr, stdout }: FailedStep): string {
  const why = error?.message ?? `exit code ${exitCode ?? 1}`;
  const lines = [why, ...(stderr.length > 0 ? stderr : stdout)].map(safeLine);
  return `::error title=${property(`${address} failed`)}::${data(lines.join("\n"))}`;
}

const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(safeLine(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
