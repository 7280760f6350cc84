/** The engine in memory as a stage has one: its clock is the stage's, and moves when told. */
import { serveLive } from "../../../actors/host/restate/live-server.ts";
import { servicesFor } from "../../../actors/host/restate/services.ts";
import { turn } from "../host-stage.ts";
import { MemoryEngine, SDK } from "./engine.ts";
import type { EngineOf } from "./engine-used.ts";

const URL_OF_IT = "http://engine.test";
/** So many turns are enough for what one event causes here. */
const TURNS = 40;

export const engineRest = async (): Promise<void> => {
  for (let i = 0; i < TURNS; i++) await turn();
};

/** `made`: told of the engine. */
export const memoryEngine =
  (made: (engine: MemoryEngine) => void = () => undefined): EngineOf =>
  (clock) => {
    const engine = new MemoryEngine(clock);
    made(engine);
    return {
      url: URL_OF_IT,
      // What works say at once goes from process to process.
      fetch: (...given) => (String(given[0]).startsWith(URL_OF_IT) ? engine.fetch(...given) : fetch(...given)),
      serve: async (host, { log, tags }) => {
        const isServed = async (service: string): Promise<boolean> => engine.serves(service);
        const worker = engine.enter(servicesFor(SDK, host, { tags, isServed }), log);
        const endLive = await serveLive(host.live, { host: "127.0.0.1", port: 0 });
        const close = async (): Promise<void> => {
          endLive();
          engine.leave(worker);
        };
        return { port: 0, uri: "", close };
      },
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const giveUp = (): void => reject(signal?.reason);
          if (signal?.aborted) return giveUp();
          signal?.addEventListener("abort", giveUp);
          clock.after(ms, resolve);
        }),
      passes: async (ms) => {
        for (let left = ms; left > 0; await engineRest()) {
          const piece = Math.min(left, Math.max(1, clock.next));
          clock.advance(piece);
          left -= piece;
        }
      },
    };
  };
