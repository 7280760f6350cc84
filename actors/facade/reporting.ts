/** Rows as a `Reporter` hears them: with the session that they are of, which it can look back into. */
import type { Exchange } from "../../machines/exchange.ts";
import { idOf, type Key } from "../../machines/model.ts";
import type { Reporter } from "../api/reporter.ts";
import type { Host } from "../host/host.ts";
import { since } from "./since.ts";

/** Never throws: work does not fail of who watches it. */
export const reporting =
  (reporter: Reporter, host: () => Pick<Host, "rows" | "backwards">) =>
  (session: Key, row: Exchange): void => {
    try {
      reporter.row(row, {
        id: idOf(session),
        rows: (after, limit) => host().rows(session, after, limit),
        since: (at) => since(host(), session, at),
      });
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  };
