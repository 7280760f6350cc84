/**
 * The spawner: a small process beside Troupe that starts its children, since a fork costs by the memory of who forks.
 * It imports nothing of Troupe. Its one argument is the socket on which Troupe waits for the children's pipes.
 *
 * I1. A child's pipes are connections to Troupe of which it keeps no end: no byte of a child goes through it.
 * I2. It ends when Troupe has gone, however that ended, and first kills the groups of all children that still run.
 * I3. Signals do not end it: where Troupe's whole group or service is ended, the order is left to Troupe.
 * I4. A child is started only with connections that Troupe has: the system takes one back where Troupe may open no more
 *     files.
 */
import { spawn } from "node:child_process";
import { rmdirSync, unlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import type { FromSpawner, ToSpawner } from "./words.ts";

const [, , address = ""] = process.argv;
const running = new Set<number>();
/** Connections for children to come, by key. */
const stock = new Map<string, Promise<Socket>>();

function say(word: FromSpawner): void {
  process.send?.(word, undefined, undefined, () => undefined);
}

/** Connects, and calls `sent` with its key on the way. Rejects when it ends: Troupe has gone, or may open no more files. */
function pipe(key: string, sent: (socket: Socket) => void): Promise<never> {
  return new Promise((_, reject) => {
    const socket = connect(address);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject).on("error", () => undefined);
      socket.once("close", () => reject(Object.assign(new Error("a pipe was not taken"), { code: "EMFILE" })));
    });
    socket.write(key, () => sent(socket));
  });
}

/** The one that was opened ahead, which Troupe has; or a new one, once Troupe has said that it has it (I4). */
function take(key: string): Promise<Socket> {
  const ready = stock.get(key);
  stock.delete(key);
  if (ready !== undefined) return ready;
  return new Promise((resolve, reject) => {
    pipe(key, (socket) => socket.once("data", () => resolve(socket))).catch(reject);
  });
}

function open(key: string): void {
  const opened = new Promise<Socket>((resolve, reject) => {
    pipe(key, (socket) => resolve(socket.resume())).catch((error: unknown) => {
      if (stock.delete(key)) say({ type: "closed", key });
      reject(error);
    });
  });
  stock.set(key, opened);
  opened.catch(() => undefined); // said above
}

async function start({ id, argv: [file, ...args], cwd, env, keys }: ToSpawner): Promise<void> {
  const opened: Socket[] = [];
  try {
    const wanted = await Promise.allSettled(keys.map((key) => (key === null ? null : take(key))));
    for (const one of wanted) if (one.status === "fulfilled" && one.value !== null) opened.push(one.value);
    const stdio = wanted.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value ?? "ignore";
    });
    const child = spawn(file, args, { cwd, env, stdio, detached: true, shell: false });
    const { pid } = child;
    child.once("error", (error) => {
      if (pid === undefined) fault(id, error);
    });
    if (pid === undefined) return;
    running.add(pid);
    say({ type: "started", id, pid });
    child.once("exit", (code, signal) => {
      running.delete(pid);
      say({ type: "exit", id, code, signal });
    });
  } catch (error) {
    fault(id, error);
  } finally {
    for (const socket of opened) socket.destroy();
  }
}

function fault(id: number, error: unknown): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "EINVAL";
  say({ type: "fault", id, code, message: error instanceof Error ? error.message : String(error) });
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is gone already.
  }
}

process.on("disconnect", () => {
  for (const pid of running) quietly(() => process.kill(-pid, "SIGKILL"));
  quietly(() => unlinkSync(address));
  quietly(() => rmdirSync(dirname(address)));
  process.exit(0);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("message", (word) => {
  const asked = word as ToSpawner;
  void start(asked).then(() => asked.ahead.forEach(open));
});
say({ type: "ready" });
