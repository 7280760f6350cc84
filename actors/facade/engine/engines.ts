/** Engines, as the faces name them. */

import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { type Engine, engineAt, exportStore, importStore, type Moved } from "../../host/restate/engine.ts";
import { storeFileOf } from "../store-file.ts";
import { engineFolder } from "./installed.ts";
import { type EnginePorts, type EngineServer, type EngineServing, startEngine } from "./server.ts";

export { ENGINE_VERSION, engineFolder, engineProgram, installEngine } from "./installed.ts";
export { ENGINE_PORTS } from "./server.ts";
export type { EnginePorts, EngineServer };

/** An engine by the URL of its ingress. `tag`: of the workers that alone work for sessions that are made here. */
export const engineOf = (url: string, environment: Environment, tag?: string): Engine =>
  engineAt({ url, tag, sdk: [engineFolder(environment)] });

/** `folder`: where it keeps what it keeps, else beside the store. */
export type EngineAsked = Pick<EngineServing, "ports" | "cluster" | "identityKey"> & { folder?: string | undefined };

/** One node for this machine alone, or for a cluster of this machine. */
export const engineUp = (environment: Environment, { ports, folder, cluster = [], identityKey }: EngineAsked) =>
  startEngine({
    environment,
    ports,
    cluster,
    identityKey,
    folder:
      folder ?? join(userFolders(environment).state, "engine", cluster.length === 0 ? "node" : `node-${ports.node}`),
    clock: systemClock,
  });

/** What the user's store has moves into an engine. Throws SYSTEM.ENGINE.*, SYSTEM.STORE.*: what was moved until then is moved. */
export const moveIntoEngine = (environment: Environment, url: string): Promise<Moved> =>
  importStore({ file: storeFileOf(environment), environment, url });
/** And back. `admin`: where the engine's admin interface is, which knows the sessions. Throws the same. */
export const moveOutOfEngine = (environment: Environment, url: string, admin: string): Promise<Moved> =>
  exportStore({ file: storeFileOf(environment), environment, url, admin });
