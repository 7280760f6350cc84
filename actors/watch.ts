/** Looks at the store again when another process has written to it: woken by the file system, never by a timer. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { BELL_SUFFIX } from "./host/bell.ts";
import type { EmbeddedHost } from "./host/embedded.ts";

const watches = new WeakMap<EmbeddedHost, { watcher: FSWatcher; users: number }>();

/** Starts watching for one more user; the answer ends that use. */
export function watchStore({ host, storeFile }: { host: EmbeddedHost; storeFile: string }): () => void {
  let shared = watches.get(host);
  if (shared === undefined) {
    const bell = `${basename(storeFile)}${BELL_SUFFIX}`;
    const watcher = watch(dirname(storeFile), { persistent: false }, (_, name) => {
      if (name === null || name === bell) host.recheck();
    });
    watcher.on("error", () => undefined); // a follower then sees new rows when it is resumed
    shared = { watcher, users: 0 };
    watches.set(host, shared);
  }
  shared.users++;
  const held = shared;
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    if (--held.users > 0) return;
    held.watcher.close();
    watches.delete(host);
  };
}
