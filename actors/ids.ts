/** New ids. A session's is hard to guess, for knowing it is how a client names it; the others only have to differ. */
import { randomBytes } from "node:crypto";
import type { Kind } from "../machines/model.ts";

export type Ids = (kind: Kind) => string;

const BYTES: { [kind in Kind]?: number } = { session: 16, permission: 16 };

export const randomIds: Ids = (kind) => randomBytes(BYTES[kind] ?? 9).toString("base64url");
