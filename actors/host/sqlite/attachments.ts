/**
 * The bytes of pictures and sounds of prompts, in a file beside the log's.
 *
 * I1. What `keep` was given is there after a crash of this process, as soon as it returns.
 */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Key } from "../../../machines/model.ts";
import type { Attachment } from "../reads.ts";
import type { AttachmentTable } from "../storage.ts";
import { readBeside, writeBeside } from "./side-store.ts";

export const ATTACHMENTS_FILE = "attachments.db";
const SCHEMA =
  "create table if not exists piece(session text not null, id text not null, type text not null, mime text not null, data blob not null, primary key(session, id))";

/** `file` is made when something is first kept. */
export const attachmentTable = (file: string): AttachmentTable => ({
  keep: (session, pieces, limit) =>
    pieces.length === 0 || writeBeside(file, SCHEMA, (db) => keep(db, session, pieces, limit)),
  read: (session, id) => {
    const row = readBeside(file, (db) =>
      db.prepare("select type, mime, data from piece where session=? and id=?").get(session, id),
    );
    if (row === undefined) return undefined;
    const type = row["type"] as Attachment["type"];
    return { type, id, mimeType: String(row["mime"]), data: Buffer.from(row["data"] as Uint8Array) };
  },
  forget: (session) => {
    if (existsSync(file))
      writeBeside(file, SCHEMA, (db) => db.prepare("delete from piece where session=?").run(session));
  },
});

/** The same, and all that a session has. */
export const attachmentsFile = (file: string): AttachmentTable & { of(session: Key): Attachment[] } => {
  const table = attachmentTable(file);
  return {
    ...table,
    of: (session) =>
      (readBeside(file, (db) => db.prepare("select id from piece where session=?").all(session)) ?? []).flatMap(
        ({ id }) => table.read(session, String(id)) ?? [],
      ),
  };
};

function keep(db: DatabaseSync, session: Key, pieces: readonly Attachment[], limit: number): boolean {
  const insert = db.prepare("insert or ignore into piece values(?, ?, ?, ?, ?)");
  const size = db.prepare("select coalesce(sum(length(data)), 0) as bytes from piece where session=?");
  db.exec("begin immediate");
  for (const { id, type, mimeType, data } of pieces) insert.run(session, id, type, mimeType, data);
  const fits = Number(size.get(session)?.["bytes"]) <= limit;
  db.exec(fits ? "commit" : "rollback");
  return fits;
}
