import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { identityOf, isAlive, ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { PIPE_GRACE_MS } from "../../../actors/process/spawn.ts";
import { born, eachWay, jumpingClock, shell, start, until } from "./support.ts";

const DETACHED = 'setsid sh -c \'trap "" TERM; echo "pid=$$"; exec sleep 600\'';

eachWay(() => {
  describe("the end of a child", () => {
    it.each([
      ["exit 0", { type: "exited", code: 0 }],
      ["exit 7", { type: "exited", code: 7 }],
      ["kill -9 $$", { type: "signalled", signal: "SIGKILL" }],
      ["kill -TERM $$", { type: "signalled", signal: "SIGTERM" }],
    ])("of `%s` is reported as it is", async (script, end) => {
      expect(await shell(script).ended).toEqual(end);
    });

    it.each([
      ["a missing program", ["no-such-program"], "/", "ENOENT", /no such program/],
      ["a file that is no program", ["/etc/passwd"], "/", "EACCES", /may not be executed/],
      [
        "a missing folder",
        ["true"],
        "/no/such/folder",
        "ENOENT",
        /working directory "\/no\/such\/folder" does not exist/,
      ],
      ["a folder that is a file", ["true"], "/etc/passwd", "ENOTDIR", /working directory "\/etc\/passwd" is not a dir/],
      ["a NUL in the arguments", ["true", "a\0b"], "/", "EINVAL", /null bytes/],
      ["an argument that is too long", ["true", "x".repeat(5_000_000)], "/", "E2BIG", /too large/],
    ])("that never started says why: %s (I4)", async (_, argv, cwd, code, message) => {
      const child = start(argv as [string, ...string[]], { cwd });
      expect(await child.ended).toEqual({ type: "not started", code, message: expect.stringMatching(message) });
      expect([child.pid, child.stdin]).toEqual([null, null]);
      await child.terminate();
    });

    it("what is asked for by its name alone is no file of the folder at hand", async () => {
      const folder = mkdtempSync(join(tmpdir(), "troupe-names-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, "no-such-tool"), "#!/bin/sh\n", { mode: 0o700 });
      const end = await start(["no-such-tool"], { cwd: folder }).ended;
      expect(end).toMatchObject({ code: "ENOENT", message: expect.stringContaining("no such program") });
    });

    it.each([
      ["#!/no/such/shell -e\n", /first line names a program that is not there: \/no\/such\/shell -e/],
      ["#!/bin/sh\r\n", /lines end as on Windows \(CRLF\).*save it with LF/],
    ])("of a script without its interpreter says so: %j", async (text, message) => {
      const folder = mkdtempSync(join(tmpdir(), "troupe-spawn-"));
      writeFileSync(join(folder, "script"), text, { mode: 0o700 });
      const end = await start([join(folder, "script")]).ended;
      expect(end).toEqual({ type: "not started", code: "ENOENT", message: expect.stringMatching(message) });
      const named = await start(["script"], { env: { PATH: `/no/such/folder:${folder}` } }).ended;
      const where = `cannot start "script": ${join(folder, "script")} is there, but its `;
      expect(named).toMatchObject({ message: expect.stringContaining(where) });
      expect(named).toMatchObject({ message: expect.stringMatching(message) });
      rmSync(folder, { recursive: true });
    });

    it("comes with all output before it, in order, and none after it (I3)", async () => {
      const child = shell("echo one; echo two >&2; read line; echo $line; head -c 300000 /dev/zero", { stdin: "pipe" });
      await until(() => child.chunks.length === 2);
      child.stdin!.end("three\n");
      await child.ended;
      const count = child.chunks.length;
      const all = (name: string) => child.chunks.flatMap(([stream, text]) => (stream === name ? [text] : [])).join("");
      expect(all("stdout")).toBe(`one\nthree\n${"\0".repeat(300_000)}`);
      expect(all("stderr")).toBe("two\n");
      await until(() => child.left().length === 0);
      expect(child.chunks.length).toBe(count);
    });

    it("does not break on a child that does not read its input", async () => {
      const child = start(["true"], { stdin: "pipe" });
      child.stdin!.write("x".repeat(1_000_000));
      expect(await child.ended).toEqual({ type: "exited", code: 0 });
      child.stdin!.write("late");
    });
  });

  describe("a child", () => {
    it("gets the environment it is given, its marker, and nothing else", async () => {
      const marker = markerFor(ownIdentity(), "spawn/env");
      const child = start(["/usr/bin/env"], { env: { A: "1", TROUPE_SCOPE: "not mine" }, marker });
      await child.ended;
      const lines = child.chunks
        .map(([, text]) => text)
        .join("")
        .trim()
        .split("\n")
        .sort();
      expect(lines).toEqual([
        "A=1",
        `TROUPE_DEPTH=${marker.TROUPE_DEPTH}`,
        `TROUPE_OWNER=${marker.TROUPE_OWNER}`,
        "TROUPE_SCOPE=spawn/env",
      ]);
    });

    it("gets its arguments as they are, without a shell", async () => {
      const child = start(["printf", "%s|", "$HOME", "a b", "*", "; exit 3"]);
      expect([await child.ended, child.chunks]).toEqual([
        { type: "exited", code: 0 },
        [["stdout", "$HOME|a b|*|; exit 3|"]],
      ]);
    });

    it("writes a character in two halves and it arrives whole", async () => {
      const child = shell("printf 'a\\303'; read line; printf '\\251b'", { stdin: "pipe" });
      await child.says(/a/);
      child.stdin!.end("\n");
      await child.ended;
      expect(child.chunks).toEqual([
        ["stdout", "a"],
        ["stdout", "éb"],
      ]);
    });

    it("is ended when it floods (T16)", async () => {
      const before = process.memoryUsage().rss;
      let bytes = 0;
      const child = start(["yes"], { maxOutputBytes: 8_000_000 });
      expect(await child.ended).toEqual({ type: "output limit" });
      for (const [, text] of child.chunks) bytes += text.length;
      expect([bytes, child.left()]).toEqual([8_000_000, []]);
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    });

    it("may write as much as the limit", async () => {
      const child = start(["head", "-c", "1000", "/dev/zero"], { maxOutputBytes: 1000 });
      expect(await child.ended).toEqual({ type: "exited", code: 0 });
    });
  });

  describe("what a child leaves behind", () => {
    it("is ended before the end is reported, though it left its group and ignores SIGTERM (I2, T15)", async () => {
      const child = shell(`${DETACHED} & read line`, { stdin: "pipe", clock: jumpingClock() });
      const identity = identityOf(Number((await child.says(/pid=(\d+)\n/))[1]))!;
      child.stdin!.end("\n");
      expect(await child.ended).toEqual({ type: "exited", code: 0 });
      expect([isAlive(identity), child.left()]).toEqual([false, []]);
    });

    it("is ended after a double fork, however the fork races the end (I2)", async () => {
      for (let at = 0; at < 20; at++) {
        const child = shell("(setsid sleep 600 >/dev/null 2>&1 &)");
        await child.ended;
        expect(child.left()).toEqual([]);
      }
    });

    it("stays, unheard, if it was found by nothing: the proof that the scan finds it", async () => {
      const clock = jumpingClock();
      const child = shell(`${DETACHED} & read line`, { stdin: "pipe", scan: () => [], clock });
      const identity = identityOf(Number((await child.says(/pid=(\d+)\n/))[1]))!;
      child.stdin!.end("\n");
      await child.ended;
      expect(isAlive(identity)).toBe(true);
      process.kill(identity.pid, "SIGKILL");
    });

    it("stays if it may, and its hold on our pipes is not waited for (I1)", async () => {
      const clock = jumpingClock();
      const child = shell(`${DETACHED} & read line`, { stdin: "pipe", leaveBackground: true, clock });
      const identity = identityOf(Number((await child.says(/pid=(\d+)\n/))[1]))!;
      child.stdin!.end("\n");
      await until(() => identityOf(child.pid!) === null);
      let ended = false;
      void child.ended.then(() => {
        ended = true;
      });
      await until(() => clock.timers() === 1 || ended);
      clock.advance(PIPE_GRACE_MS);
      expect(await child.ended).toEqual({ type: "exited", code: 0 });
      expect(isAlive(identity)).toBe(true);
      process.kill(identity.pid, "SIGKILL");
    });

    it("is never that of another process", async () => {
      // Of a living owner: every Troupe of this machine that starts ends what a dead one has left.
      const owner = start(["cat"], { stdin: "pipe" });
      const marker = markerFor(identityOf(await born(owner))!, `spawn/other/${process.pid}`);
      const other = start(["cat"], { stdin: "pipe", marker });
      // From its exec on it has its marker, by which a sweep would find it.
      await until(() => other.left().length === 1);
      const identity = identityOf(await born(other))!;
      await shell("sleep 600 &").ended;
      expect(isAlive(identity)).toBe(true);
      expect(other.left().length).toBe(1);
      await Promise.all([other.terminate(), owner.terminate()]);
    });
  });
});
