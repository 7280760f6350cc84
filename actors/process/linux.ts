/**
 * What `/proc` says about processes. Every reader answers null for a process that is gone, that ended without being
 * collected, or that we may not look at.
 */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { MARKER_VARIABLE, SCOPE_VARIABLE } from "./marker-names.ts";

export type LinuxStat = {
  ppid: number;
  pgid: number;
  startTicks: string;
  /** It has a memory but no environment in it yet: between the two halves of an exec. */
  inExec: boolean;
};

export type LinuxMarker = { owner: string | null; scope: string | null };

const KERNEL_THREAD = 0x00200000;

const OWNER_KEY = Buffer.from(`${MARKER_VARIABLE}=`);
const SCOPE_KEY = Buffer.from(`${SCOPE_VARIABLE}=`);

let bootId: string | null = null;
let buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** A word that is another one after each boot of the machine. */
export function readBootId(): string {
  bootId ??= (readText("/proc/sys/kernel/random/boot_id") ?? "unknown").trim().replaceAll("-", "");
  return bootId;
}

/** Stays open: each command that ends asks, and to open it costs three times as much as to read it. */
let lastPidFile: number | null | undefined;
const digits = Buffer.alloc(32);

/** The pid given out last in our pid namespace, or null where the kernel does not report it. */
export function readLastPid(): number | null {
  lastPidFile ??= opened("/proc/sys/kernel/ns_last_pid");
  if (lastPidFile === null) return null;
  const last = Number(digits.toString("latin1", 0, readSync(lastPidFile, digits, 0, digits.length, 0)));
  return Number.isSafeInteger(last) && last > 0 ? last : null;
}

function opened(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}

/** `/proc/<pid>/stat`; its second field may itself hold spaces and brackets, so fields count from the last one. */
export function readLinuxStat(pid: number): LinuxStat | null {
  const stat = lookAtLinux(pid);
  return stat === "unclear" ? null : stat;
}
/** The same. `unclear`: the system does not let us look, for want of a descriptor for one. */
export function lookAtLinux(pid: number): LinuxStat | null | "unclear" {
  const length = readInto(`/proc/${pid}/stat`);
  if (length === UNCLEAR) return "unclear";
  if (length <= 0) return null;
  const text = buffer.toString("latin1", 0, length);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, ppid, pgid] = fields;
  const startTicks = fields[19];
  if (startTicks === undefined || state === "Z" || state === "X") return null;
  const inExec = fields[48] === "0" && (Number(fields[6]) & KERNEL_THREAD) === 0;
  return { ppid: Number(ppid), pgid: Number(pgid), startTicks, inExec };
}

/** True if the process counts its pids as we do: a container's marker names a pid that means nothing out here. */
export function sharesPidNamespace(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync("/proc/self/ns/pid");
  } catch {
    return false;
  }
}

/** All pids that `/proc` lists. */
export function listPids(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && pid > 0);
}

/** The marker variables of a process, or null if it shows no environment. */
export function readLinuxMarker(pid: number): LinuxMarker | null {
  const length = readInto(`/proc/${pid}/environ`);
  if (length === 0) return null;
  const environ = buffer.subarray(0, Math.max(length, 0));
  return { owner: valueIn(environ, OWNER_KEY), scope: valueIn(environ, SCOPE_KEY) };
}

function valueIn(environ: Buffer, key: Buffer): string | null {
  for (let at = environ.indexOf(key); at !== -1; at = environ.indexOf(key, at + 1)) {
    if (at !== 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString("latin1", at + key.length, end === -1 ? environ.length : end);
  }
  return null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}

const GONE = -1;
const UNCLEAR = -2;
const isGone = (error: unknown): boolean => ["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "");

// One buffer serves all reads and grows to the largest environment met: a scan must not make garbage by the megabyte.
function readInto(path: string): number {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return isGone(error) ? GONE : UNCLEAR;
  }
  try {
    let length = 0;
    for (;;) {
      length += readSync(file, buffer, length, buffer.length - length, null);
      // These files fill the buffer as far as they go, so what leaves room was the end.
      if (length < buffer.length) return length;
      buffer = Buffer.concat([buffer], buffer.length * 2);
    }
  } catch (error) {
    return isGone(error) ? GONE : UNCLEAR;
  } finally {
    closeSync(file);
  }
}
