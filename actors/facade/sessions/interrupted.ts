/** Whether a session's run was cut off by a crash, and waits for somebody to go on with it. */
import type { Key } from "../../../machines/model.ts";
import type { Runtime } from "../runtime.ts";

/** The workflow of that run; null where there is none, or where a process that lives runs it. */
export function interruptedIn({ host }: Pick<Runtime, "host">, session: Key): string | null {
  const { value, workflow = null } = host.sessions.read(session) ?? {};
  if (workflow === null || value === "parked") return null;
  if (value === "interrupted") return workflow;
  return host.sessions.find(session)?.isOwned === true ? null : workflow;
}
