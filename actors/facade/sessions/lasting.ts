/** What lasts of a session beyond its runs, as committed: what was chosen, and what its client brought. */
import type { Key } from "../../../machines/model.ts";
import { NO_SETUP, type Settings, type Setup } from "../../../machines/session/settings.ts";
import type { Host } from "../../host/host.ts";

type Lasting = { settings: Settings; setup: Setup };

/** A session that is not there has none of it. */
export function lastingOf({ host }: { host: Pick<Host, "sessions"> }, session: Key): Lasting {
  const { settings = {}, setup = NO_SETUP } = host.sessions.read(session) ?? {};
  return { settings, setup };
}
