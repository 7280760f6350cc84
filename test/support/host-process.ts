/** The parent's side of `test/actors/host/programs/host.ts`: real processes over one store, awaited by their messages. */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { EventObject } from "xstate";
import type { Exchange, Frame } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";

const PROGRAM = fileURLToPath(new URL("../actors/host/programs/host.ts", import.meta.url));

const OWN_PIDS = ["--pid", "--fork", "--mount-proc", "--kill-child"];
/** Whether a process can be given pids of its own here. */
export const canUnshare = (): boolean => spawnSync("unshare", [...OWN_PIDS, "true"]).status === 0;

export type Options = {
  durability?: "normal" | "full";
  failpoint?: string;
  /** How far this process's clock is ahead. */
  aheadMs?: number;
  /** Its jobs end by themselves. */
  finish?: boolean;
  /** It counts pids by itself and sees none of ours, as in a container. Needs root. */
  namespace?: boolean;
};
export type Ask =
  | { do: "create"; key: Key }
  | { do: "send"; key: Key; event: EventObject; dedupe?: string }
  | { do: "rows"; key: Key }
  | { do: "record"; job: number; message: string }
  | { do: "speak"; job: number; text: string }
  | { do: "finish"; job: number; output: string }
  | { do: "follow"; key: Key }
  | { do: "stop" };
export type Said =
  | { did: "up" }
  | { did: "answer"; id: number; value: unknown }
  | { did: "fail"; id: number; message: string }
  | { did: "start"; label: string }
  | { did: "follow"; frames: Frame[] };

export class HostProcess {
  readonly started: string[] = [];
  readonly frames: Frame[] = [];
  readonly ended: Promise<NodeJS.Signals | null>;
  readonly #child: ChildProcess;
  readonly #asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #looks = new Set<() => void>();
  readonly #namespace: boolean;
  #isUp = false;
  #hasEnded = false;
  #ids = 0;

  constructor(file: string, options: Options = {}) {
    const { namespace = false, ...rest } = options;
    this.#namespace = namespace;
    this.#child = fork(PROGRAM, [file, JSON.stringify(rest)], {
      ...(namespace
        ? { execPath: "unshare", execArgv: [...OWN_PIDS, process.execPath, "--no-warnings"] }
        : { execArgv: ["--no-warnings"] }),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.ended = new Promise((resolve) => this.#child.on("exit", (_code, signal) => resolve(signal)));
    this.#child.on("message", (said: Said) => this.#hear(said));
    this.#child.on("exit", () => {
      this.#hasEnded = true;
      for (const { reject } of this.#asked.values()) reject(new Error("the process has ended"));
      this.#look();
    });
  }
  static async up(file: string, options: Options = {}): Promise<HostProcess> {
    const process = new HostProcess(file, options);
    await process.until(() => process.#isUp);
    return process;
  }

  ask<T = unknown>(ask: Ask): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#hasEnded) return reject(new Error("the process has ended"));
      const id = ++this.#ids;
      this.#asked.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#child.send({ id, ask }, (error) => error && reject(error));
    });
  }
  rows(key: Key): Promise<Exchange[]> {
    return this.ask({ do: "rows", key });
  }
  /** Settles when `condition` holds after some message; rejects when the process ends before. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (condition()) resolve();
        else if (this.#hasEnded) reject(new Error("the process has ended"));
        else return;
        this.#looks.delete(look);
      };
      this.#looks.add(look);
      look();
    });
  }
  async kill(): Promise<void> {
    if (!this.#hasEnded) process.kill(this.#pid(), "SIGKILL");
    await this.ended;
  }

  /** The host's own; `unshare` ends when it has collected that. */
  #pid(): number {
    const pid = this.#child.pid as number;
    return this.#namespace ? Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) || pid : pid;
  }

  #hear(said: Said): void {
    switch (said.did) {
      case "up":
        this.#isUp = true;
        break;
      case "start":
        this.started.push(said.label);
        break;
      case "follow":
        this.frames.push(...said.frames);
        break;
      case "answer":
        this.#asked.get(said.id)?.resolve(said.value);
        this.#asked.delete(said.id);
        break;
      case "fail":
        this.#asked.get(said.id)?.reject(new Error(said.message));
        this.#asked.delete(said.id);
        break;
      default:
        said satisfies never;
    }
    this.#look();
  }
  #look(): void {
    for (const look of [...this.#looks]) look();
  }
}
