/** Engines, as the faces name them. */

import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { type Engine, engineAt } from "../../host/restate/engine.ts";
import { engineFolder } from "./installed.ts";
import { type EnginePorts, type EngineServer, startEngine } from "./server.ts";

export { ENGINE_VERSION, engineFolder, engineProgram, installEngine } from "./installed.ts";
export { ENGINE_PORTS } from "./server.ts";
export type { EnginePorts, EngineServer };

/** An engine by the URL of its ingress. */
export const engineOf = (url: string, environment: Environment): Engine =>
  engineAt({ url, sdk: [engineFolder(environment)] });

/** One for this machine alone; `folder`: where it keeps what it keeps, else beside the store. */
export const engineUp = (environment: Environment, ports: EnginePorts, folder?: string): Promise<EngineServer> =>
  startEngine({
    environment,
    ports,
    folder: folder ?? join(userFolders(environment).state, "engine", "node"),
    clock: systemClock,
  });
