/**
 * Opens a host over the storage that is asked for: a file of SQLite, which all processes of a user share, or the memory
 * of this process alone; or over an engine, with such a host beside it for what is of this machine.
 *
 * I1. In memory, no file and no folder is made or touched.
 */
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import { randomWord } from "../base/random.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Mask } from "../masking/masking.ts";
import { EmbeddedHost } from "./embedded.ts";
import type { Host } from "./host.ts";
import { MemoryStorage } from "./memory/memory-storage.ts";
import type { HostOptions } from "./options.ts";
import type { Owner } from "./ownership.ts";
import type { Engine } from "./restate/engine.ts";
import { Owning } from "./sqlite/owner.ts";
import { type Durability, Store } from "./sqlite/store.ts";
import { openStore } from "./sqlite/store-folder.ts";

export type { Durability };

/** `disk`: what is committed is there after the process has ended. `memory`: nothing outlives it, no other process sees it. */
type KeptHere = { on: "disk"; file: string; durability: Durability; environment: Environment } | { on: "memory" };
/** `engine`: sessions live there, all processes of the engine see them. `beside`: where trust and consents are. */
export type Keeping = KeptHere | { on: "engine"; engine: Engine; beside: KeptHere; environment: Environment };

type Opening = Omit<HostOptions, "storage" | "owner" | "clock"> & {
  clock: Clock;
  mask: Mask;
  onLeave: NonNullable<Owner["onLeave"]>;
};

/** Throws SYSTEM.STORE.*, SYSTEM.IO.WRITE_FAILED. */
export function openHost(keeping: Keeping, { mask, onLeave, ...options }: Opening): Host {
  switch (keeping.on) {
    case "disk": {
      const { file, durability, environment } = keeping;
      const owning = new Owning(dirname(file));
      const { self, prove, isAlive } = owning;
      const owner: Owner = { self, prove, isAlive, onLeave, end: () => owning.end() };
      return openStore(
        file,
        environment,
        () => new EmbeddedHost({ ...options, owner, storage: new Store(file, durability, mask) }),
      );
    }
    case "memory": {
      const self = randomWord(12, "hex");
      const owner: Owner = { self, prove: () => undefined, isAlive: (other) => other === self, onLeave };
      return new EmbeddedHost({ ...options, owner, storage: new MemoryStorage(mask) });
    }
    case "engine": {
      const { clock, id } = options;
      const beside = openHost(keeping.beside, { clock, id, mask, onLeave: () => undefined });
      return keeping.engine.open({ ...options, mask, onLeave, beside, environment: keeping.environment });
    }
    default:
      return keeping satisfies never;
  }
}
