/** Waits for what a store will hold. Every commit of every process rings its bell, and only then it is looked at again. */
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { SIGNAL_SUFFIX } from "../../actors/host/sqlite/commit-signal.ts";

/** What `look` answers as soon as that is not null; `late` is the error when nothing comes within the limit. */
export async function untilStored<T>(
  store: string,
  look: () => T | null,
  { limitMs, late }: { limitMs: number; late: () => Error },
): Promise<T> {
  const bell = `${basename(store)}${SIGNAL_SUFFIX}`;
  const found = Promise.withResolvers<T>();
  const check = (): void => {
    try {
      const seen = look();
      if (seen !== null) found.resolve(seen);
    } catch (error) {
      found.reject(error);
    }
  };
  const watcher = watch(dirname(store), (_, name) => {
    if (name === null || name === bell) check();
  });
  const timer = setTimeout(() => found.reject(late()), limitMs);
  check(); // what was committed before the watch
  try {
    return await found.promise;
  } finally {
    clearTimeout(timer);
    watcher.close();
  }
}
