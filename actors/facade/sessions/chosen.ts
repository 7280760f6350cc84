/** What is chosen for a session, and what its client brings. */
import { isDeepStrictEqual } from "node:util";
import type { Key } from "../../../machines/model.ts";
import type { SettingsEvent, Setup } from "../../../machines/settings.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import type { SessionOption } from "../../api/records.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Delivery } from "../../host/host.ts";
import { lastingOf } from "../committed.ts";
import type { Runtime } from "../runtime.ts";
import { sessionOptions } from "./options.ts";
import { learnSetup } from "./setup.ts";

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

function notOffered(option: string, value: string, found: SessionOption | undefined): TroupeError {
  if (found === undefined)
    return new TroupeError("USER.SESSION.OPTION", `this session has no option "${option}"`, { option });
  const values = found.choices.map((choice) => choice.value);
  const meant = suggest(value, values);
  const help = meant === null ? `expected one of ${values.join(", ")}` : `did you mean "${meant}"?`;
  return new TroupeError("USER.SESSION.OPTION", `"${value}" cannot be chosen for "${option}": ${help}`, {
    option,
    value,
  });
}

/**
 * Takes what the session's client brings from now on; null where nothing is new. It ends the turn of a process that has died.
 */
export async function equip(runtime: Runtime, session: Key, setup: Setup): Promise<Delivery | null> {
  learnSetup(session.slice("session/".length), setup, runtime.mask);
  if (isDeepStrictEqual(lastingOf(runtime, session).setup, setup) && !isLeft(runtime, session)) return null;
  return await tell(runtime, session, { type: "setup.changed", setup });
}

/** A turn is in flight, and its process has died: who takes the session over ends the turn. */
function isLeft({ host }: Runtime, session: Key): boolean {
  const value = host.sessions.read(session)?.value;
  return (value === "prompted" || value === "abandoned") && host.sessions.find(session)?.isOwned === false;
}

const tell = ({ host }: Runtime, session: Key, event: SettingsEvent): Promise<Delivery> => host.send(session, event);
