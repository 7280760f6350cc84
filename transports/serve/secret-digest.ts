/** What is kept of a secret, and compared: of one length, whatever was given. */
import { createHash } from "node:crypto";

export const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
