/**
 * What a person typed as blocks of a prompt: words, and files that they name as `@path`. H26.
 *
 * I1. A name that is no file here stays a word. The words stay as they were typed. A sign of punctuation behind a name is
 *     part of it only where there is such a file.
 * I2. An image goes along where the agent takes images; there and elsewhere every other file is named by its place.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { TroupeError } from "../errors/troupe-error.ts";

const IMAGES: { readonly [extension: string]: string } = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
const NAMED = /(?<=^|\s)@(?:"([^"\n]+)"|((?:\\.|[^\s\\])+))/g;
const { O_NONBLOCK, O_RDONLY } = constants;

type PromptPlace = { cwd: string; takesImages: boolean; maxBytes: number };

/** Throws USER.CONVERSATION.FILE for an image that is too large or cannot be read. */
export function promptBlocks(text: string, place: PromptPlace): ContentBlock[] {
  const named = [...text.matchAll(NAMED)].map(
    ([, quoted, bare = ""]) => quoted ?? meant(bare.replace(/\\(.)/g, "$1"), place),
  );
  const files = [...new Set(named)].flatMap((name) => blockOf(name, place) ?? []);
  return [{ type: "text", text }, ...files];
}

const pathOf = (name: string, cwd: string): string =>
  name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);

/** I1. */
function meant(name: string, { cwd }: PromptPlace): string {
  const bare = name.replace(/[.,;:!?)\]}'"]+$/, "");
  const isThere = (one: string): boolean => one !== "" && existsSync(pathOf(one, cwd));
  return !isThere(name) && isThere(bare) ? bare : name;
}

function blockOf(name: string, { cwd, takesImages, maxBytes }: PromptPlace): ContentBlock | null {
  const path = pathOf(name, cwd);
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw new TroupeError("USER.CONVERSATION.FILE", `${name} cannot be read: ${(error as Error).message}`, { path });
  }
  try {
    const stat = fstatSync(file);
    const link: ContentBlock = { type: "resource_link", uri: pathToFileURL(path).href, name: basename(path) };
    const mimeType = IMAGES[extname(path).toLowerCase()];
    if (!stat.isFile()) return stat.isDirectory() ? link : null;
    if (mimeType === undefined || !takesImages) return { ...link, ...(mimeType === undefined ? {} : { mimeType }) };
    if (stat.size > maxBytes) {
      const message = `${name} has ${stat.size} bytes; an image may have ${maxBytes} (limits.attachment_bytes)`;
      throw new TroupeError("USER.CONVERSATION.FILE", message, { path });
    }
    return { type: "image", mimeType, data: readFileSync(file).toString("base64") };
  } finally {
    closeSync(file);
  }
}
