import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { identityOf, isAlive } from "../../../actors/process/identity.ts";
import { readPsTable } from "../../../actors/process/ps.ts";
import { TERMINATE_GRACE_MS } from "../../../actors/process/spawn.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import { withLimit } from "../../../actors/process/terminate.ts";
import { born, eachWay, jumpingClock, row, shell, start, until } from "./support.ts";

const KILL_BOUND_MS = 1000;
const isStopped = (pid: number): boolean =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.startsWith("T");
const DEAF = `trap "" TERM INT; echo "pid=$$"; while :; do sleep 600; done`;

eachWay(() => {
  describe("terminate", () => {
    it("sends SIGTERM first", async () => {
      const child = shell('trap "echo term; exit 3" TERM; echo ready; while :; do sleep 600 & wait; done');
      await child.says(/ready/);
      await child.terminate();
      expect(await child.ended).toEqual({ type: "exited", code: 3 });
      expect(child.chunks.map(([, text]) => text).join("")).toBe("ready\nterm\n");
    });

    it("sends SIGINT first where asked, and each process of the group gets it once", async () => {
      const script =
        'let n = 0; process.on("SIGINT", () => { console.log("int", ++n); if (n > 1) process.exit(2); setImmediate(() => setImmediate(() => process.exit(0))); }); setInterval(() => {}, 1e6); console.log("ready")';
      const child = start([process.execPath, "-e", script]);
      await child.says(/ready/);
      await child.terminate({ first: "SIGINT" });
      expect(await child.ended).toEqual({ type: "exited", code: 0 });
      expect(child.chunks.map(([, text]) => text).join("")).toBe("ready\nint 1\n");
    });

    it("kills what does not listen, after its grace and not before", async () => {
      const clock = jumpingClock();
      const child = shell(DEAF, { clock });
      await child.says(/pid/);
      const done = child.terminate();
      await until(() => clock.timers() === 1);
      clock.advance(TERMINATE_GRACE_MS / 2);
      expect([child.left().length > 0, clock.timers()]).toEqual([true, 1]);
      clock.advance(TERMINATE_GRACE_MS / 2);
      await done;
      expect([await child.ended, child.left()]).toEqual([{ type: "signalled", signal: "SIGKILL" }, []]);
    });

    it("kills what does not listen as soon as the child has gone (T15)", async () => {
      const clock = jumpingClock();
      const child = shell(`setsid sh -c '${DEAF}' & wait`, { clock });
      const identity = identityOf(Number((await child.says(/pid=(\d+)/))[1]))!;
      const begun = clock.elapsed();
      await child.terminate({ graceMs: 100_000 });
      expect([isAlive(identity), child.left()]).toEqual([false, []]);
      expect(clock.elapsed() - begun).toBeLessThan(50_000);
    });

    it("finds what called setsid and forked twice (T15)", async () => {
      const child = shell(`(setsid sh -c '(setsid sh -c "echo pid=\\$\\$; exec sleep 600" &)' &); exec sleep 600`);
      const identity = identityOf(Number((await child.says(/pid=(\d+)/))[1]))!;
      await child.terminate();
      expect([isAlive(identity), child.left()]).toEqual([false, []]);
    });

    it("does not find that without its scan: the proof that the scan does it", async () => {
      const child = shell(`(setsid sh -c 'echo pid=$$; exec sleep 600' &); exec sleep 600`, { scan: () => [] });
      const identity = identityOf(Number((await child.says(/pid=(\d+)/))[1]))!;
      await child.terminate();
      expect([isAlive(identity), await child.ended]).toEqual([true, { type: "signalled", signal: "SIGTERM" }]);
      process.kill(identity.pid, "SIGKILL");
    });

    it("finds a descendant that dropped its marker and its group", async () => {
      const child = shell(`env -i setsid /bin/sh -c 'echo pid=$$; exec /bin/sleep 600' & wait`);
      const identity = identityOf(Number((await child.says(/pid=(\d+)/))[1]))!;
      await child.terminate();
      expect(isAlive(identity)).toBe(false);
    });

    it("finds descendants by `ps` where markers cannot be read", async () => {
      // Only what `ps` says of parents and groups; starts are those of this system, since signals compare them.
      const scan = () =>
        readPsTable().map((found) => ({ ...found, owner: null, scope: null, ...(identityOf(found.pid) ?? {}) }));
      const child = shell(`setsid sh -c '${DEAF}' & wait`, { scan });
      const identity = identityOf(Number((await child.says(/pid=(\d+)/))[1]))!;
      await child.terminate();
      expect(isAlive(identity)).toBe(false);
    });

    it("ends a chain that continues in a new process every few milliseconds (I2)", async () => {
      const child = shell("setsid sh -c 'hop() { sleep 0.01; hop & }; echo ready; hop' & sleep 600");
      await child.says(/ready/);
      await child.terminate();
      expect(child.left()).toEqual([]);
    });

    it("ends a stopped child", async () => {
      const clock = jumpingClock();
      const child = start(["sleep", "600"], { clock });
      const pid = await born(child);
      process.kill(pid, "SIGSTOP");
      // A signal that comes before it stands still would end it at once.
      await until(() => isStopped(pid));
      const done = child.terminate();
      await until(() => clock.timers() === 1);
      clock.advance(TERMINATE_GRACE_MS);
      await done;
      expect(await child.ended).toEqual({ type: "signalled", signal: "SIGKILL" });
    });

    it("ends the group where no file can be opened to look for others, and looks again when one can", async () => {
      let full = true;
      const child = shell(`(setsid sh -c 'echo pid=$$; exec sleep 600' &); exec sleep 600`, {
        scan: (pids) => {
          if (full) throw Object.assign(new Error("scandir '/proc'"), { code: "EMFILE" });
          return scanProcesses(pids);
        },
      });
      const identity = identityOf(Number((await child.says(/pid=(\d+)/))[1]))!;
      const done = child.terminate();
      await until(() => identityOf(child.pid!) === null);
      full = false;
      await done;
      expect(await child.ended).toEqual({ type: "signalled", signal: "SIGTERM" });
      expect([isAlive(identity), child.left()]).toEqual([false, []]);
    });

    it("ends at its bound if something cannot be ended (I3)", async () => {
      const clock = jumpingClock();
      const ghost = row({ pid: 2 ** 30, ppid: 1 });
      const child = shell("exec sleep 600", { clock, scan: () => [{ ...ghost, pgid: child.pid! }] });
      const done = child.terminate();
      await until(() => identityOf(child.pid!) === null && clock.timers() > 0);
      clock.advance(KILL_BOUND_MS);
      await done;
      expect(await child.ended).toEqual({ type: "signalled", signal: "SIGTERM" });
    });

    it("is one ladder however often it is called, also after the end", async () => {
      const child = start(["sleep", "600"]);
      const [one, two] = [child.terminate(), child.terminate()];
      expect(one).toBe(two);
      await Promise.all([one, two, child.ended]);
      await child.terminate();
      const ended = start(["true"]);
      await ended.ended;
      await ended.terminate();
    });
  });
});

describe("withLimit", () => {
  it("leaves no timer behind when the event comes first", async () => {
    const clock = jumpingClock();
    await withLimit(Promise.reject(new Error("also an end")), 1_000_000, clock);
    expect(clock.timers()).toBe(0);
  });
});
