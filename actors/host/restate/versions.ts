/**
 * Whether the machines of this worker know what another version of Troupe has written.
 *
 * I1. A machine of a higher version than ours, or of a kind that we do not have, is unknown: who meets it waits for a
 *     worker that knows it, and writes nothing.
 */
import type { AnyStateMachine } from "xstate";
import type { Kind } from "../../../machines/model.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { kindOf } from "../actor-cache.ts";
import type { NamedRow, WorkStart } from "./protocol.ts";

type Machines = ReadonlyMap<Kind, AnyStateMachine>;

/** What a snapshot of a machine names as its version. */
export const versionOf = ({ id, version }: AnyStateMachine): string => `${id}.v${version ?? "0"}`;

/** Null where all is known; else words: which version a session's rows name, and which is known here. */
export function unknownIn(machines: Machines, rows: readonly NamedRow[]): string | null {
  for (const [name, row] of rows) {
    if (row === null || !name.startsWith("actor ")) continue;
    const { snap } = JSON.parse(row) as { snap: string };
    const words = unknown(machines, kindOf(name.slice(6) as never), (JSON.parse(snap) as { v: string }).v);
    if (words !== null) return words;
  }
  return null;
}
/** What the engine is answered, which then tries again, until a worker knows it. */
export const newer = (words: string): TroupeError =>
  new TroupeError("SYSTEM.ENGINE.NEWER", `a newer Troupe has written this, and it waits for a worker of it: ${words}`);
/** The same of a piece of work: the version of the machine that has started it. */
export const unknownStart = (machines: Machines, { key, v }: WorkStart): string | null =>
  unknown(machines, kindOf(key), v);

function unknown(machines: Machines, kind: Kind, v: string): string | null {
  const machine = machines.get(kind);
  if (machine === undefined) return `${v}, and no machine "${kind}" is here`;
  return numberOf(v) > numberOf(versionOf(machine)) ? `${v}, and ${versionOf(machine)} is here` : null;
}
const numberOf = (v: string): number => Number(v.slice(v.lastIndexOf(".v") + 2));
