import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import type { Launch } from "../../../../actors/process/child.ts";
import { identityOf, isAlive } from "../../../../actors/process/identity.ts";
import type { Spawner } from "../../../../actors/process/spawner/spawner.ts";
import { STOCK } from "../../../../actors/process/spawner/stock.ts";
import { Started } from "../../../support/started.ts";
import { born, newSpawner, start, until } from "../support.ts";

const OWNER = fileURLToPath(new URL("programs/owner.ts", import.meta.url));
const FEW = fileURLToPath(new URL("programs/few.ts", import.meta.url));
const made: Spawner[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.close();
});

function opened(): { spawner: Spawner; launch: Launch } {
  const spawner = newSpawner();
  made.push(spawner);
  return { spawner, launch: async (o) => (await spawner.launch(o)) ?? { type: "lost" } };
}

it("starts many at once, each with its own pipes", async () => {
  const { launch } = opened();
  const children = Array.from({ length: 40 }, (_, at) =>
    start(["sh", "-c", `read line; echo $line; echo ${at} >&2; exit ${at}`], { launch, stdin: "pipe" }),
  );
  children.forEach((child, at) => void child.stdin?.end(`to ${at}\n`));
  const ends = await Promise.all(children.map(({ ended }) => ended));
  expect(ends).toEqual(children.map((_, code) => ({ type: "exited", code })));
  const said = children.map(({ chunks }) => [...chunks].sort());
  expect(said).toEqual(
    children.map((_, at) => [
      ["stderr", `${at}\n`],
      ["stdout", `to ${at}\n`],
    ]),
  );
});

it("leads a group and a session of its own, and its child is not ours but the spawner's", async () => {
  const { spawner, launch } = opened();
  const child = start(["sh", "-c", 'read -r stat </proc/$$/stat; echo "stat=$stat"; read line'], {
    launch,
    stdin: "pipe",
  });
  const [, stat = ""] = await child.says(/stat=\d+ \(\w+\) \w (.*)\n/);
  const pid = await born(child);
  expect(stat.split(" ").slice(0, 3).map(Number)).toEqual([spawner.pid, pid, pid]);
  await child.terminate();
});

it("has a child's pipes before the child is asked for: no start waits for a connection", async () => {
  const { spawner, launch } = opened();
  expect(await start(["true"], { launch }).ended).toEqual({ type: "exited", code: 0 });
  await until(() => spawner.stocked === STOCK);
  rmSync(dirname(spawner.address), { recursive: true }); // no one can connect any more
  const child = start(["sh", "-c", "read line; echo $line"], { launch, stdin: "pipe" });
  child.stdin?.end("hello\n");
  expect(await child.ended).toEqual({ type: "exited", code: 0 });
  expect(child.chunks).toEqual([["stdout", "hello\n"]]);
});

it("I1 I2 counts what it ran as killed, and kills it, when it dies", async () => {
  const { spawner, launch } = opened();
  const child = start(["sleep", "600"], { launch });
  const identity = identityOf(await born(child));
  process.kill(spawner.pid ?? 0, "SIGKILL");
  expect(await child.ended).toEqual({ type: "signalled", signal: "SIGKILL" });
  expect([identity !== null && isAlive(identity), spawner.alive]).toEqual([false, false]);
});

it("I1 tells who asks when it has gone, so that they start the child themselves", async () => {
  const { spawner } = opened();
  expect(await spawner.ready).toBe(true);
  spawner.close();
  expect(await spawner.launch({ argv: ["true"], cwd: "/", env: {}, stdin: "ignore" })).toBe(null);
});

it("I1 never starts a child again that it may have started", async () => {
  const { spawner, launch } = opened();
  await spawner.ready;
  process.kill(spawner.pid ?? 0, "SIGSTOP");
  const child = start(["true"], { launch });
  await until(() => spawner.jobs === 1);
  process.kill(spawner.pid ?? 0, "SIGKILL");
  expect([await child.ended, child.pid]).toEqual([{ type: "signalled", signal: "SIGKILL" }, null]);
});

it("starts no child whose pipes we may not open, and goes on when we may", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "few-"));
  const limited = ["sh", "-c", `ulimit -n 64; exec "$@"`, "sh", process.execPath, FEW, join(cwd, "file")] as const;
  const few = new Started(limited, { cwd, env: { PATH: process.env["PATH"] ?? "" } });
  await few.ended;
  expect(few.lines).toEqual(["EMFILE false", "started"]);
  rmSync(cwd, { recursive: true });
});

it("takes nothing from a stranger on its socket", async () => {
  const { spawner, launch } = opened();
  await spawner.ready;
  const stranger = connect(spawner.address);
  const closed = new Promise((resolve) => stranger.once("close", resolve));
  stranger.on("error", () => undefined);
  stranger.write("x".repeat(24));
  await closed;
  expect(await start(["true"], { launch }).ended).toEqual({ type: "exited", code: 0 });
});

it("ends with its owner, however that ended, and kills what still runs", async () => {
  const owner = new Started([process.execPath, OWNER], { cwd: "/", env: { PATH: process.env["PATH"] ?? "" } });
  const pids = [Number(await owner.line(1)), Number(await owner.line(2))];
  const identities = pids.map(identityOf).filter((one) => one !== null);
  expect(identities.filter(isAlive).length).toBe(2);
  owner.kill();
  await owner.ended;
  await until(() => !identities.some(isAlive));
});

it("is not ended by a signal to all processes, and leaves no folder behind", async () => {
  const { spawner, launch } = opened();
  await spawner.ready;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(spawner.pid ?? 0, signal);
  expect(await start(["true"], { launch }).ended).toEqual({ type: "exited", code: 0 });
  spawner.close();
  expect(existsSync(dirname(spawner.address))).toBe(false);
});
