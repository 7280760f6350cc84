/**
 * How an earlier conversation continues: one rule for every agent. H50.
 *
 * I1. Resumed where the agent offers that; else loaded, and what it tells again is not shown twice; else viewed only.
 * I2. Nothing here ever begins another session in its place: that is offered, and the person decides.
 */
import type { OpenedBy } from "./entry.ts";

/** What an agent says that it can do with earlier sessions. */
export type Resuming = { resume: boolean; load: boolean };
export type Continuation = { by: Exclude<OpenedBy, "new"> } | { by: "view only"; why: string };

/** `session`: the agent's id of it; null where none was ever opened. */
export function continuationOf(session: string | null, { resume, load }: Resuming): Continuation {
  if (session === null) return { by: "view only", why: "the agent never had a session for it" };
  if (resume) return { by: "resume" };
  if (load) return { by: "load" };
  return { by: "view only", why: "the agent cannot continue an earlier session" };
}
