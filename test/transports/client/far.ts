/** A client's far end as a process, and clients of it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Client, type ConnectOptions, connect } from "../../../transports/client/connect.ts";

const PROGRAM = new URL("./programs/far.mjs", import.meta.url).pathname;

/** How the far end behaves to one client; see the program. */
export type Script = {
  seed?: number;
  hold?: number;
  noise?: boolean;
  silent?: boolean;
  pauseAfter?: number;
  cuts?: number[];
};
/** What it heard: ids of each connection in their order, and prompts. */
export type Heard = { ids: number[][]; prompts: string[] };
export type Met = { client: Client; heard: () => Promise<Heard>; goOn: () => void };

let keys = 0;

export class Far {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #port: number;
  private constructor(child: ChildProcess, { pid, port }: { pid: number; port: number }) {
    this.#child = child;
    this.#port = port;
    this.pid = pid;
  }
  static async start(): Promise<Far> {
    const child = fork(PROGRAM, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const [said] = (await once(child, "message")) as [{ pid: number; port: number }];
    return new Far(child, said);
  }

  async meet(script: Script, options: Partial<ConnectOptions> = {}): Promise<Met> {
    const key = `k${++keys}`;
    const url = `ws://127.0.0.1:${this.#port}/?script=${encodeURIComponent(JSON.stringify({ key, ...script }))}`;
    const client = await connect({ ...options, url } as ConnectOptions);
    return { client, heard: () => this.#heard(key), goOn: () => void this.#child.send({ key, goOn: true }) };
  }
  async end(): Promise<void> {
    this.#child.kill();
    await once(this.#child, "exit");
  }

  #heard(key: string): Promise<Heard> {
    return new Promise((resolve) => {
      const look = (said: Heard & { key: string }): void => {
        if (said.key !== key) return;
        this.#child.off("message", look);
        resolve(said);
      };
      this.#child.on("message", look);
      this.#child.send({ key });
    });
  }
}
