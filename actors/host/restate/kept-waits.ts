/**
 * Work of a session that no worker takes for the time being, as rows of the session.
 *
 * I1. The log says so once for each piece of work.
 */
import type { Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Code } from "../../errors/codes.ts";
import type { Tables } from "../memory/tables.ts";
import type { Which } from "../workers.ts";
import type { NamedRow } from "./protocol.ts";
import { type ChangedRows, workName } from "./rows.ts";

const NO_WORKER: Code = "SYSTEM.ENGINE.NO_WORKER";
const WAITS = "waits ";

export class KeptWaits {
  readonly #kept: Set<string>;
  readonly #changed = new Set<string>();
  constructor(rows: readonly NamedRow[]) {
    this.#kept = new Set(rows.flatMap(([name, row]) => (name.startsWith(WAITS) && row !== null ? [name] : [])));
  }

  has(which: Which): boolean {
    return this.#kept.has(WAITS + workName(which));
  }
  /** False where it waits already (I1). */
  add(which: Which): boolean {
    const name = WAITS + workName(which);
    if (this.#kept.has(name)) return false;
    this.#kept.add(name);
    this.#changed.add(name);
    return true;
  }
  end(which: Which): void {
    const name = WAITS + workName(which);
    if (this.#kept.delete(name)) this.#changed.add(name);
  }
  /** As rows, what has changed since this was asked last. */
  take(changed: ChangedRows): NamedRow[] {
    const rows = [...this.#changed].flatMap((name) => changed.own(name, this.#kept.has(name) ? "true" : null));
    this.#changed.clear();
    return rows;
  }
}

/** The row that says so, of the run that an actor of the session works for. */
export function waitsNotice(tables: Tables, { session, key, words }: { session: Key; key: Key; words: string }): Row {
  const payload = { severity: "warning", code: NO_WORKER, message: words } as const;
  const { actors } = tables.read(session);
  for (let at: Key | null = key; at !== null; at = actors.get(at)?.parent ?? null)
    if (at.startsWith("run/")) return { type: "notice", run: at.slice("run/".length), payload };
  return { type: "notice", payload };
}
