/**
 * A child process as the rest of this folder sees it, however it was started; and the plain way to start one: ourselves.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type Exit = { code: number; signal: null } | { code: null; signal: string };

export type Child = {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the child has gone and was collected. */
  readonly exited: Promise<Exit>;
  /** Settles when the child has gone and both of its outputs have ended and were read. */
  readonly closed: Promise<unknown>;
};

export type LaunchOptions = {
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment. */
  env: { readonly [name: string]: string };
  stdin: "ignore" | "pipe";
};

/** `lost`: it is not known whether the child was started; every process that carries its scope is to be ended. */
export type Launched = { type: "started"; child: Child } | { type: "fault"; error: unknown } | { type: "lost" };

/** Starts a child that leads a group of its own; never throws, never rejects. */
export type Launch = (o: LaunchOptions) => Launched | Promise<Launched>;

/** Forks ourselves, which stops our loop for as long as the system needs to copy our page tables. */
export const launchHere: Launch = ({ argv: [file, ...args], cwd, env, stdin }) => {
  let child: ChildProcess;
  try {
    child = spawn(file, args, { cwd, env, stdio: [stdin, "pipe", "pipe"], detached: true, shell: false });
  } catch (error) {
    return { type: "fault", error };
  }
  if (child.pid === undefined) {
    return new Promise((resolve) => child.once("error", (error) => resolve({ type: "fault", error })));
  }
  // After its start a child emits this for a signal that did not reach it.
  child.on("error", () => undefined);
  const { pid, stdin: input, stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("a child without pipes");
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve(signal === null ? { code: code ?? 0, signal } : { code: null, signal }),
    );
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return { type: "started", child: { pid, stdin: input, stdout, stderr, exited, closed } };
};
