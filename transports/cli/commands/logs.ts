/**
 * `troupe logs`: what a run said, read from its log: all of it, one step, those that failed, or what comes.
 *
 * I1. What is over is shown step by step, branches one after the other; what is followed comes as it came.
 * I2. `--raw` writes the texts as they were written; on a terminal, without what would steer it.
 * I3. How long something took leaves out when no process ran it. The rows that say so are no rows of the run: times are
 *     shifted before they are left out. A program gets rows as they are.
 */
import { filter, from, map, type Observable, Subject } from "rxjs";
import { type Exchange, type Frame, type RunLog, TroupeError } from "../../../actors/troupe.ts";
import { Downtime } from "../../../projections/runs/downtime.ts";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { grouped, type Selection, selects } from "../../../projections/runs/selection.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { inSeq } from "../../../projections/shared/in-seq.ts";
import { jsonLines } from "../../../projections/terminal/json.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { rawTexts } from "../../../projections/terminal/raw.ts";
import { usage } from "../failure.ts";
import type { CommandContext } from "../io.ts";
import { withTroupe } from "../with-troupe.ts";

export type LogsArguments = {
  run: string;
  step: string | null;
  failed: boolean;
  follow: boolean;
  raw: boolean;
  since: string | null;
};
const MOST_NAMED = 20;
const LONG_MS = 2 ** 30;

export const logs = (context: CommandContext, asked: LogsArguments): Promise<number> =>
  withTroupe(context.io, async (troupe) => {
    const { io } = context;
    if (asked.failed && asked.follow) throw usage("--failed looks at what is over: leave out --follow");
    const since = asked.since === null ? null : timeOf(asked.since, io.now());
    const selection = { step: asked.step, since, failed: asked.failed };
    const log = await troupe.log(await troupe.find(asked.run, { cwd: io.cwd }));
    const fold = new RunFold(log.record.id);
    if (asked.follow) return await follow(log, selection, fold, { ...context, raw: asked.raw });
    const down = new Downtime();
    const rows: { row: Exchange; worked: Exchange }[] = [];
    for (const row of runRows(log)) {
      fold.see(row);
      rows.push({ row, worked: down.leftOut(row) }); // I3
    }
    const { step } = selection;
    if (step !== null && !fold.names.all().some((address) => fold.names.isMeant(address, step)))
      throw noStep(log, step, fold);
    const isSelected = selects(selection, fold);
    const found = rows.filter(({ row }) => isSelected(row));
    const inOrder =
      context.format === "json"
        ? found.map(({ row }) => row)
        : grouped(
            found.map(({ worked }) => worked),
            fold,
          );
    shown(from([inOrder]), { ...context, raw: asked.raw }).subscribe((pieces) => io.out(pieces.join("")));
    if (found.length === 0 && context.format === "text")
      io.err(`troupe: ${asked.failed ? "no step has failed" : "nothing was logged"} so far\n`);
    return 0;
  });

type Showing = CommandContext & { raw: boolean };

function shown(frames$: Observable<readonly Frame[]>, { io, format, raw }: Showing): Observable<string[]> {
  const { colours, columns } = io;
  if (format === "json") return frames$.pipe(jsonLines());
  if (raw) return frames$.pipe(rawTexts(columns !== null));
  return frames$.pipe(terminalLines({ colours, columns, bright: true }));
}

/** Resolves when the run has ended, or the reader has enough. */
function follow(log: RunLog, selection: Selection, fold: RunFold, showing: Showing): Promise<number> {
  const { io } = showing;
  const isSelected = selects(selection, fold);
  const down = new Downtime();
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const frames = new Subject<readonly Frame[]>();
  shown(frames.pipe(filter((batch) => batch.length > 0)), showing).subscribe((pieces) => io.out(pieces.join("")));
  const after = log.record.firstSeq - 1;
  const following = log
    .log$({ after })
    .pipe(
      inSeq(after),
      map((batch) => batch.flatMap(taken)),
    )
    .subscribe({ next: (batch) => frames.next(batch), error: fail });
  const unstop = io.onStop(() => end());
  // A watch on the store keeps no process alive.
  const held = setInterval(() => undefined, LONG_MS);
  if (log.record.lastSeq !== null && log.record.lastSeq < log.record.firstSeq) end();
  return over
    .then(() => 0)
    .finally(() => {
      clearInterval(held);
      following.unsubscribe();
      unstop();
      frames.complete();
    });

  function taken(frame: Frame): Frame[] {
    if (!("seq" in frame)) return fold.holds(frame) && isSelected({ ...frame, seq: 0, at: io.now() }) ? [frame] : [];
    fold.see(frame);
    const worked = down.leftOut(frame); // I3
    if (frame.type === "run.completed" && frame.run === log.record.id) queueMicrotask(end);
    if (!isSelected(frame)) return [];
    return [showing.format === "json" ? frame : worked];
  }
}

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `10m` before now, or a time as ISO writes it; in milliseconds since the epoch. */
function timeOf(text: string, now: number): number {
  const [, many, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (many !== undefined) return now - Number(many) * (UNITS[unit] ?? 0);
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw usage("--since: expected how long ago (30s, 10m, 2h, 1d), or a time (2026-01-31T10:00:00Z)");
  return at;
}

function noStep({ record }: RunLog, step: string, fold: RunFold): TroupeError {
  const all = fold.names.all();
  const named = all.slice(0, MOST_NAMED).join(", ");
  const more = all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more` : "";
  const known = all.length === 0 ? "none has begun" : `there are ${named}${more}`;
  return new TroupeError("USER.CLI.USAGE", `run "${record.id}" has no step "${step}": ${known}`, {
    run: record.id,
    step,
    steps: all.slice(0, MOST_NAMED),
  });
}
