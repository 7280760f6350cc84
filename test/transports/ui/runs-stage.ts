/** The runs of the UI over records and logs that a test changes, on a clock that it moves. */
import { Observable } from "rxjs";
import type { HistoryQuery, RunRecord, Troupe } from "../../../actors/troupe.ts";
import { Runs } from "../../../transports/ui/runs.ts";

/** The runs over these records. */
export function stage(records: RunRecord[]) {
  const counts = { history: [] as number[], open: 0, opened: 0, rings: 0 };
  let news = (): void => undefined;
  let due: { ms: number; act: () => void }[] = [];
  const troupe = {
    history: async ({ limit = 0, open }: HistoryQuery) => {
      if (open === true) return records.filter(({ endedAt }) => endedAt === null).slice(0, limit);
      counts.history.push(limit);
      return records.slice(0, limit);
    },
    watchRuns: (changed: () => void) => {
      news = changed;
      return () => undefined;
    },
    log: async (run: string) => ({
      record: records.find(({ id }) => id === run),
      log$: () =>
        new Observable(() => {
          counts.open += 1;
          counts.opened += 1;
          return () => {
            counts.open -= 1;
          };
        }),
    }),
  } as unknown as Troupe;
  const runs = new Runs({
    troupe,
    canvas: {
      later: (ms, act) => {
        const one = { ms, act };
        due.push(one);
        return () => {
          due = due.filter((other) => other !== one);
        };
      },
    },
    changed: () => undefined,
    rings: () => {
      counts.rings += 1;
    },
    failed: (error) => {
      throw error;
    },
  });
  /** Calls back each one that wants it within so many milliseconds. */
  const pass = async (most = Number.POSITIVE_INFINITY) => {
    const acts = due.filter(({ ms }) => ms <= most);
    due = due.filter(({ ms }) => ms > most);
    for (const { act } of acts) act();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, counts, news: () => news(), pass, records };
}

export const record = (id: string, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...{ id, session: "s", workflow: "demo", cwd: "/w", status: "running", exitCode: null, error: null },
  ...{ startedAt: 0, endedAt: null, firstSeq: 1, lastSeq: null, resumable: false, questions: [], permissions: [] },
  ...changes,
});
