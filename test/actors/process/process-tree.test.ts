import { describe, expect, it, vi } from "vitest";
import { encodeIdentity, identityOf, ownIdentity } from "../../../actors/process/identity.ts";
import type { ProcessRow } from "../../../actors/process/process-row.ts";
import { familyOf } from "../../../actors/process/process-tree.ts";
import { row, start } from "./support.ts";

const CHILD = 100;

function family(...looks: ProcessRow[][]) {
  return familyOf(CHILD, { TROUPE_SCOPE: "s" }, () => looks.shift() ?? []);
}
const pids = (rows: readonly ProcessRow[]) => rows.map(({ pid }) => pid);

describe("family", () => {
  it("holds scope, group, descendants and what belongs to a Troupe among them (I1)", () => {
    const inner = row({ pid: 103, ppid: 102 });
    const rows = [
      row({ pid: 105, owner: encodeIdentity(inner) }),
      inner,
      row({ pid: 104, ppid: 103, pgid: 104 }),
      row({ pid: CHILD, pgid: CHILD, ppid: 50 }),
      row({ pid: 101, scope: "s" }),
      row({ pid: 102, pgid: CHILD }),
      row({ pid: 110, scope: "t", owner: "9.9" }),
      row({ pid: 50 }),
    ];
    expect(pids(family(rows).look(null).members).sort()).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it("leaves alone what another Troupe started under the same scope (I5)", () => {
    const ours = familyOf(CHILD, { TROUPE_OWNER: "5.a", TROUPE_SCOPE: "s" }, () => [
      row({ pid: 130, owner: "5.a", scope: "s" }),
      row({ pid: 131, owner: "6.a", scope: "s" }),
    ]);
    expect(pids(ours.look(null).members)).toEqual([130]);
  });

  it("keeps a member that was handed to another parent, but not a new process with its pid (I1, I2)", () => {
    const seen = [row({ pid: CHILD }), row({ pid: 120, ppid: CHILD })];
    const orphan = [row({ pid: 120, ppid: 1 })];
    const stranger = [row({ pid: 120, ppid: 1, startedAt: "2.test" })];
    const ours = family(seen, orphan, stranger);
    expect([ours.look(null).members, ours.look(null).members, ours.look(null).members].map(pids)).toEqual([
      [CHILD, 120],
      [120],
      [],
    ]);
  });

  it("knows the group by its number only until the number can have been given away (I3)", () => {
    const group = [row({ pid: 121, pgid: CHILD })];
    const reused = [row({ pid: CHILD, startedAt: "9.test" }), row({ pid: 122, pgid: CHILD, ppid: CHILD })];
    const ours = family(group, reused);
    ours.childGone = true;
    expect([ours.look(null).members, ours.look(null).members].map(pids)).toEqual([[121], []]);
  });

  it("says nothing of a look for which no file can be opened, and throws what is something else (I6)", () => {
    const codes = ["EMFILE", "ENFILE", "EIO"];
    const ours = familyOf(CHILD, { TROUPE_SCOPE: "s" }, () => {
      throw Object.assign(new Error("scandir '/proc'"), { code: codes.shift() });
    });
    for (let look = 0; look < 2; look++) expect(ours.look(null)).toEqual({ members: [], unclear: [CHILD] });
    expect(() => ours.look(null)).toThrow("scandir '/proc'");
  });

  it("signals a process only while it is the one that was seen (I2)", async () => {
    const child = start(["cat"], { stdin: "pipe" });
    const ours = family();
    ours.childGone = true;
    const identity = identityOf(child.pid!)!;
    ours.signal([row({ ...identity, startedAt: "1.before" })], "SIGKILL");
    child.stdin!.write("still here\n");
    await child.says(/still here/);
    ours.signal([row(identity)], "SIGKILL");
    expect(await child.ended).toEqual({ type: "signalled", signal: "SIGKILL" });
  });

  it("signals those in the group through the group, so that each gets the signal once (I3)", () => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const ours = family();
    const inside = row({ ...ownIdentity(), pgid: CHILD });
    const outside = row({ ...ownIdentity(), pgid: 7 });
    ours.signal([inside, outside], "SIGINT");
    ours.childGone = true;
    ours.signal([inside], "SIGKILL");
    const calls = [...kill.mock.calls];
    kill.mockRestore();
    expect(calls).toEqual([
      [-CHILD, "SIGINT"],
      [process.pid, "SIGINT"],
      [process.pid, "SIGKILL"],
    ]);
  });

  it("never holds our own process (I4)", () => {
    expect(family([row({ pid: process.pid, scope: "s" })]).look(null).members).toEqual([]);
  });

  it("is unclear about a stranger inside exec", () => {
    const look = (...rows: ProcessRow[]) => family(rows).look([1]);
    expect(look(row({ pid: 130, blank: true }), row({ pid: 131 }))).toEqual({ members: [], unclear: [130] });
    expect(look(row({ pid: 130, blank: true, pgid: CHILD })).unclear).toEqual([]);
  });
});
