/** The table of schedules. */
import type { ScheduleTable } from "../schedule-table.ts";
import type { Statements } from "./statements.ts";

export function scheduleTable(sql: Statements): ScheduleTable {
  return {
    find: ({ cwd, workflow }) =>
      sql("select kept from schedule where cwd=? and workflow=?").get(cwd, workflow)?.["kept"] as string | undefined,
    list: () =>
      sql("select kept from schedule order by cwd, workflow")
        .all()
        .map(({ kept }) => kept as string),
    keep: ({ cwd, workflow }, kept) =>
      void sql("insert or replace into schedule values(?,?,?)").run(cwd, workflow, kept),
    drop: ({ cwd, workflow }) => void sql("delete from schedule where cwd=? and workflow=?").run(cwd, workflow),
  };
}
