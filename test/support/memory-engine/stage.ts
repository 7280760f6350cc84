/** The engine in memory as a stage has one: its clock is the stage's, and moves when told. */
import { servicesFor } from "../../../actors/host/restate/services.ts";
import type { EngineOf } from "../engine-stage.ts";
import { turn } from "../host-stage.ts";
import { MemoryEngine, SDK } from "./engine.ts";

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
      url: "http://engine.test",
      fetch: engine.fetch,
      serve: async (host, { log, tags }) => {
        const isServed = async (service: string): Promise<boolean> => engine.serves(service);
        const worker = engine.enter(servicesFor(SDK, host, { tags, isServed }), log);
        return { port: 0, uri: "", close: async () => engine.leave(worker) };
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
