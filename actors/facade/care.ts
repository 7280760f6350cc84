/** What looks after an installation and its store; each part is loaded when it is asked for. */
import type { Checkup } from "../api/checkup.ts";
import type { Troupe } from "../api/facade.ts";
import type { Collected, Retention } from "../api/upkeep.ts";
import type { Environment } from "../base/user-folders.ts";
import { readConfig } from "../config/config.ts";
import type { TroupeError } from "../errors/troupe-error.ts";
import { checkedObject, checkedRetention } from "./call-forms.ts";
import type { Runtime } from "./runtime.ts";
import { storeFileOf } from "./store-file.ts";

/** How Troupe is in a folder. */
export async function checkupOf(
  troupe: Pick<Troupe, "list" | "warnings" | "validate" | "agents">,
  environment: Environment,
  cwd: string,
): Promise<Checkup> {
  const { checkup } = await import("./checkup/checkup.ts");
  const owned = async () => await (await troupe.agents(cwd)).list();
  const workflows = async () => ({ found: await troupe.list(cwd), warnings: await troupe.warnings(cwd) });
  const findings = async (id: string) => (await troupe.validate(cwd, id)).findings;
  return await checkup({ environment, workflows, findings, owned });
}

/** Why the store of this user cannot be used, as far as a look at its files shows it; null where nothing does. */
export async function storeFault(environment: Environment): Promise<TroupeError | null> {
  const { closedStore } = await import("../host/sqlite/health.ts");
  return closedStore(storeFileOf(environment), environment);
}

/** Brings the store to these limits, and to those that the user has configured. Throws USER.CONFIG.INVALID and USER.FACADE.INVALID_REQUEST. */
export async function collectIn(
  { open, environment }: { open: () => Runtime; environment: Environment },
  limits: Retention,
  how: { dryRun?: boolean },
): Promise<Collected> {
  const { collect } = await import("./upkeep/collect.ts");
  const { dryRun = false } = checkedObject("options", how);
  const all = { ...readConfig(environment).retention, ...checkedRetention(limits) };
  const act = async (): Promise<Collected> => {
    const { host, options } = open();
    return await collect(host, all, { dryRun, now: options.clock.now() });
  };
  const sizeOf = (): number => {
    const { used, free } = open().host.collecting.size();
    return used + free;
  };
  try {
    return await act();
  } catch (error) {
    const { lacksRoom, makeRoom, noRoom } = await import("./upkeep/make-room.ts");
    if (!lacksRoom(error, environment)) throw error;
    if (dryRun || makeRoom(environment) === 0) throw noRoom(error, environment, sizeOf);
    try {
      await open().host.collecting.bringIn();
      return await act();
    } catch (again) {
      throw lacksRoom(again, environment) ? noRoom(again, environment, sizeOf) : again;
    }
  }
}
