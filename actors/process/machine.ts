/**
 * Which machine this is, so that what was agreed to on one is not taken for agreed to on another.
 *
 * I1. The system's own id leaves this file as a digest alone.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

const FILES = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
let known: string | null = null;

/** The same until the system is installed anew; where the system has no id of its own, until it gets another name. */
export function machineId(): string {
  known ??= createHash("sha256").update(`troupe ${systemId()}`).digest("hex");
  return known;
}

function systemId(): string {
  if (process.platform === "darwin") {
    const { stdout } = spawnSync("/usr/sbin/sysctl", ["-n", "kern.uuid"], { encoding: "utf8", timeout: 5_000 });
    if (stdout?.trim()) return stdout.trim();
  }
  for (const file of FILES) {
    try {
      const id = readFileSync(file, "utf8").trim();
      if (id !== "") return id;
    } catch {
      // Not every system has it.
    }
  }
  return hostname();
}
