/** What a host over an engine is given. */
import type { Key } from "../../../machines/model.ts";
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { Mask } from "../../masking/masking.ts";
import type { Host } from "../host.ts";
import type { HostOptions } from "../options.ts";

/** `self`: distinct for every process. `onLeave`: nothing of a session of this process's own runs any more. */
export type EngineOptions = Omit<HostOptions, "storage" | "owner" | "clock"> & {
  url: string;
  /** The name of this Troupe's services: several may share an engine. */
  name: string;
  self: string;
  mask: Mask;
  clock: Pick<Clock, "now" | "elapsed" | "after" | "sleep">;
  /** Sessions that are made here are worked by workers with this tag alone. */
  tag?: string;
  /** Has the values of secret inputs that were typed elsewhere (`lacking.ts`). */
  environment: Environment;
  /** Whether a folder is on this machine. */
  hasFolder?: (folder: string) => boolean;
  /** Keeps what is of this machine. */
  beside: Pick<Host, "trust" | "consents" | "schedules"> & { stop(): Promise<void> };
  onLeave?: (session: Key) => void;
  /** How the engine is called; by default as everything is. */
  fetch?: typeof fetch;
};
