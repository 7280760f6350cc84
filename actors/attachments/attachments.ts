/**
 * The bytes of pictures and sounds of prompts, in a file beside the log's.
 *
 * I1. What `keep` was given is there after a crash of this process, as soon as it returns.
 * I2. It belongs to a session: no other reads it, and it goes with its session.
 * I3. A session keeps no more than is allowed.
 */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Key } from "../../machines/model.ts";
import type { AttachmentKind } from "../../machines/prompt/attachment.ts";
import { usingBeside } from "../base/side-store.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { AttachedData } from "./take.ts";

export const ATTACHMENTS_FILE = "attachments.db";
const SCHEMA =
  "create table if not exists piece(session text not null, id text not null, type text not null, mime text not null, data blob not null, primary key(session, id))";

export type Attachment = { type: AttachmentKind; id: string; mimeType: string; data: Buffer };
export type Attachments = {
  /** Throws USER.PROMPT.TOO_LARGE where the session would keep more than `limit` bytes. */
  keep: (session: Key, pieces: readonly AttachedData[], limit: number) => void;
  /** Undefined where the session has no such piece. */
  read: (session: Key, id: string) => Attachment | undefined;
  forget: (session: Key) => void;
};

/** `file` is made when something is first kept. */
export function openAttachments(file: string): Attachments {
  return {
    keep: (session, pieces, limit) => {
      if (pieces.length > 0) usingBeside(file, SCHEMA, (db) => keep(db, session, pieces, limit));
    },
    read: (session, id) => {
      if (!existsSync(file)) return undefined;
      const row = usingBeside(file, SCHEMA, (db) =>
        db.prepare("select type, mime, data from piece where session=? and id=?").get(session, id),
      );
      if (row === undefined) return undefined;
      const type = row["type"] as AttachmentKind;
      return { type, id, mimeType: String(row["mime"]), data: Buffer.from(row["data"] as Uint8Array) };
    },
    forget: (session) => {
      if (existsSync(file))
        usingBeside(file, SCHEMA, (db) => db.prepare("delete from piece where session=?").run(session));
    },
  };
}

function keep(db: DatabaseSync, session: Key, pieces: readonly AttachedData[], limit: number): void {
  const insert = db.prepare("insert or ignore into piece values(?, ?, ?, ?, ?)");
  const size = db.prepare("select coalesce(sum(length(data)), 0) as bytes from piece where session=?");
  db.exec("begin immediate");
  for (const { attached, data } of pieces) insert.run(session, attached.id, attached.type, attached.mimeType, data);
  if (Number(size.get(session)?.["bytes"]) > limit) {
    db.exec("rollback");
    const message = `this session would keep more than ${limit} bytes of images and audio (limits.attachments_bytes): begin another one`;
    throw new TroupeError("USER.PROMPT.TOO_LARGE", message);
  }
  db.exec("commit");
}
