/** The table of trusted directories. */
import type { TrustTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

const HAS_ONE_OF = "select 1 from trust where cwd in (select value from json_each(?)) limit 1";

export function trustTable(sql: Statements): TrustTable {
  return {
    hasOneOf: (folders) => sql(HAS_ONE_OF).get(JSON.stringify(folders)) !== undefined,
    list: () =>
      sql("select cwd, at from trust order by at desc, cwd")
        .all()
        .map(({ cwd, at }) => ({ cwd: cwd as string, at: at as number })),
    keep: (folder, at) => void sql("insert or replace into trust values(?,?)").run(folder, at),
    drop: (folder) => void sql("delete from trust where cwd=?").run(folder),
  };
}
