/** An engine that a Troupe runs on: opened as its host, and served by this process where that is a worker. */

import type { Listening, Serving } from "../../base/engine-port.ts";
import { randomWord } from "../../base/random.ts";
import type { Host } from "../host.ts";
import { EngineHost } from "./engine-host.ts";
import type { EngineOptions } from "./engine-options.ts";
import { engineSdk, serve } from "./serving.ts";

export { exportStore, importStore, type Moved } from "./store-moves.ts";

/** What `openHost` gives. */
export type EngineOpening = Omit<EngineOptions, "url" | "name" | "self" | "tag" | "hasFolder">;
export type Engine = {
  readonly url: string;
  open(opening: EngineOpening): Host;
  /** Takes events of sessions, and works, until it is closed. Only after `open`. Throws SYSTEM.ENGINE.*. */
  work(listening: Listening): Promise<Serving>;
};
/** `tag`: of the workers that alone work for sessions that are made here. `name`: of this Troupe's services on the engine. `sdk`: folders in which the library may be installed. */
export type EnginePlace = { url: string; tag?: string | undefined; name?: string; sdk?: readonly string[] };

/** The engine whose ingress answers at a URL, or at several with commas between them. It is called by the first session that needs it. */
export function engineAt({ url, tag, name = "troupe", sdk = [] }: EnginePlace): Engine {
  let host: EngineHost | undefined;
  const tagged = tag === undefined ? {} : { tag };
  return {
    url,
    open: (opening) => {
      host = new EngineHost({ ...opening, url, name, self: randomWord(12, "hex"), ...tagged });
      return host;
    },
    work: async (listening) => {
      if (host === undefined) throw new Error("an engine is opened before it is served");
      const own = host.serving();
      await own.learnTime();
      const serving = await serve(engineSdk(sdk), own, listening);
      const close = async (): Promise<void> => {
        await own.end(); // while the engine can call this process: there may be no other one
        await serving.close();
      };
      return { ...serving, close };
    },
  };
}
