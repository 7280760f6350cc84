/** An engine as a stage uses it: the real one, or the one in memory. */
import type { Serving } from "../../../actors/base/engine-port.ts";
import type { ServingHost } from "../../../actors/host/restate/serving-host.ts";
import type { TestClock } from "../host-stage.ts";

/** What a stage asks of its engine. `passes`: so much time of the engine has. */
export type EngineUsed = {
  url: string;
  fetch: typeof fetch;
  serve(host: ServingHost, options: { log(line: string): void; tags: readonly string[] }): Promise<Serving>;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  passes(ms: number): Promise<void>;
};
export type EngineOf = (clock: TestClock) => EngineUsed;
