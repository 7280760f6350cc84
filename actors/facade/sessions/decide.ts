/** How a permission is decided, whichever process asks for it. */
import type { Key } from "../../../machines/model.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { openPermissions } from "../questions.ts";
import { permissionNotOpen } from "../refuse.ts";
import type { Runtime } from "../runtime.ts";

type Decision = { permission: string; option: string | null; who?: string | undefined };

/**
 * As `Session.decide`; durable when it resolves. Throws USER.FACADE.INPUT_REJECTED where the question is not open, or
 * not any more; USER.SESSION.BUSY_ELSEWHERE where the process that asks does not read. Nothing has changed then.
 */
export async function decide(runtime: Runtime, session: Key, { permission, option, who }: Decision): Promise<void> {
  const { host } = runtime;
  const key: Key = `permission/${permission}`;
  // To know the id of another session's question is no right to decide it.
  if (host.sessions.sessionOf(key) !== session) throw permissionNotOpen(permission, option);
  const delivery =
    option === null
      ? await host.send(key, { type: "asker.left" })
      : await host.write(key, { type: "decision.made", option, ...(who === undefined ? {} : { who }) } as never);
  if (delivery.accepted) return;
  if (delivery.reason !== "owned") {
    const open = openPermissions(host, session).find((one) => one.permission === permission);
    const lacks = open?.options.every(({ id }) => id !== option) === true;
    throw permissionNotOpen(permission, option, lacks ? open : null);
  }
  const message = "the process that asks this does not read: decide it where it was asked, or end that process";
  throw new TroupeError("USER.SESSION.BUSY_ELSEWHERE", message, { permission });
}
