/** What rests in memory: sessions without an open run. Nothing of it lies on a disk. */
import type { RestTable } from "../rest-table.ts";
import type { Tables } from "./tables.ts";

export function restTable(tables: Tables): RestTable {
  const { sessions, runs } = tables;
  const isOpen = ({ phase }: { phase: string }): boolean => phase === "open" || phase === "parked";
  const listed = () => runs.values().filter(({ parentRun, begun }) => parentRun === null && begun !== null);
  return {
    resting: () =>
      [...sessions.values()]
        .filter(({ session }) => !runs.values().some((run) => run.session === session && isOpen(run)))
        .map(({ session, updated }) => ({
          ...{ session, updated },
          runs: [...listed()].filter((run) => run.session === session).length,
          last: [...runs.values()].findLastIndex((run) => run.session === session) + 1,
        }))
        .sort((a, b) => a.updated - b.updated || (a.session < b.session ? -1 : 1)),
    hasOpenRun: (session) => runs.values().some((run) => run.session === session && isOpen(run)),
    listedRuns: () => [...listed()].length,
    orphans: () => [],
    size: () => ({ used: 0, free: 0, shrinks: false }),
    shrink: () => undefined,
    bringIn: () => undefined,
  };
}
