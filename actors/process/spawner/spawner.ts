/**
 * Our side of the spawner: starts it, has it start children, and knows what to do when it dies.
 *
 * I1. A child that may have been started is never started again: if the spawner dies meanwhile, its start is `lost`.
 * I2. What it was known to run when it dies is killed and counts as killed; how it would have ended is not known.
 * I3. It keeps our process alive only while a child runs or is being started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Child, Exit, Launched, LaunchOptions } from "../child.ts";
import { send } from "../process-tree.ts";
import { Pipes } from "./pipes.ts";
import { Stock } from "./stock.ts";
import type { FromSpawner, Keys, ToSpawner } from "./words.ts";

type Job = { told: (word: FromSpawner | null) => void; exited: (exit: Exit) => void; pid: number | null };

/** It holds little, and should not grow. */
const SMALL = ["--max-semi-space-size=1", "--max-old-space-size=64", "--v8-pool-size=0", "--no-warnings"];
const KILLED: Exit = { code: null, signal: "SIGKILL" };

export class Spawner {
  readonly #pipes: Pipes;
  readonly #stock: Stock;
  readonly #jobs = new Map<number, Job>();
  readonly #program: string;
  #child: ChildProcess | null = null;
  #id = 0;
  #wanted = 0;
  /** Settles when it takes work: true, or false if it could not be started. */
  readonly ready: Promise<boolean>;
  /** Whether it takes work at once. */
  isReady = false;
  /** Whether it can be given work, now or once `ready`. */
  alive = true;

  /** `program`: the file of `program.ts`, or what was built of it. Throws where sockets have no place. */
  constructor(program: string) {
    this.#program = program;
    this.#pipes = new Pipes();
    this.#stock = new Stock(this.#pipes);
    this.ready = this.#begin().then((taken) => {
      this.isReady = taken;
      return taken;
    });
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }
  get address(): string {
    return this.#pipes.address;
  }
  /** How many children run, or are being started by it. */
  get jobs(): number {
    return this.#jobs.size;
  }
  /** How many connections wait for children to come. */
  get stocked(): number {
    return this.#stock.size;
  }
  /** How many it was given. */
  get launches(): number {
    return this.#id;
  }

  /** Has a child started. Null if it surely was not, since the spawner was gone before. */
  async launch(o: LaunchOptions): Promise<Launched | null> {
    this.#count(1);
    const launched = await this.#launch(o);
    if (launched?.type === "started") void launched.child.exited.then(() => this.#count(-1));
    else this.#count(-1);
    return launched;
  }

  /** Lets it go; what it still runs is killed. */
  close(): void {
    if (this.#child?.connected === true) this.#child.disconnect();
    this.#lost();
  }

  async #launch(o: LaunchOptions): Promise<Launched | null> {
    if (!(await this.ready) || this.#child?.connected !== true) return null;
    const pipes = [o.stdin === "pipe", true, true].map((wanted) => (wanted ? this.#stock.take() : null));
    const keys = pipes.map((one) => one?.key ?? null) as readonly (string | null)[] as Keys;
    let exited: (exit: Exit) => void = () => undefined;
    const exit = new Promise<Exit>((resolve) => {
      exited = resolve;
    });
    const word = await this.#ask(o, keys, exited);
    if (word?.type !== "started") {
      this.#pipes.forget(keys.filter((key) => key !== null));
      void Promise.all(pipes.map(async (one) => (await one?.socket)?.destroy()));
      return word?.type === "fault"
        ? { type: "fault", error: Object.assign(new Error(word.message), word) }
        : { type: "lost" };
    }
    const [stdin, stdout, stderr] = await Promise.all(pipes.map((one) => one?.socket ?? null));
    if (!stdout || !stderr) throw new Error("a child without pipes");
    return { type: "started", child: childOf(word.pid, stdin ?? null, stdout, stderr, exit) };
  }

  async #begin(): Promise<boolean> {
    try {
      await this.#pipes.open;
    } catch {
      this.#lost();
      return false;
    }
    return await new Promise((resolve) => {
      const child = spawn(process.execPath, [...SMALL, this.#program, this.#pipes.address], {
        cwd: "/",
        env: {},
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        detached: true,
      });
      this.#child = child;
      const gone = (): void => {
        this.#lost();
        resolve(false);
      };
      child.on("error", gone);
      child.on("exit", gone);
      child.on("disconnect", gone);
      child.on("message", (word: FromSpawner) => (word.type === "ready" ? resolve(true) : this.#hear(word)));
      child.unref();
      child.channel?.unref();
    });
  }

  #ask({ argv, cwd, env }: LaunchOptions, keys: Keys, exited: Job["exited"]): Promise<FromSpawner | null> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#jobs.set(id, { told: resolve, exited, pid: null });
      const word: ToSpawner = { id, argv, cwd, env, keys, ahead: this.#stock.order() };
      this.#child?.send(word, (error) => {
        if (error !== null) this.#end(id)?.told(null);
      });
    });
  }

  #hear(word: Exclude<FromSpawner, { type: "ready" }>): void {
    switch (word.type) {
      case "closed":
        return this.#stock.closed(word.key);
      case "started": {
        const job = this.#jobs.get(word.id);
        if (job !== undefined) job.pid = word.pid;
        return job?.told(word);
      }
      case "fault":
        return this.#end(word.id)?.told(word);
      case "exit":
        return this.#end(word.id)?.exited(exitOf(word.code, word.signal));
      default:
        return word satisfies never;
    }
  }

  /** The server is what keeps us alive (I3). */
  #count(change: 1 | -1): void {
    this.#wanted += change;
    this.#pipes.hold(this.#wanted > 0);
  }

  #end(id: number): Job | undefined {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    return job;
  }

  #lost(): void {
    if (!this.alive) return;
    this.alive = false;
    this.#stock.close();
    this.#pipes.close();
    for (const { told, exited, pid } of this.#jobs.values()) {
      if (pid !== null) send(-pid, "SIGKILL");
      told(null);
      exited(KILLED);
    }
    this.#jobs.clear();
  }
}

const exitOf = (code: number | null, signal: string | null): Exit =>
  signal === null ? { code: code ?? 0, signal } : { code: null, signal };

function childOf(pid: number, stdin: Socket | null, stdout: Socket, stderr: Socket, exited: Promise<Exit>): Child {
  const close = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return { pid, stdin, stdout, stderr, exited, closed: Promise.all([exited, close(stdout), close(stderr)]) };
}
