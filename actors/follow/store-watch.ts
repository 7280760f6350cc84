/** Looks at the store again when another process has written to it: woken by the file system, never by a timer. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { SIGNAL_SUFFIX } from "../host/commit-signal.ts";
import type { EmbeddedHost } from "../host/embedded.ts";
import type { Endings } from "./endings.ts";

const watches = new WeakMap<EmbeddedHost, { watcher: FSWatcher; users: number }>();

type Watched = { host: EmbeddedHost; storeFile: string; endings?: Endings };

/** Starts watching for one more user; the answer ends that use. */
export function watchStore({ host, storeFile, endings }: Watched): () => void {
  let shared = watches.get(host);
  if (shared === undefined) {
    const bell = `${basename(storeFile)}${SIGNAL_SUFFIX}`;
    const watcher = watch(dirname(storeFile), { persistent: false }, (_, name) => {
      if (name !== null && name !== bell) return;
      host.recheck();
      endings?.look();
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
