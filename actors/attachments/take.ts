/**
 * What a prompt brings along, looked at before anything is done with it.
 *
 * I1. Only pictures and sounds of kinds that models know, of a size that is allowed, and that are what they say.
 *     Base64 of every common writing is read; what is none, or has another name than its bytes, is told so.
 * I2. The log gets what they are and their digest, never the bytes.
 * I3. Bytes that hold a secret are not taken: they could not be masked. One that is too short to be looked for inside of
 *     words is in most pictures by chance, and does not count.
 */
import { createHash } from "node:crypto";
import type { Block } from "../../machines/exchange.ts";
import { type Fault, own } from "../../machines/model.ts";
import type { Attached, AttachmentKind } from "../../machines/prompt/attachment.ts";
import type { Limits } from "../base/limits.ts";
import type { Mask } from "../masking/masking.ts";

/** A picture or a sound as a client sends it, its bytes in base64. */
export type Attaching = { type: AttachmentKind; mimeType: string; data: string };
/** A part of a prompt: text, a link, a resource, a picture or a sound. */
export type PromptBlock = Exclude<Block, { type: AttachmentKind }> | Attaching;
export type AttachedData = { attached: Attached; data: Buffer };
export type Taken = { blocks: Block[]; pieces: AttachedData[]; fault: Fault | null };

/** Of one prompt. */
const MOST_PIECES = 16;
const AUDIO = /^audio\/[a-z0-9][a-z0-9.+-]{0,40}$/;
const ID_LENGTH = 32;

/** How the files of a kind begin, in hexadecimal digits. */
const SIGNATURES: { readonly [mimeType: string]: RegExp } = {
  "image/png": /^89504e470d0a1a0a/,
  "image/jpeg": /^ffd8ff/,
  "image/gif": /^47494638(37|39)61/,
  "image/webp": /^52494646.{8}57454250/,
};
const SIGNATURE_BYTES = 16;

type Rules = { limits: () => Pick<Limits, "attachmentBytes">; mask: Pick<Mask, "isIn"> };

/** The blocks as the log has them, the bytes beside; or what is wrong, with the block left as an unknown one. */
export function takenOf(blocks: readonly PromptBlock[], rules: Rules): Taken {
  const taken: Taken = { blocks: [], pieces: [], fault: null };
  for (const block of blocks) {
    if (!("data" in block)) {
      taken.blocks.push(block);
      continue;
    }
    const data = bytesOf(block.data);
    const wrong = taken.pieces.length === MOST_PIECES ? tooMany : wrongWith(block, data, rules);
    if (wrong !== null || data === null) {
      taken.fault ??= wrong;
      taken.blocks.push({ type: "unknown", value: { type: block.type } });
      continue;
    }
    const id = createHash("sha256").update(data).digest("hex").slice(0, ID_LENGTH);
    const attached: Attached = { type: block.type, id, mimeType: mimeOf(block), bytes: data.length };
    taken.blocks.push(attached);
    taken.pieces.push({ attached, data });
  }
  return taken;
}

/** Other names of a kind. */
const ALIASES: { readonly [mimeType: string]: string } = { "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg" };

function mimeOf({ mimeType }: Attaching): string {
  const name = (mimeType.split(";")[0] ?? "").trim().toLowerCase();
  return own(ALIASES, name) ?? name;
}

/** In either alphabet, in lines, with padding or without; null for what is no base64. */
function bytesOf(data: string): Buffer | null {
  const digits = data.replace(/[ \t\r\n]+/g, "").replace(/={1,2}$/, "");
  const bytes = Buffer.from(digits, "base64");
  return bytes.toString("base64url") === digits.replaceAll("+", "-").replaceAll("/", "_") ? bytes : null;
}

const unsupported = (message: string): Fault => ({ code: "USER.PROMPT.UNSUPPORTED_BLOCK", message });
const tooLarge = (message: string): Fault => ({ code: "USER.PROMPT.TOO_LARGE", message });
const tooMany = tooLarge(`a prompt may hold ${MOST_PIECES} images and sounds at most`);

function wrongWith(block: Attaching, data: Buffer | null, { limits, mask }: Rules): Fault | null {
  const mimeType = mimeOf(block);
  if (!isKnown(block.type, mimeType)) {
    const known = block.type === "image" ? Object.keys(SIGNATURES).join(", ") : "audio of a named kind";
    return unsupported(`the prompt holds "${mimeType.slice(0, 60)}": ${known} can be passed on`);
  }
  const noun = nounOf(block.type);
  if (data === null) return unsupported(`the prompt holds an ${noun} whose data is no base64`);
  if (data.length === 0) return unsupported(`the prompt holds an ${noun} without data`);
  const most = limits().attachmentBytes;
  if (data.length > most) {
    const message = `the prompt holds an ${noun} of ${data.length} bytes: ${most} are allowed (limits.attachment_bytes)`;
    return tooLarge(message);
  }
  const head = data.toString("hex", 0, SIGNATURE_BYTES);
  if (SIGNATURES[mimeType]?.test(head) === false) {
    const [kind] = Object.entries(SIGNATURES).find(([, signature]) => signature.test(head)) ?? [];
    return unsupported(
      `the prompt holds an ${noun} that is no ${mimeType}${kind === undefined ? "" : `, but ${kind}`}`,
    );
  }
  return mask.isIn(data.toString("latin1"))
    ? unsupported(`the prompt holds an ${noun} with a secret in it, which could not be masked`)
    : null;
}

const isKnown = (type: AttachmentKind, mimeType: string): boolean =>
  type === "image" ? Object.hasOwn(SIGNATURES, mimeType) : AUDIO.test(mimeType);

export const nounOf = (type: AttachmentKind): string => (type === "image" ? "image" : "audio recording");
