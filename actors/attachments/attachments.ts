/**
 * The bytes of pictures and sounds of prompts, as the host keeps them.
 *
 * I1. What `keep` was given lasts as long as its session does, as soon as it has resolved.
 * I2. It belongs to a session: no other reads it, and it goes with its session.
 * I3. A session keeps no more than is allowed.
 */
import type { Key } from "../../machines/model.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Attachment, KeptAttachments } from "../host/reads.ts";
import type { AttachedData } from "./take.ts";

export type { Attachment };
export type Attachments = {
  /** Throws USER.PROMPT.TOO_LARGE where the session would keep more than `limit` bytes. */
  keep: (session: Key, pieces: readonly AttachedData[], limit: number) => Promise<void>;
  /** Undefined where the session has no such piece. */
  read: (session: Key, id: string) => Attachment | undefined;
};

export const openAttachments = (kept: KeptAttachments): Attachments => ({
  keep: async (session, pieces, limit) => {
    const all = pieces.map(({ attached: { type, id, mimeType }, data }) => ({ type, id, mimeType, data }));
    if (await kept.keep(session, all, limit)) return;
    const message = `this session would keep more than ${limit} bytes of images and audio (limits.attachments_bytes): begin another one`;
    throw new TroupeError("USER.PROMPT.TOO_LARGE", message);
  },
  read: (session, id) => kept.read(session, id),
});
