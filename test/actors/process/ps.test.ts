import { describe, expect, it } from "vitest";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { parsePs, readPsIdentity, readPsTable } from "../../../actors/process/ps.ts";
import { start } from "./support.ts";

describe("ps", () => {
  it("reads rows, and leaves out zombies and lines of another form", () => {
    const output = [
      "  PID  PPID",
      "  501     1   501 Ss   Sat Nov 22 01:03:00 2025 /bin/sh -c x TROUPE_OWNER=7.1.ps PATH=/bin TROUPE_SCOPE=s/1",
      "  502   501   501 Z    Sat Nov 22 01:03:01 2025 (sh)",
      "    3     2     0 I<   Mon Dec  1 11:00:09 2025 [kworker]",
      "",
    ].join("\n");
    expect(parsePs(output)).toEqual([
      { pid: 501, ppid: 1, pgid: 501, startedAt: "1763773380.ps", owner: "7.1.ps", scope: "s/1", blank: false },
      { pid: 3, ppid: 2, pgid: 0, startedAt: "1764586809.ps", owner: null, scope: null, blank: false },
    ]);
  });

  it("finds a real child, its marker and its start", async () => {
    const marker = markerFor(ownIdentity(), "ps/real child");
    const child = start(["cat"], { stdin: "pipe", marker });
    const found = readPsTable().filter((row) => row.pid === child.pid);
    expect(found).toEqual([
      {
        pid: child.pid,
        ppid: process.pid,
        pgid: child.pid,
        startedAt: readPsIdentity(child.pid!),
        owner: marker.TROUPE_OWNER,
        scope: "ps/real%20child",
        blank: false,
      },
    ]);
    await child.terminate();
    expect(readPsIdentity(child.pid!)).toBeNull();
  });
});
