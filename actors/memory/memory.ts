/**
 * The conversations of agents that have no store of their own, in a file beside the log's.
 *
 * I1. What `add` was given is there after a crash of this process, in order, as soon as it returns.
 * I2. A conversation belongs to a session: no other reads it, and it goes with its session.
 * I3. Secrets are hidden in what is written, and put back in what is read, as in the state of machines.
 */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Json, Key } from "../../machines/model.ts";
import type { AgentMemory } from "../agents/agent.ts";
import { usingBeside } from "../base/side-store.ts";
import type { Mask } from "../masking/masking.ts";

export const MEMORY_FILE = "conversations.db";
const SCHEMA =
  "create table if not exists message(session text not null, conversation text not null, n integer not null, message text not null, primary key(session, conversation, n)) without rowid";

export type Memory = {
  of: (session: Key) => AgentMemory;
  forget: (session: Key) => void;
};

/** `file` is made when something is first remembered. */
export function openMemory(file: string, mask: Pick<Mask, "hide" | "reveal">): Memory {
  return {
    of: (session) => ({
      read: (conversation) => {
        if (!existsSync(file)) return [];
        const rows = usingBeside(file, SCHEMA, (db) =>
          db
            .prepare("select message from message where session=? and conversation=? order by n")
            .all(session, conversation),
        );
        return rows.map((row) => mask.reveal(String(row["message"])) as Json);
      },
      add: (conversation, messages) => {
        if (messages.length === 0) return;
        const texts = messages.map((message) => mask.hide(message));
        usingBeside(file, SCHEMA, (db) => add(db, session, conversation, texts));
      },
    }),
    forget: (session) => {
      if (existsSync(file))
        usingBeside(file, SCHEMA, (db) => db.prepare("delete from message where session=?").run(session));
    },
  };
}

function add(db: DatabaseSync, session: Key, conversation: string, texts: readonly string[]): void {
  const insert = db.prepare(`insert into message values(?1, ?2,
    (select coalesce(max(n), 0) + 1 from message where session=?1 and conversation=?2), ?3)`);
  db.exec("begin immediate");
  for (const text of texts) insert.run(session, conversation, text);
  db.exec("commit");
}
