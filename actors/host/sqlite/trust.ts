/** The table of trusted directories. */
import type { TrustTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

const isOneOf = (count: number): string =>
  `select 1 from trust where cwd in (${Array(count).fill("?").join(",")}) limit 1`;

export function trustTable(sql: Statements): TrustTable {
  return {
    // The first alone, which it is most often; those above it at once.
    hasOneOf: (folders) =>
      [folders.slice(0, 1), folders.slice(1)].some(
        (some) => some.length > 0 && sql(isOneOf(some.length)).get(...some) !== undefined,
      ),
    list: () =>
      sql("select cwd, at from trust order by at desc, cwd")
        .all()
        .map(({ cwd, at }) => ({ cwd: cwd as string, at: at as number })),
    keep: (folder, at) => void sql("insert or replace into trust values(?,?)").run(folder, at),
    drop: (folder) => void sql("delete from trust where cwd=?").run(folder),
  };
}
