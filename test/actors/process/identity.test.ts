import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeIdentity, encodeIdentity, identityOf, isAlive, ownIdentity } from "../../../actors/process/identity.ts";
import { deadIdentity, shell, start, until } from "./support.ts";

describe("identity", () => {
  it("is the same each time and different for each process (I1)", async () => {
    const child = start(["cat"], { stdin: "pipe" });
    expect(identityOf(process.pid)).toEqual(ownIdentity());
    expect(identityOf(child.pid!)).toEqual(identityOf(child.pid!));
    expect(encodeIdentity(identityOf(child.pid!)!)).not.toBe(encodeIdentity(ownIdentity()));
    child.stdin!.end();
    await child.ended;
  });

  it("is alive until the process ends", async () => {
    expect(isAlive(ownIdentity())).toBe(true);
    expect(isAlive(await deadIdentity())).toBe(false);
  });

  it("is not alive when the pid belongs to a later process", () => {
    expect(isAlive({ pid: process.pid, startedAt: "1.another" })).toBe(false);
  });

  it("is not alive as a zombie (I2)", async () => {
    // A second shell takes the first one's place and knows nothing of its child: no one collects it.
    const parent = shell('sleep 600 & echo "child=$!"; exec sh -c "echo exchanged; exec cat >/dev/null"', {
      stdin: "pipe",
    });
    const pid = Number((await parent.says(/child=(\d+)\n/))[1]);
    await parent.says(/exchanged/);
    process.kill(pid, "SIGKILL");
    await until(() => identityOf(pid) === null);
    expect(() => process.kill(pid, 0)).not.toThrow();
    await parent.terminate();
  });

  it("has none for a pid that cannot be", () => {
    expect([0, -1, 1.5, Number.NaN, 2 ** 31].map(identityOf)).toEqual([null, null, null, null, null]);
  });

  it("decodes to what was encoded, in one plain word (I3)", () => {
    expect(decodeIdentity(encodeIdentity(ownIdentity()))).toEqual(ownIdentity());
    const start = fc.stringMatching(/^[0-9]{1,12}\.[0-9a-f]{32}$/);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), start, (pid, startedAt) => {
        const text = encodeIdentity({ pid, startedAt });
        expect(text).toMatch(/^[0-9A-Za-z.-]+$/);
        expect(decodeIdentity(text)).toEqual({ pid, startedAt });
      }),
    );
  });

  it("decodes nothing but what it encoded itself", () => {
    for (const text of ["", "12", "12.", ".5", "012.5", "-1.5", "1 .5", "1.5\n", "x.5", "1.5/..", "99999999999.1"]) {
      expect([text, decodeIdentity(text)]).toEqual([text, null]);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const identity = decodeIdentity(text);
        expect(identity === null || encodeIdentity(identity) === text).toBe(true);
      }),
    );
  });
});
