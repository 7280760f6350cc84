import { describe, expect, it } from "vitest";
import { encodeIdentity, type Identity, identityOf, isAlive, ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import type { ScanProcesses } from "../../../actors/process/process-row.ts";
import { SWEEP_GRACE_MS, sweep } from "../../../actors/process/sweep.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import { deadIdentity, jumpingClock, row, type Started, shell, start, until } from "./support.ts";

/** The owners of what only these tests take for a dead one's: any Troupe of this machine ends what bears such a marker. */
const claimed = new Map<Started, string>();
/** The real table, but only what this test has started. */
function only(...mine: Started[]): ScanProcesses {
  return () =>
    scanProcesses(null).flatMap((row) => {
      const one = mine.find(({ pid }) => pid === row.pid || pid === row.ppid);
      return one === undefined ? [] : [{ ...row, owner: claimed.get(one) ?? row.owner }];
    });
}
const living = (...mine: Started[]) => mine.map((one) => identityOf(one.pid!) !== null);
const cat = (marker: { readonly [name: string]: string }) => start(["cat"], { stdin: "pipe", marker });
function ownedBy(owner: Identity, child = cat({})): Started {
  claimed.set(child, encodeIdentity(owner));
  return child;
}

describe("sweep", () => {
  it("ends what belongs to a dead owner and nothing else (I1)", async () => {
    const second = cat({});
    const dead = ownedBy(await deadIdentity());
    const own = cat(markerFor(ownIdentity(), "sweep/own"));
    const others = cat(markerFor(identityOf(second.pid!)!, "sweep/others"));
    const odd = cat({ TROUPE_OWNER: "not an identity" });
    const scan = only(second, dead, own, others, odd);
    expect(await sweep(undefined, { scan })).toBe(1);
    expect(living(second, dead, own, others, odd)).toEqual([true, false, true, true, true]);
    expect(await sweep(undefined, { scan })).toBe(0);
    await Promise.all([second, own, others, odd].map((one) => one.terminate()));
  });

  it("sees nothing where no file can be opened (I4)", async () => {
    const scan: ScanProcesses = () => {
      throw Object.assign(new Error("scandir '/proc'"), { code: "EMFILE" });
    };
    expect(await sweep(undefined, { scan })).toBe(0);
  });

  it("believes the store about who lives", async () => {
    const owner = await deadIdentity();
    const child = ownedBy(owner);
    const asked: string[] = [];
    const ownersAlive = (identity: typeof owner) => asked.push(encodeIdentity(identity)) > 0;
    expect(await sweep({ ownersAlive }, { scan: only(child) })).toBe(0);
    expect([asked, living(child)]).toEqual([[encodeIdentity(owner)], [true]]);
    await child.terminate();
  });

  it("kills what does not listen, and counts what it started meanwhile", async () => {
    const clock = jumpingClock();
    const deaf = shell('trap "" TERM; sleep 600 & echo ready; while :; do wait; done', { marker: {} });
    const child = ownedBy(await deadIdentity(), deaf);
    await child.says(/ready/);
    const done = sweep(undefined, { scan: only(child), clock });
    await until(() => clock.timers() === 1);
    clock.advance(SWEEP_GRACE_MS);
    expect(await done).toBe(2);
    expect(living(child)).toEqual([false]);
  });

  it("never ends our own process, nor one that it runs under (I2)", async () => {
    const owner = encodeIdentity(await deadIdentity());
    const above = cat({});
    const parent = row({ ...identityOf(above.pid!)!, owner });
    const self = row({ ...ownIdentity(), ppid: above.pid!, owner });
    expect(await sweep(undefined, { scan: () => [self, parent] })).toBe(0);
    expect([isAlive(ownIdentity()), living(above)]).toEqual([true, [true]]);
    await above.terminate();
  });

  it("leaves a container's processes alone (I3)", async () => {
    const child = ownedBy(await deadIdentity());
    expect(await sweep(undefined, { scan: only(child), sharesPids: () => false })).toBe(0);
    expect(living(child)).toEqual([true]);
    await child.terminate();
  });

  it("does not signal a process that took over a pid", async () => {
    const child = cat({});
    const owner = encodeIdentity(await deadIdentity());
    let looks = 0;
    const scan = () => (looks++ === 0 ? [row({ pid: child.pid!, startedAt: "1.before", owner })] : []);
    expect(await sweep(undefined, { scan })).toBe(1);
    expect(living(child)).toEqual([true]);
    await child.terminate();
  });
});
