/**
 * `fs/read_text_file`.
 *
 * I1. Only a regular file whose real place is inside the roots is read; a pipe or a device is not even waited for.
 * I2. `line` counts from 1, `limit` counts lines; each may stand alone. Lines keep their ends.
 * I3. Not more than MAX_READ_BYTES are read, and only UTF-8 is text.
 */
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { type ReadTextFileRequest, RequestError } from "@agentclientprotocol/sdk";
import { mayHoldSecret } from "./guarded.ts";
import { checkPath, failed, invalid, nearest, outside, type Roots } from "./roots.ts";
import { inFolder } from "./walk.ts";

export const MAX_READ_BYTES = 10 * 1024 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type ReadPolicy = {
  /** Asked before a file is read that holds no secrets, by the name it was given; without it all are. */
  read?: (path: string, signal: AbortSignal) => Promise<boolean>;
  /** Asked before one is read that may hold secrets, by its real place; without it none is. */
  readSecret?: (path: string, signal: AbortSignal, given: string) => Promise<boolean>;
};

export async function readTextFile(
  roots: Roots,
  { path, line, limit }: Pick<ReadTextFileRequest, "path" | "line" | "limit">,
  policy: ReadPolicy,
  signal: AbortSignal,
): Promise<string> {
  checkPath(path);
  const real = await realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    // Outside of the roots the answer says nothing of what is there.
    const above = await nearest(path).catch(() => null);
    throw above === null || roots.place(above.real) === null ? outside(path) : notThere(path, error);
  });
  const place = roots.place(real);
  if (place === null) throw outside(path);
  const name = place.below.pop();
  if (name === undefined) throw invalid(path, "it is a folder");
  if (mayHoldSecret(name)) {
    if (!((await policy.readSecret?.(real, signal, path)) ?? false))
      throw failed(path, "the file may hold a secret, and its reading was not allowed");
  } else if (!((await policy.read?.(path, signal)) ?? true)) throw failed(path, "its reading was not allowed");
  const bytes = await inFolder(place, { create: false }, (at) => read(at(name), path)).catch((error) => {
    throw error instanceof RequestError ? error : notThere(path, error as NodeJS.ErrnoException);
  });
  return partOf(decoded(bytes, path), line, limit);
}

async function read(at: string, path: string): Promise<Buffer> {
  const file = await open(at, FLAGS);
  try {
    const { size } = await checkFile(file, path);
    if (size > MAX_READ_BYTES) throw tooLarge(path);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: MAX_READ_BYTES })) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
    }
    if (length > MAX_READ_BYTES) throw tooLarge(path);
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/** Throws for what is no regular file. */
export async function checkFile(
  file: FileHandle,
  path: string,
): Promise<{ size: number; nlink: number; mode: number }> {
  const stat = await file.stat();
  if (!stat.isFile()) throw invalid(path, "it is no regular file");
  return stat;
}

function decoded(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(path, "the file is not UTF-8 text");
  }
}

function partOf(text: string, line: number | null | undefined, limit: number | null | undefined): string {
  if (line == null && limit == null) return text;
  let from = 0;
  for (let skipped = 1; skipped < (line ?? 1); skipped++) {
    const end = text.indexOf("\n", from);
    if (end === -1) return "";
    from = end + 1;
  }
  if (limit == null) return text.slice(from);
  let to = from;
  for (let taken = 0; taken < limit && to < text.length; taken++) {
    const end = text.indexOf("\n", to);
    to = end === -1 ? text.length : end + 1;
  }
  return text.slice(from, to);
}

const tooLarge = (path: string): RequestError => invalid(path, `the file has more than ${MAX_READ_BYTES} bytes`);

function notThere(path: string, error: NodeJS.ErrnoException): RequestError {
  switch (error.code) {
    case "ENOENT":
      return new RequestError(-32002, "Resource not found", { uri: path });
    case "ELOOP":
    case "ENOTDIR":
    case "ENXIO":
      return invalid(path, "it is no regular file");
    default:
      return failed(path, error.message);
  }
}
