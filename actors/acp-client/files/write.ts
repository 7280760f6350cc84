/**
 * `fs/write_text_file`.
 *
 * I1. What is written is a regular file with one name, inside the roots; folders that are missing are made inside them.
 *     A symbolic link as the last name is not followed, wherever it leads and whether or not it leads anywhere.
 * I2. A file that configures what runs, or holds secrets, is not written (`guarded.ts`).
 * I3. A review sees the file as it is; when it has changed by the time of the answer, the review is asked again.
 * I4. A file is replaced at once or not at all, and keeps its mode; where the editor writes it, that is the editor's.
 */
import { constants } from "node:fs";
import { lstat, open, readFile, rename, rm } from "node:fs/promises";
import { basename } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import type { EditorWrite } from "../../base/editor-client.ts";
import { randomWord } from "../../base/random.ts";
import { writeGuard } from "./guarded.ts";
import { checkFile, MAX_READ_BYTES } from "./read.ts";
import { checkPath, failed, invalid, nearest, outside, type RootedPath, type Roots } from "./roots.ts";
import { inFolder } from "./walk.ts";

/** `oldText` is null for a file that is new or no text. */
export type Edit = { path: string; oldText: string | null; newText: string };
/** Asked before a file is written; false leaves it as it is. The signal says that nobody waits any more. */
export type ReviewEdit = (edit: Edit, signal: AbortSignal) => Promise<boolean>;
/** Whether an agent's edits are written. */
export type WritePolicy = "deny" | "allow" | ReviewEdit;

const MAX_REVIEWS = 3;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OLD = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Writes the file, and answers what was reviewed of it; null where there was no review. */
export async function writeTextFile(
  roots: Roots,
  { path, content }: { path: string; content: string },
  policy: WritePolicy,
  signal: AbortSignal,
  editorWrite?: EditorWrite,
): Promise<Edit | null> {
  checkPath(path);
  const name = basename(path);
  if (path.endsWith("/") || name === "." || name === ".." || name === "") throw invalid(path, "it names no file");
  const place = await placeOf(roots, path);
  const guard = writeGuard([...place.below, name]);
  if (guard !== null) throw failed(path, `the file is not written by agents: ${guard}`);
  if (policy === "deny") throw failed(path, "writing is not allowed");
  try {
    // Nothing is made for an edit that is not allowed.
    const first = policy !== "allow" && place.isNew ? await allowed(null, { path, content }, policy, signal) : null;
    return await inFolder(place, { create: true }, async (at) => {
      const before =
        policy === "allow" ? null : (first ?? (await reviewed(at(name), { path, content }, policy, signal)));
      if (editorWrite === undefined) await replace(at, name, path, content, before);
      else {
        await modeOf(at(name), path); // the same files may be written by the editor, and no others
        await editorWrite(path, content, signal);
      }
      return before === null ? null : editOf(before, { path, content });
    });
  } catch (error) {
    throw error instanceof RequestError ? error : failed(path, explained(error as NodeJS.ErrnoException));
  }
}

/** The folder that the file is to be in: the nearest one that exists, by its real place, and what is missing below it. */
async function placeOf(roots: Roots, path: string): Promise<RootedPath & { isNew: boolean }> {
  const { real, missing } = await nearest(path).catch((error: NodeJS.ErrnoException) => {
    throw failed(path, explained(error));
  });
  if (missing.some((name) => name === "." || name === ".."))
    throw invalid(path, "it goes through a folder that does not exist");
  const place = roots.place(real);
  if (place === null) throw outside(path);
  return { root: place.root, below: [...place.below, ...missing], isNew: missing.length > 0 };
}

type WriteRequest = { path: string; content: string };
/** What a review has allowed to replace; null bytes where there was no file. */
type Before = { bytes: Buffer | null };

async function allowed(
  bytes: Buffer | null,
  { path, content }: WriteRequest,
  review: ReviewEdit,
  signal: AbortSignal,
): Promise<Before> {
  const may = await review(editOf({ bytes }, { path, content }), signal);
  if (!may || signal.aborted) throw failed(path, "the edit was not allowed");
  return { bytes };
}

const editOf = ({ bytes }: Before, { path, content }: WriteRequest): Edit => ({
  path,
  oldText: bytes === null ? null : textOf(bytes),
  newText: content,
});

async function reviewed(at: string, asked: WriteRequest, review: ReviewEdit, signal: AbortSignal): Promise<Before> {
  const { path } = asked;
  for (let tries = 0; tries < MAX_REVIEWS; tries++) {
    const before = await allowed(await current(at, path), asked, review, signal);
    if (isSame(before.bytes, await current(at, path))) return before;
  }
  throw failed(path, "the file went on changing while the edit was reviewed");
}

async function replace(
  at: (name: string) => string,
  name: string,
  path: string,
  content: string,
  before: Before | null,
): Promise<void> {
  const mode = await modeOf(at(name), path);
  const draft = at(`.${randomWord(9, "hex")}.tmp`);
  const file = await open(draft, NEW, mode ?? 0o666);
  try {
    try {
      if (mode !== null) await file.chmod(mode);
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    if (before !== null && !isSame(before.bytes, await current(at(name), path)))
      throw failed(path, "the file has changed since the edit was reviewed");
    // Once more: what is replaced is a regular file with one name, or nothing.
    await modeOf(at(name), path);
    await rename(draft, at(name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The mode of the file that is there, or null; throws for what may not be replaced. */
async function modeOf(at: string, path: string): Promise<number | null> {
  const stat = await lstat(at).catch(unlessMissing);
  if (stat === null) return null;
  if (stat.isSymbolicLink()) throw failed(path, "it is a symbolic link; write to the file that it names");
  if (!stat.isFile()) throw failed(path, "it is no regular file");
  if (stat.nlink > 1) throw failed(path, "the file has another name elsewhere (a hard link)");
  return stat.mode & 0o7777;
}

async function current(at: string, path: string): Promise<Buffer | null> {
  if ((await modeOf(at, path)) === null) return null;
  const file = await open(at, OLD);
  try {
    const { size } = await checkFile(file, path);
    if (size > MAX_READ_BYTES)
      throw failed(path, `the file has more than ${MAX_READ_BYTES} bytes and cannot be reviewed`);
    return await readFile(file);
  } finally {
    await file.close();
  }
}

const isSame = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));
const textOf = (bytes: Buffer): string | null => {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : null;
};
function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
function explained({ code, message }: NodeJS.ErrnoException): string {
  const isLink = code === "ELOOP" || code === "ENOTDIR";
  return isLink ? "a part of the path is a symbolic link that leads nowhere, or no folder" : message;
}
