/** What a Troupe does for an engine. */
import type { Listening, Serving } from "../base/engine-port.ts";

export type EngineWork = {
  /** Takes events of sessions, and works, for the engine that this Troupe was made with. Throws SYSTEM.ENGINE.*. */
  work(listening: Listening): Promise<Serving>;
};
