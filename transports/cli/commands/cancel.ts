/**
 * `troupe cancel`: ends a run, whichever process runs it, or none.
 *
 * I1. A run that has ended is left as it is, and its end is told.
 * I2. It ends with the run: what another process runs is waited for until its log says so. Where that process dies
 *     before, the run is ended here: who attends a session looks whether the process that runs it lives.
 */
import { concatMap, filter, firstValueFrom, from } from "rxjs";
import type { RunLog } from "../../../actors/troupe.ts";
import { standsAs } from "../../../projections/runs/standing.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

const LONG_MS = 2 ** 30;

export const cancel = ({ io, format }: CommandContext, named: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const run = await troupe.find(named, { cwd: io.cwd });
    const { session: id, endedAt } = await troupe.status(run);
    if (endedAt === null) {
      const session = await troupe.open(id);
      await session.cancel();
      await session.close(); // its hooks have ended
      const attendance = session.attend({ turnBegins: () => undefined });
      try {
        await ended(await troupe.log(run));
      } finally {
        attendance.leave();
      }
    }
    const { workflow, status } = await troupe.status(run);
    if (format === "json") writeJson(io, { run, status });
    else {
      const left = endedAt === null ? "" : ": it is left as it is";
      io.out(`${safeLine(`Run ${run} of ${workflow} ${standsAs(status)}${left}.`)}\n`);
    }
    return 0;
  });

/** I2. Ends as well where its session is deleted. */
async function ended({ record, log$ }: RunLog): Promise<void> {
  if (record.endedAt !== null) return;
  // A watch on the store keeps no process alive.
  const held = setInterval(() => undefined, LONG_MS);
  const frames$ = log$({ after: record.firstSeq - 1 }).pipe(concatMap((batch) => from(batch)));
  const end$ = frames$.pipe(filter((one) => "seq" in one && one.type === "run.completed" && one.run === record.id));
  try {
    await firstValueFrom(end$, { defaultValue: null });
  } finally {
    clearInterval(held);
  }
}
