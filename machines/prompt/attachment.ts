/**
 * Pictures and sounds of a prompt. Their bytes are kept beside the log; what travels through inputs, answers and
 * templates is a reference, as for a file.
 *
 * I1. A reference names its bytes by what they are, in its session: no text can reach another session's.
 */
import type { Block } from "../exchange.ts";

export type Attached = Extract<Block, { type: "image" | "audio" }>;
export type AttachmentKind = Attached["type"];

/** 128 bits of the digest of the bytes. */
const REFERENCE = /\(attachment:([0-9a-f]{32})\)/g;

/** What stands for it in a text. */
export const referenceTo = ({ type, id }: Pick<Attached, "type" | "id">): string => `[${type}](attachment:${id})`;

/** The ids that a text names, each once, in their order. */
export const attachmentsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, id]) => id as string)),
];
