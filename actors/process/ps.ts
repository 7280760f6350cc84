/**
 * What `ps` says about processes, for systems without `/proc`. Starts are known to the second there.
 */
import { spawnSync } from "node:child_process";
import { MARKER_VARIABLE, SCOPE_VARIABLE } from "./marker-names.ts";
import type { ProcessRow } from "./process-row.ts";

const COLUMNS = ["-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart=", "-o", "command="];
// Pid, parent, group, state, start ("Sat Nov 22 01:03:00 2025"), command with its environment.
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s*(.*)$/;

/** The start of a running process as `Identity` has it, or null; `unclear` where `ps` could not be run. */
export function readPsIdentity(pid: number): string | null | "unclear" {
  const rows = runPs(["-ww", ...COLUMNS, "-p", String(pid)]);
  return rows === null ? "unclear" : (rows.find((row) => row.pid === pid)?.startedAt ?? null);
}

/** Rows of all processes. The environment shows for the user's own ones only. */
export function readPsTable(): ProcessRow[] {
  return runPs([process.platform === "darwin" ? "-axEww" : "axeww", ...COLUMNS]) ?? [];
}

/** The rows in the output of `ps`; lines of another form and zombies are left out. */
export function parsePs(output: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of output.split("\n")) {
    const [, pid, ppid, pgid, state, start, command] = ROW.exec(line) ?? [];
    if (state === undefined || start === undefined || command === undefined || state.startsWith("Z")) continue;
    const startedAt = `${Date.parse(`${start} UTC`) / 1000}.ps`;
    const marker = { owner: lastValue(command, MARKER_VARIABLE), scope: lastValue(command, SCOPE_VARIABLE) };
    rows.push({ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), startedAt, ...marker, blank: false });
  }
  return rows;
}

// The environment comes after the command's own words, so the last one counts.
function lastValue(command: string, name: string): string | null {
  const at = command.lastIndexOf(` ${name}=`);
  if (at === -1) return null;
  const [value] = command.slice(at + name.length + 2).split(" ", 1);
  return value ?? null;
}

function runPs(args: string[]): ProcessRow[] | null {
  const env = { PATH: `/bin:/usr/bin:${process.env.PATH ?? ""}`, LC_ALL: "C", TZ: "UTC" };
  const { stdout, error } = spawnSync("ps", args, {
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    timeout: 2000,
  });
  return error === undefined ? parsePs(stdout ?? "") : null;
}
