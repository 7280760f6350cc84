/** What a user's store has moves into an engine, and back: the store opened, the engine asked. */
import { dirname, join } from "node:path";
import type { Key } from "../../../machines/model.ts";
import { systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { ATTACHMENTS_FILE, attachmentsFile } from "../sqlite/attachments.ts";
import { CONVERSATIONS_FILE, conversationsFile } from "../sqlite/conversations.ts";
import { Owning } from "../sqlite/owner.ts";
import { Store } from "../sqlite/store.ts";
import { openStore } from "../sqlite/store-folder.ts";
import { askedAt } from "./admin.ts";
import { Ingress } from "./ingress.ts";
import { type Moved, type Moving, moveIn, moveOut } from "./moves.ts";
import { servicesOf } from "./protocol.ts";
import { WholeSessions } from "./whole-sessions.ts";

export type { Moved };

/** Of the services, as engine.ts has it by default. */
const NAME = "troupe";
/** `file`: of the store. */
export type MoveAsked = { file: string; environment: Environment; url: string };

/** Throws SYSTEM.ENGINE.*, SYSTEM.STORE.*. What was moved until then is moved. */
export const importStore = (asked: MoveAsked): Promise<Moved> => moving(asked, moveIn);

/** `admin`: where the engine's admin interface is, which knows the sessions. Throws the same. */
export async function exportStore({ admin, ...asked }: MoveAsked & { admin: string }): Promise<Moved> {
  const sessions = await sessionsAt(admin, servicesOf(NAME).session);
  return await moving(asked, (all) => moveOut(sessions, all));
}

async function moving(asked: MoveAsked, move: (moving: Moving) => Promise<Moved>): Promise<Moved> {
  const { file, environment, url } = asked;
  const store = openStore(file, environment, () => new Store(file, "full"));
  const { isAlive } = new Owning(dirname(file));
  const ingress = new Ingress(url, servicesOf(NAME), systemClock);
  try {
    return await move({
      store: new WholeSessions(store, isAlive),
      conversations: conversationsFile(join(dirname(file), CONVERSATIONS_FILE)),
      attachments: attachmentsFile(join(dirname(file), ATTACHMENTS_FILE)),
      ingress,
      now: () => systemClock.now(),
    });
  } finally {
    ingress.stop();
    store.close();
  }
}

/** By the engine's own tables. */
async function sessionsAt(admin: string, service: string): Promise<Key[]> {
  const query = `select service_key from state where service_name = '${service}' and key = 'v' order by service_key`;
  const asked = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  };
  const found = await askedAt(admin, "/query", asked).catch((error: Error) => error);
  if (!(found instanceof Error) && found.ok)
    return (JSON.parse(found.text) as { rows: { service_key: Key }[] }).rows.map((row) => row.service_key);
  const words = found instanceof Error ? found.message : `${found.status} ${found.text.slice(0, 300)}`;
  const message = `the engine's admin interface at ${admin} did not say which sessions there are: ${words}`;
  throw new TroupeError("SYSTEM.ENGINE.UNREACHABLE", message, { engine: admin });
}
