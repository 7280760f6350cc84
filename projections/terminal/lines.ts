/**
 * What a person sees of a run in a terminal: one header, a line for each start and end, words as they come.
 *
 * I1. Everything that came from outside goes through `safe.ts`; the only control characters are newlines, tabs and,
 *     with `colours`, our own colours.
 * I2. Live chunks and rows together show every text once; rows alone show the same text.
 * I3. Rows of no run, such as the explanation of a refused prompt, are not shown: the command says it as its error.
 */
import { concat, defer, of } from "rxjs";
import type { Frame } from "../../machines/exchange.ts";
import { folding, type Projection } from "../shared/projection.ts";
import type { TerminalOptions } from "./options.ts";
import { RunLines } from "./run-lines.ts";

/** Pieces of text to write one after the other, a batch for each batch of frames. */
export const terminalLines =
  (options: TerminalOptions): Projection<string[]> =>
  (frames$) =>
    defer(() => {
      const lines = new RunLines(options);
      const shown$ = frames$.pipe(
        folding(
          () => lines,
          (_, frames: readonly Frame[]) => lines.show(frames),
        ),
      );
      return concat(
        shown$,
        defer(() => of(lines.end())),
      );
    });
