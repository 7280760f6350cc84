/**
 * A child process of a test: its lines as they come, its end. Nothing here waits by time.
 *
 * I1. Lines are kept from the first one on: who asks late misses none.
 * I2. A wait ends with an error when the process ends first, and the error holds what it said on stderr.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { encodeIdentity, identityOf } from "../../actors/process/identity.ts";

export type Ended = { code: number | null; signal: string | null };
type Waiting = { n: number; resolve: (line: string) => void; reject: (error: Error) => void };
export type StartOptions = { cwd: string; env: NodeJS.ProcessEnv };

export class Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  readonly ended: Promise<Ended>;
  /** Hears each line in the tick in which it arrives. */
  onLine: ((line: string) => void) | undefined;
  /** What its children carry as their owner. */
  readonly owner: string;
  stderr = "";
  #rest = "";
  #hasEnded = false;
  #waiting: Waiting[] = [];

  constructor([file, ...args]: readonly [string, ...string[]], options: StartOptions) {
    this.child = spawn(file, args, { ...options, stdio: "pipe" });
    const identity = identityOf(this.child.pid ?? 0);
    if (identity === null) throw new Error(`${file} could not be started`);
    this.owner = encodeIdentity(identity);
    this.child.stdin.on("error", () => undefined);
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        this.#hasEnded = true;
        for (const { reject } of this.#waiting) reject(this.#gone());
        this.#waiting = [];
        resolve({ code, signal });
      });
    });
  }

  /** The n-th line, counted from 1. */
  line(n: number): Promise<string> {
    const there = this.lines[n - 1];
    if (there !== undefined) return Promise.resolve(there);
    if (this.#hasEnded) return Promise.reject(this.#gone());
    return new Promise((resolve, reject) => this.#waiting.push({ n, resolve, reject }));
  }
  kill(): void {
    this.child.kill("SIGKILL");
  }

  #gone(): Error {
    return new Error(`the process has ended after ${this.lines.length} lines; stderr: ${this.stderr}`);
  }
  #take(text: string): void {
    const parts = (this.#rest + text).split("\n");
    this.#rest = parts.pop() ?? "";
    for (const line of parts) {
      this.lines.push(line);
      this.onLine?.(line);
    }
    const ready = this.#waiting.filter(({ n }) => n <= this.lines.length);
    this.#waiting = this.#waiting.filter(({ n }) => n > this.lines.length);
    for (const { n, resolve } of ready) resolve(this.lines[n - 1] ?? "");
  }
}
