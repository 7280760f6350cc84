/** The cost of a process: its memory and its processor time. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of one process in bytes. */
export function residentBytes(pid: number): number {
  if (process.platform === "linux") {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kib) * 1024;
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024;
}
/** Processor time of all threads of a process, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ran = (thread: string) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return threads.reduce((sum, thread) => sum + ran(thread), 0) / 1e6;
}
export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
export const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
