/** What is chosen for a session, and what its client brings. */
import { isDeepStrictEqual } from "node:util";
import type { Key } from "../../../machines/model.ts";
import type { SettingsEvent, Setup } from "../../../machines/session/settings.ts";
import type { SessionOption } from "../../api/records.ts";
import type { Delivery } from "../../host/host.ts";
import type { Runtime } from "../runtime.ts";
import { lastingOf } from "./lasting.ts";
import { notOffered } from "./not-offered.ts";
import { sessionOptions } from "./options.ts";
import { learnSetup } from "./setup.ts";

export function titleIn({ host }: Runtime, session: Key): string {
  return host.sessions.find(session)?.title ?? "";
}

export function optionsOf(runtime: Runtime, session: Key, cwd: string): Promise<SessionOption[]> {
  const { catalogue, options, models } = runtime;
  const { environment } = options;
  const { settings } = lastingOf(runtime, session);
  return sessionOptions(cwd, settings, {
    ...{ environment, models: models() },
    list: (directory) => catalogue.list(directory),
  });
}

export type Choosing = { cwd: string; option: string; value: string };

/** Throws USER.SESSION.OPTION for what is not offered; the machine has the last word. */
export async function choose(runtime: Runtime, session: Key, { cwd, option, value }: Choosing): Promise<Delivery> {
  const found = (await optionsOf(runtime, session, cwd)).find(({ id }) => id === option);
  const offered = found?.choices.map((choice) => choice.value) ?? [];
  if (!offered.includes(value)) throw notOffered(option, value, found);
  return await tell(runtime, session, { type: "option.chosen", option, value, offered });
}

/** Takes what the session's client brings from now on; null where nothing is new. */
export async function equip(runtime: Runtime, session: Key, setup: Setup): Promise<Delivery | null> {
  learnSetup(session.slice("session/".length), setup, runtime.mask);
  if (isDeepStrictEqual(lastingOf(runtime, session).setup, setup)) return null;
  return await tell(runtime, session, { type: "setup.changed", setup });
}

const tell = ({ host }: Runtime, session: Key, event: SettingsEvent): Promise<Delivery> => host.send(session, event);
