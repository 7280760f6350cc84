/**
 * Whether a session's run may go on here: one that was cut off or parked continues only in a directory that is there, and
 * only while every directory is trusted whose trust for good let it begin. H51.
 *
 * I1. What was let run without trust for good was let run as a whole: it goes on as it began.
 * I2. Where it may not go on nothing has changed: it can be resumed or answered once the directory is trusted. A `yes` given
 *     with that holds in its process.
 */
import { existsSync, statSync } from "node:fs";
import type { Intent } from "../../../machines/contracts.ts";
import type { Key } from "../../../machines/model.ts";
import type { Consent } from "../../api/records.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { interruptedIn, placeOf } from "../committed.ts";
import type { Runtime } from "../runtime.ts";

type Continuing = { session: Key; cwd: string; consent: Consent | undefined };
type Parts = Pick<Runtime, "host" | "options" | "user" | "lets">;

/** Asks for the run to go on. Throws USER.TRUST.REQUIRED or USER.SESSION.CWD where it may not. */
export function goingOn(runtime: Parts, continuing: Continuing, asks: Intent): () => Promise<Intent> {
  return async () => {
    const kept = keptBack(runtime, continuing);
    if (kept !== null) throw kept;
    return asks;
  };
}

/** Why the run that waits in a session may not go on; null where it may, or none waits. */
export function keptBack(runtime: Parts, { session, cwd, consent }: Continuing): TroupeError | null {
  const { host, lets } = runtime;
  if (host.sessions.read(session)?.value !== "parked" && interruptedIn(runtime, session) === null) return null;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const message = `${cwd} is not there any more, so the run does not go on; it stays as it is`;
    return new TroupeError("USER.SESSION.CWD", message, { cwd });
  }
  if (consent === "yes") lets.add(session);
  if (lets.has(session)) return null;
  const { trusts } = placeOf(runtime, session, cwd);
  const missing = standsOn(host, session).find((directory) => existsSync(directory) && !trusts(directory));
  if (missing === undefined) return null;
  const message = `${missing} is not trusted any more, so the run does not go on; it stays as it is. To go on with it: troupe trust add ${missing}, then send this again`;
  return new TroupeError("USER.TRUST.REQUIRED", message, { cwd: missing });
}

/** Of the run that a turn of the session began last. */
function standsOn(host: Parts["host"], session: Key): readonly string[] {
  for (const row of host.backwards(session, { types: ["run.started"] }))
    if (row.type === "run.started" && row.payload.turn !== undefined) return host.runs.standsOn(row.run ?? "");
  return [];
}
