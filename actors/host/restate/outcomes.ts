/** What an event comes to that changes nothing which is kept. */
import type { Outcome, Version } from "./protocol.ts";

export const unchanged = (version: Version, reply: Outcome["reply"]): Outcome => ({
  ...{ n: version.n, version, reply },
  ...{ rows: [], log: [], starts: [], timers: [], notes: [] },
});
