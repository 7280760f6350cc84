/** A storage in memory whose logs stay elsewhere: of what is there, only the end of a log is known. */
import type { MemoryStorage } from "../memory/memory-storage.ts";
import type { Storage } from "../storage.ts";
import type { Version } from "./protocol.ts";

/** `version` says where the logs end. */
export function withHead(store: MemoryStorage, version: () => Version): Storage {
  const { log } = store;
  const head: Storage["log"]["head"] = (session) => {
    const last = log.head(session);
    return last.seq > 0 ? last : { seq: version().seq, at: version().at };
  };
  return Object.assign(store, { log: { ...log, head } });
}
