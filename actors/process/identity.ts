/**
 * Which process is meant: a pid alone names another process as soon as it is used again, a pid with its start does not.
 *
 * I1. Two processes of one machine never have the same identity, also not across a reboot.
 * I2. A process that has ended but was not collected by its parent (a zombie) is not alive.
 * I3. An encoded identity holds only letters, digits, dots and dashes, and decodes to what was encoded.
 */
import { lookAtLinux, readBootId } from "./linux.ts";
import { readPsIdentity } from "./ps.ts";

export type Identity = {
  pid: number;
  /** On Linux the start in clock ticks and the boot's id, elsewhere the start in seconds since 1970 and `ps`. */
  startedAt: string;
};

const ENCODED = /^([1-9][0-9]{0,9})\.([0-9A-Za-z][0-9A-Za-z.-]{0,99})$/;

let own: Identity | null = null;

/** The identity of a running process, or null if there is none with this pid. */
export function identityOf(pid: number): Identity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const startedAt = startOf(pid);
  return startedAt === null || startedAt === "unclear" ? null : { pid, startedAt };
}
const startOf = (pid: number): string | null => (process.platform === "linux" ? linuxStart(pid) : readPsIdentity(pid));

/** This process's own identity, read once. */
export function ownIdentity(): Identity {
  own ??= identityOf(process.pid) ?? { pid: process.pid, startedAt: `${Math.round(performance.timeOrigin)}.node` };
  return own;
}

/** True while exactly this process surely runs: the same pid and the same start. */
export function isAlive(identity: Identity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt;
}

/** False only when exactly this process surely does not run any more. */
export function mayLive(identity: Identity): boolean {
  const start = startOf(identity.pid);
  return start === "unclear" || start === identity.startedAt;
}

/** One word for a database column or an environment variable (I3). */
export function encodeIdentity(identity: Identity): string {
  return `${identity.pid}.${identity.startedAt}`;
}

/** What `encodeIdentity` made, or null for any other text. */
export function decodeIdentity(text: string): Identity | null {
  const [, pid, startedAt] = ENCODED.exec(text) ?? [];
  return pid === undefined || startedAt === undefined ? null : { pid: Number(pid), startedAt };
}

function linuxStart(pid: number): string | null {
  const stat = lookAtLinux(pid);
  return stat === null || stat === "unclear" ? stat : `${stat.startTicks}.${readBootId()}`;
}
