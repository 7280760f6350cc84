/**
 * A `Reporter` as the host tells it: of rows, with the session that they are of, which it can look back into, and of a log
 * that cannot be written.
 *
 * I1. Nothing of it throws: work does not fail of who watches it.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { idOf, type Key } from "../../machines/model.ts";
import type { Reporter } from "../api/reporter.ts";
import type { Host } from "../host/host.ts";
import { since } from "./since.ts";

type Reporting = {
  row(session: Key, row: Exchange): void;
  unwritten(fault: { code: string; message: string }): void;
};

export const reporting = (reporter: Reporter, host: () => Pick<Host, "rows" | "backwards">): Reporting => ({
  row: (session, row) =>
    telling(() =>
      reporter.row(row, {
        id: idOf(session),
        rows: (after, limit) => host().rows(session, after, limit),
        since: (at) => since(host(), session, at),
      }),
    ),
  unwritten: (fault) => telling(() => reporter.unwritten?.(fault)),
});

/** Tells one who watches. What that throws is warned of, and ends nothing (I1). */
export function telling(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
