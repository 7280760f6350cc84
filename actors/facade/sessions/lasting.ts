/** What lasts of a session beyond its runs, as committed: what was chosen, and what its client brought. */
import type { Key } from "../../../machines/model.ts";
import { NO_SETUP, type Settings, type Setup } from "../../../machines/session/settings.ts";
import type { EmbeddedHost } from "../../host/embedded.ts";

type Lasting = { settings: Settings; setup: Setup };

/** A session of an earlier version has none of it. */
export function lastingOf({ host }: { host: Pick<EmbeddedHost, "read"> }, session: Key): Lasting {
  const { settings = {}, setup = NO_SETUP } = (host.read(session)?.context ?? {}) as Partial<Lasting>;
  return { settings, setup };
}
