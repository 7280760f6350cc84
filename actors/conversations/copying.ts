/**
 * Copies of all conversations that are kept, made while they go on. H48.
 *
 * I1. Only what is ours is copied: folders that could be a conversation's, and in them regular files that are its index or
 *     its frames. Who continues one is no part of it.
 * I2. The index goes first: one that is behind its frames is brought up to them when it is read; one that is ahead is wrong.
 * I3. What is removed meanwhile is left out. A conversation without frames is none.
 * I4. A copy is this user's alone, whatever the rights of what it is made of.
 */
import { chmodSync, constants, copyFileSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { INDEX_FILE } from "./index-file.ts";
import { CONVERSATION_ID } from "./kept.ts";
import { segmentsIn } from "./segments.ts";

/** From one folder of conversations to another, which is made where there is something to copy. */
export function copyConversations(from: string, to: string): void {
  for (const id of unlessGone(() => readdirSync(from)) ?? []) {
    const folder = join(from, id);
    if (CONVERSATION_ID.test(id) && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
      copyConversation(folder, join(to, id));
  }
}

function copyConversation(from: string, to: string): void {
  const frames = unlessGone(() => segmentsIn(from)) ?? [];
  if (frames.length === 0) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of [INDEX_FILE, ...frames]) unlessGone(() => copyFile(join(from, name), join(to, name)));
}

function copyFile(from: string, to: string): void {
  if (!lstatSync(from).isFile()) return;
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

/** Null where another process has removed it, or has never made it. */
function unlessGone<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
