/** The table of agents that a user agreed to for good. */
import type { Consent, ConsentTable } from "../reads.ts";
import type { Statements } from "./statements.ts";

export function consentTable(sql: Statements): ConsentTable {
  return {
    find: ({ machine, agent, folder }) =>
      sql("select machine, agent, folder, digest, shown, at from consent where machine=? and agent=? and folder=?").get(
        machine,
        agent,
        folder,
      ) as Consent | undefined,
    list: () =>
      sql(
        "select machine, agent, folder, digest, shown, at from consent order by at desc, agent, folder",
      ).all() as Consent[],
    keep: ({ machine, agent, folder, digest, shown, at }) =>
      void sql("insert or replace into consent values(?,?,?,?,?,?)").run(machine, agent, folder, digest, shown, at),
    drop: ({ machine, agent, folder }) =>
      void sql("delete from consent where machine=? and agent=? and folder=?").run(machine, agent, folder),
  };
}
