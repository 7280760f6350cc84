/** Where a session's prompts run, and what its principal may say of that place. */
import type { Key } from "../../../machines/model.ts";
import type { PromptSession } from "../../prompt/consent.ts";
import { trusts } from "../../trust/trust.ts";
import type { Runtime } from "../runtime.ts";
import { lastingOf } from "./lasting.ts";

/** Trust is the word of the machine's user alone, whoever else has sessions here. */
export function placeOf({ host, options, user }: Runtime, session: Key, cwd: string): PromptSession {
  const servers = lastingOf({ host }, session).setup.mcpServers.map(({ name }) => name);
  const trusted = (directory: string): boolean => trusts(host.trust, options.environment, directory);
  return { cwd, trusts: trusted, mayTrust: host.sessions.find(session)?.principal === user, servers };
}
