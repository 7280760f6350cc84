/** Statements of one database: each is prepared when it is first run, and once. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

export type Statements = (text: string) => StatementSync;

export function statementsOf(db: DatabaseSync): Statements {
  const known = new Map<string, StatementSync>();
  return (text) => {
    const found = known.get(text) ?? db.prepare(text);
    known.set(text, found);
    return found;
  };
}
