/**
 * Waits for what ends in a session.
 *
 * I1. What comes after a cancel of this process is not for the run that was cancelled: it waits until that has ended, where
 *     it ends here. Another process's is not waited for: whether it lives is not known.
 */
import type { Key } from "../../../machines/model.ts";
import type { Delivery } from "../../host/host.ts";
import type { Runtime } from "../runtime.ts";

type Parts = Pick<Runtime, "host" | "releases">;

/** The turn in flight has ended and nothing runs any more: a parked run has no turn, hooks may outlive one. */
export async function rested(
  { host, releases }: Parts,
  session: Key,
  ended: Promise<unknown> | undefined,
  begin?: () => Promise<unknown>,
): Promise<void> {
  const released = releases.next(session);
  await begin?.();
  await ended?.catch(() => undefined);
  if (host.sessions.isOwn(session)) await released;
}

/**
 * Sends a cancel, and with `write` also to another process that runs the session. What comes after it waits for
 * `releases.cancelling` (I1).
 */
export function cancel(parts: Parts, session: Key, how: "send" | "write" = "send"): Promise<Delivery> {
  const sent = parts.host[how](session, { type: "cancel.requested" });
  parts.releases.cancels(
    session,
    sent.then(() => runEnded(parts, session)),
  );
  return sent;
}

/** A run that waited is ending; what a turn runs ends with the turn. */
async function runEnded({ host, releases }: Parts, session: Key): Promise<void> {
  const reading = host.sessions.read(session);
  const isWaiting = reading?.value === "parked" || reading?.value === "interrupted";
  if (isWaiting && reading.isCancelling && host.sessions.isOwn(session)) await releases.next(session);
}
