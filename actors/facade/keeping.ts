/** Where a Troupe keeps its sessions. */
import type { Environment } from "../base/user-folders.ts";
import type { Durability, Keeping } from "../host/open.ts";
import type { Engine } from "../host/restate/engine.ts";

export type KeepingOptions = {
  environment: Environment;
  durability: Durability;
  /** Kept in memory alone. */
  ephemeral: boolean;
  /** Kept there. */
  engine?: Engine;
};

/** `file`: of the store. */
export function keepingOf({ ephemeral, durability, environment, engine }: KeepingOptions, file: string): Keeping {
  const here = ephemeral ? ({ on: "memory" } as const) : ({ on: "disk", file, durability, environment } as const);
  return engine === undefined ? here : { on: "engine", engine, beside: here, environment };
}
