/**
 * The log of a run on its way to the terminal, with the questions that it asks.
 *
 * I1. Rows come out once and in order, whether the log brought them or they were fetched; one that is missing is an error.
 */
import { filter, finalize, map, type Observable, Subject, tap } from "rxjs";
import type { Exchange, Frame, Run } from "../../actors/troupe.ts";
import { actionsLines } from "../../projections/actions/lines.ts";
import { JobSummary } from "../../projections/actions/summary.ts";
import { budgetStop } from "../../projections/runs/budget-stop.ts";
import { secretInputs } from "../../projections/runs/secret-inputs.ts";
import { type FailedStep, RunFold } from "../../projections/runs/tree.ts";
import { aboveText, screened } from "../../projections/screen/above.ts";
import { liveLines } from "../../projections/screen/live-lines.ts";
import { inSeq } from "../../projections/shared/in-seq.ts";
import { FAILURE_LINES } from "../../projections/terminal/failure-lines.ts";
import { jsonLines } from "../../projections/terminal/json.ts";
import { terminalLines } from "../../projections/terminal/lines.ts";
import type { CommandContext } from "./io.ts";
import type { Output } from "./options.ts";
import type { Live } from "./screen/live.ts";
import { asker } from "./terminal-asker.ts";

const ROWS_PER_PAGE = 512;

export interface Watched {
  /** Resolves when the run's last row was seen. */
  readonly ended: Promise<void>;
  /** Rejects when the log cannot be shown to its end: `SYSTEM.LOG.OUT_OF_ORDER`. */
  readonly broken: Promise<never>;
  /** Whether a question was shown here, with the words before it. */
  hasShown(question: string): boolean;
  /** Calls back when the question is answered, here or elsewhere. */
  onAnswer(question: string, act: () => void): void;
  /** Asks for no permission any more. */
  withdraw(): void;
  /** The steps that the run has failed of, as far as was seen. */
  failed(): FailedStep[];
  /** The secret inputs that the run was given. */
  secrets(): readonly string[];
  /** The limit that lets it go on, where it has stopped at one. */
  budget(): string | null;
  /** Shows what is committed and was not brought yet. */
  catchUp(): void;
  end(): void;
}

/** `keeps`: a later command finds the run. `live`: what happens is drawn there. */
type Seen = { after: number; keeps: boolean; elsewhere: boolean; output: Output; live: Live | null };

/** Rows up to `after` inform the view and are not shown. */
export function watch(
  run: Run,
  { io, format }: CommandContext,
  { after, keeps, elsewhere, output, live }: Seen,
): Watched {
  const { session } = run;
  const frames = new Subject<readonly Frame[]>();
  const questions = asker(session, io, { keeps, elsewhere: elsewhere ? run.id : null });
  const asked = new Set<string>();
  const answered = new Map<string, () => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  // The lines of a text say themselves what failed.
  const fold = format === "json" ? new RunFold(run.id) : null;
  const secrets: string[] = [];
  let budget: string | null = null;
  let last = 0;
  const isNew = (frame: Frame): frame is Exchange => "seq" in frame && frame.seq > after;
  const shown = view(frames).pipe(filter((pieces) => pieces.length > 0));
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>();
  broken.catch(() => undefined); // the run's follower hears it
  shown.subscribe({ next: (pieces) => io.out(pieces.join("")), error: breakOff });
  const push = (batch: readonly Frame[]): void => {
    const fresh = batch.filter((frame) => !("seq" in frame) || frame.seq > last);
    for (const frame of fresh) if ("seq" in frame) last = frame.seq;
    frames.next(fresh);
    for (const frame of fresh) {
      if (!("seq" in frame)) continue;
      fold?.see(frame);
      secrets.push(...secretInputs(frame, run.id));
      budget = budgetStop(frame, run.id, budget);
    }
    const rows = fresh.filter(isNew);
    questions.see(rows);
    for (const row of rows) note(row);
  };
  // The end of a log shows in the run's own end, or in its error.
  const following = session.log$().subscribe({ next: push, error: () => undefined });
  const catchUp = (): void => {
    for (;;) {
      const rows = session.rows(last, ROWS_PER_PAGE);
      if (rows.length === 0) return;
      push(rows);
    }
  };
  return {
    ended,
    broken,
    // Folded words have not been read.
    hasShown: (question) => output === "full" && asked.has(question),
    onAnswer: (question, act) => answered.set(question, act),
    withdraw: () => questions.withdraw(),
    secrets: () => secrets,
    budget: () => budget,
    failed: () => fold?.causes(FAILURE_LINES) ?? [],
    catchUp,
    end() {
      following.unsubscribe();
      questions.withdraw();
      catchUp();
      frames.complete();
    },
  };

  function note(row: Exchange): void {
    if (row.type === "input.required") asked.add(row.payload.input);
    if (row.type === "input.answered") answered.get(row.payload.input)?.();
    if (row.type === "run.completed" && row.run === run.id) end();
  }

  function view(frames$: Observable<readonly Frame[]>): Observable<string[]> {
    const { colours, columns } = io;
    const rows$ = frames$.pipe(inSeq(0));
    if (format === "text") {
      if (io.actions !== null) {
        const summary = new JobSummary(run.id);
        const options = { colours, columns, after, keeps, run: run.id, word: io.actions.word };
        return rows$.pipe(
          tap((batch) => {
            for (const frame of batch) summary.see(frame);
          }),
          actionsLines(options),
          finalize(() => io.actions?.summary(summary.text())),
        );
      }
      if (output === "full") return rows$.pipe(terminalLines({ colours, columns, after, keeps }));
      const amount = output === "quiet" ? "end" : "steps";
      return rows$.pipe(
        screened({ run: run.id, after, keeps, colours, amount }),
        map(({ above, screen }) => {
          live?.show((place) => liveLines(screen, { ...place, colours }));
          return [aboveText(above, io.canvas?.columns() ?? columns)].filter((text) => text !== "");
        }),
      );
    }
    return rows$.pipe(
      map((batch) => batch.filter(isNew)),
      jsonLines(),
    );
  }
}
