import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identityOf, ownIdentity } from "../../../actors/process/identity.ts";
import { readLinuxStat, sharesPidNamespace } from "../../../actors/process/linux.ts";
import { readLinuxTable } from "../../../actors/process/linux-table.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { start } from "./support.ts";

const PATH = process.env.PATH ?? "/usr/bin:/bin";

describe.runIf(process.platform === "linux")("/proc", () => {
  it("reads parent, group, start and marker of a child", async () => {
    const marker = markerFor(ownIdentity(), "linux/row");
    const child = start(["cat"], { stdin: "pipe", marker });
    expect(readLinuxTable([child.pid!])).toEqual([
      {
        pid: child.pid,
        ppid: process.pid,
        pgid: child.pid,
        startedAt: identityOf(child.pid!)!.startedAt,
        owner: marker.TROUPE_OWNER,
        scope: "linux/row",
        blank: false,
      },
    ]);
    expect(sharesPidNamespace(child.pid!)).toBe(true);
    await child.terminate();
    expect(readLinuxTable([child.pid!])).toEqual([]);
    expect(sharesPidNamespace(child.pid!)).toBe(false);
  });

  it("reads the state of a program whose name looks like the fields behind it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "process-"));
    const program = join(folder, "a) Z 1 (b");
    copyFileSync("/bin/cat", program);
    const child = start([program], { stdin: "pipe" });
    expect(readLinuxStat(child.pid!)).toMatchObject({ ppid: process.pid, pgid: child.pid });
    await child.terminate();
    rmSync(folder, { recursive: true });
  });

  it("finds the marker behind a large environment, and only as a variable of its own", async () => {
    const filler = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`FILLER_${at}`, "x".repeat(60_000)]));
    const env = { PATH, XTROUPE_SCOPE: "no", WORDS: "TROUPE_SCOPE=no TROUPE_OWNER=no", ...filler };
    const child = start(["cat"], { stdin: "pipe", env, marker: markerFor(ownIdentity(), "linux/large") });
    expect(readLinuxTable([child.pid!]).map(({ scope }) => scope)).toEqual(["linux/large"]);
    await child.terminate();

    const { XTROUPE_SCOPE, WORDS } = env;
    const plain = start(["cat"], { stdin: "pipe", env: { PATH, XTROUPE_SCOPE, WORDS }, marker: {} });
    expect(readLinuxTable([plain.pid!]).map(({ owner, scope }) => [owner, scope])).toEqual([[null, null]]);
    await plain.terminate();
  });

  it("lists our own process among all", () => {
    expect(readLinuxTable(null).map(({ pid }) => pid)).toContain(process.pid);
  });
});
