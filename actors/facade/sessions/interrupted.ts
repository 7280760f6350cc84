/** Whether a session's run was cut off by a crash, and waits for somebody to go on with it. */
import type { Key } from "../../../machines/model.ts";
import type { Runtime } from "../runtime.ts";

/** The workflow of that run; null where there is none, or where a process that lives runs it. */
export function interruptedIn(
  { host, isOwnerAlive }: Pick<Runtime, "host" | "isOwnerAlive">,
  session: Key,
): string | null {
  const { value, context } = host.read(session) ?? {};
  const { run } = (context ?? {}) as { run?: { workflow: string } | null };
  if (run === undefined || run === null || value === "parked") return null;
  if (value === "interrupted") return run.workflow;
  const owner = host.store.query("select owner from session where id=?", session)[0]?.["owner"];
  return typeof owner === "string" && isOwnerAlive(owner) ? null : run.workflow;
}
