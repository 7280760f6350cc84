/** What a session's log has of what its runs have spent. */
import type { Exchange } from "../../machines/exchange.ts";
import type { SpentRows } from "../effects/options.ts";
import type { Host } from "../host/host.ts";

/** Read backwards to the first row of the earliest of the runs: what a session said before costs nothing. */
export const spentRowsOf =
  (host: () => Pick<Host, "runs" | "backwards">): SpentRows =>
  (session, runs, types) => {
    const log = host();
    const first = Math.min(...runs.map((run) => log.runs.find(run, null)?.seq ?? 1));
    const rows: Exchange[] = [];
    for (const row of log.backwards(session, { types })) {
      if (row.seq < first) break;
      rows.push(row);
    }
    return rows.reverse();
  };
