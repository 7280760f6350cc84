/**
 * The conversations of agents that have no store of their own, in a file beside the log's.
 *
 * I1. What `add` was given is there after a crash of this process, in order, as soon as it returns.
 */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Key } from "../../../machines/model.ts";
import type { ConversationTable } from "../storage.ts";
import { readBeside, writeBeside } from "./side-store.ts";

export const CONVERSATIONS_FILE = "conversations.db";
const SCHEMA =
  "create table if not exists message(session text not null, conversation text not null, n integer not null, message text not null, primary key(session, conversation, n)) without rowid";

/** `file` is made when something is first remembered. */
export const conversationTable = (file: string): ConversationTable => ({
  read: (session, conversation) => {
    const rows = readBeside(file, (db) =>
      db
        .prepare("select message from message where session=? and conversation=? order by n")
        .all(session, conversation),
    );
    return (rows ?? []).map((row) => String(row["message"]));
  },
  add: (session, conversation, messages) => {
    if (messages.length > 0) writeBeside(file, SCHEMA, (db) => add(db, session, conversation, messages));
  },
  forget: (session) => {
    if (existsSync(file))
      writeBeside(file, SCHEMA, (db) => db.prepare("delete from message where session=?").run(session));
  },
});

/** The same, and which conversations a session has. */
export const conversationsFile = (file: string): ConversationTable & { of(session: Key): string[] } => ({
  ...conversationTable(file),
  of: (session) =>
    (
      readBeside(file, (db) => db.prepare("select distinct conversation from message where session=?").all(session)) ??
      []
    ).map((row) => String(row["conversation"])),
});

function add(db: DatabaseSync, session: Key, conversation: string, messages: readonly string[]): void {
  const insert = db.prepare(`insert into message values(?1, ?2,
    (select coalesce(max(n), 0) + 1 from message where session=?1 and conversation=?2), ?3)`);
  db.exec("begin immediate");
  for (const message of messages) insert.run(session, conversation, message);
  db.exec("commit");
}
