/**
 * Which processes of this user can be inspected, and where.
 *
 * I1. Anyone with the address can connect, so only this user can read its file (`announced.ts`).
 */
import type { Environment } from "../base/user-folders.ts";
import { announce, announced } from "./announced.ts";

/** `command`: what it was started as. `address`: a WebSocket's. */
export type InspectedProcess = { pid: number; command: string; address: string };

/** Says where this process can be inspected; answers what takes it back. Throws what the file system throws. */
export const announceInspection = (environment: Environment, told: Omit<InspectedProcess, "pid">): (() => void) =>
  announce(environment, "inspect", { pid: process.pid, ...told });

/** Those that live, by their pids. */
export const inspectedProcesses = (environment: Environment): InspectedProcess[] =>
  announced(environment, "inspect")
    .flatMap(({ pid, command, address }) =>
      typeof pid === "number" && typeof command === "string" && typeof address === "string"
        ? [{ pid, command, address }]
        : [],
    )
    .sort((a, b) => a.pid - b.pid);
