/** The table of trusted directories. */
import type { TrustTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

const IS_TRUSTED = "select 1 from trust where cwd=?";

export function trustTable(sql: Statements): TrustTable {
  return {
    // One by one: the first is it most often, and a list in one statement costs as much as ten of these.
    hasOneOf: (folders) => folders.some((folder) => sql(IS_TRUSTED).get(folder) !== undefined),
    list: () =>
      sql("select cwd, at from trust order by at desc, cwd")
        .all()
        .map(({ cwd, at }) => ({ cwd: cwd as string, at: at as number })),
    keep: (folder, at) => void sql("insert or replace into trust values(?,?)").run(folder, at),
    drop: (folder) => void sql("delete from trust where cwd=?").run(folder),
  };
}
