/**
 * One run in the foreground: its log shown as it grows, its questions asked, a wish to stop turned into a cancel.
 *
 * I1. The first wish to stop cancels the run and waits for its end; the second ends the process at once.
 * I2. When it returns, every row that was committed has been shown, once.
 */
import { filter, map, type Observable, Subject } from "rxjs";
import type { Exchange, Frame } from "../../actors/troupe.ts";
import { type Run, troupeError } from "../../actors/troupe.ts";
import { jsonLines } from "../../projections/terminal/json.ts";
import { terminalLines } from "../../projections/terminal/lines.ts";
import { asker } from "./ask.ts";
import type { Context } from "./io.ts";
import { CANCELLED_EXIT, exitCodeOf } from "./outcome.ts";

const ROWS_PER_PAGE = 512;

/**
 * Starts a run and shows what comes after row `after`. Resolves with the exit code; rejects with the error of a run
 * that could not begin.
 */
export async function follow(context: Context, after: number, start: () => Promise<Run>): Promise<number> {
  const { io } = context;
  let stops = 0;
  let cancel: () => void = () => undefined;
  const unstop = io.onStop((why) => {
    // That nobody reads the output any more is found with every write: no second wish.
    if (stops > 0) return why === "closed" ? undefined : io.exitNow(CANCELLED_EXIT);
    stops += 1;
    if (why === "interrupt") io.err("\ntroupe: cancelling; once more stops at once\n");
    cancel();
  });
  try {
    const run = await start();
    const watched = watch(run, context, after);
    cancel = () => {
      watched.withdraw();
      void run.cancel();
    };
    if (stops > 0) cancel();
    return await run.done.then(exitCodeOf).finally(() => watched.end());
  } catch (error) {
    // Nothing was trusted, and nothing was run, because the user stopped it.
    if (stops > 0 && troupeError(error).code.startsWith("USER.TRUST.")) return CANCELLED_EXIT;
    throw error;
  } finally {
    unstop();
  }
}

function watch(run: Run, { io, format }: Context, after: number): { withdraw(): void; end(): void } {
  const { session } = run;
  const frames = new Subject<readonly Frame[]>();
  const questions = asker(session, io);
  let last = 0;
  const isNew = (frame: Frame): frame is Exchange => "seq" in frame && frame.seq > after;
  const shown = view(frames).pipe(filter((pieces) => pieces.length > 0));
  shown.subscribe((pieces) => io.out(pieces.join("")));
  const push = (batch: readonly Frame[]): void => {
    for (const frame of batch) if ("seq" in frame) last = frame.seq;
    frames.next(batch);
    questions.see(batch.filter(isNew));
  };
  const following = session.log$().subscribe(push);
  return {
    withdraw: () => questions.withdraw(),
    end() {
      following.unsubscribe();
      questions.withdraw();
      for (;;) {
        const rows = session.rows(last, ROWS_PER_PAGE);
        if (rows.length === 0) break;
        push(rows);
      }
      frames.complete();
    },
  };

  function view(frames$: Observable<readonly Frame[]>): Observable<string[]> {
    const { colours, columns } = io;
    if (format === "text") return terminalLines(frames$, { colours, columns, after });
    return jsonLines(frames$.pipe(map((batch) => batch.filter(isNew))));
  }
}
