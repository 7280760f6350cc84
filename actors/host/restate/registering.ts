/**
 * What a worker tells and asks the engine's admin interface.
 *
 * I1. Workers with other tags do not share an address: the newest of them would take what the others do.
 */
import { TroupeError } from "../../errors/troupe-error.ts";
import { type Answer, askedAt, type Pause } from "./admin.ts";

type Registering = { uri: string; work: string; tags: readonly string[] };
type Deployments = { deployments: { uri?: string; services: { name: string }[] }[] };

/** Tells it where a worker is. Throws SYSTEM.ENGINE.UNREACHABLE, USER.CLI.USAGE. */
export async function register(admins: string, { uri, work, tags }: Registering, pause?: Pause): Promise<void> {
  const own = tags.map((tag) => `${work}_${tag}`);
  const known = JSON.parse((await asked(admins, "/deployments", {}, pause)).text) as Deployments;
  for (const { uri: at = "", services } of known.deployments) {
    const names = services.map(({ name }) => name).filter((name) => name === work || name.startsWith(`${work}_`));
    const isOurs = names.length === 0 || names.sort().join() === (own.length === 0 ? [work] : own.sort()).join();
    if (!isOurs && at.replace(/\/+$/, "") === uri.replace(/\/+$/, "")) {
      const words =
        "workers with other tags, or with none, are at that address: give these one of their own (--listen)";
      throw new TroupeError("USER.CLI.USAGE", `${uri}: ${words}`);
    }
  }
  const posting = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri, force: true }),
  };
  const response = await asked(admins, "/deployments", posting, pause);
  if (!response.ok) throw refused(admins, `${response.status} ${response.text.slice(0, 300)}`);
}

/** Whether the engine knows a service. */
export const isServedAt =
  (admins: string) =>
  async (service: string): Promise<boolean> =>
    (await asked(admins, `/services/${service}`)).ok;

const asked = (admins: string, path: string, options?: RequestInit, pause?: Pause): Promise<Answer> =>
  askedAt(admins, path, options, pause).catch((error: Error) => {
    throw refused(admins, error.message);
  });

function refused(admins: string, words: string): TroupeError {
  const message = `the engine's admin interface at ${admins} did not take this worker: ${words}`;
  return new TroupeError("SYSTEM.ENGINE.UNREACHABLE", message, { engine: admins });
}
