/** What is known of a session, as it was committed. One that is not there has none of it. */
import type { Key } from "../../machines/model.ts";
import { NO_SETUP, type Settings, type Setup } from "../../machines/settings.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Host } from "../host/host.ts";
import type { PromptSession } from "../prompt/consent.ts";
import { isTrustedIn, mayTrustIn, trustsIn } from "../trust/trust.ts";

type PlaceHost = { host: Pick<Host, "sessions" | "trust">; options: { environment: Environment }; user: string };
type SessionsHost = { host: Pick<Host, "sessions"> };

export const titleOf = ({ host }: SessionsHost, session: Key): string => host.sessions.find(session)?.title ?? "";

/** What lasts beyond its runs: what was chosen, and what its client brought. */
export function lastingOf({ host }: SessionsHost, session: Key): { settings: Settings; setup: Setup } {
  const { settings = {}, setup = NO_SETUP } = host.sessions.read(session) ?? {};
  return { settings, setup };
}

/**
 * The workflow of a run that a crash cut off, and that waits to be resumed; null where there is none, or
 * where a process that lives runs it.
 */
export function interruptedIn({ host }: SessionsHost, session: Key): string | null {
  const { value, workflow = null } = host.sessions.read(session) ?? {};
  if (workflow === null || value === "parked") return null;
  if (value === "interrupted") return workflow;
  return host.sessions.find(session)?.isOwned === true ? null : workflow;
}

/**
 * Where its prompts run, and what its principal may say of that place: only the machine's user gives trust, also where
 * others have sessions.
 */
export function placeOf({ host, options, user }: PlaceHost, session: Key, cwd: string): PromptSession {
  const servers = lastingOf({ host }, session).setup.mcpServers.map(({ name }) => name);
  return {
    cwd,
    trusts: trustsIn(host.trust, options.environment),
    isKept: isTrustedIn(host.trust),
    mayTrust: mayTrustIn(host.sessions, session, user),
    servers,
  };
}
