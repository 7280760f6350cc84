/**
 * An engine of several nodes on this machine, or of one, with workers and gateways: all of them real processes, each with
 * a home of its own, as on machines of their own. They share the folder in which workflows work.
 */
import { createServer } from "node:net";
import { join } from "node:path";
import { childrenOf, type House, kill } from "./house.ts";
import { type Server, startServer } from "./server.ts";
import type { Started } from "./started.ts";

type Ports = { ingress: number; admin: number; node: number };
const LOOPBACK = "http://127.0.0.1";
/** With a first node; the others follow in order. */
const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => (first + i) % count);

export class Cluster {
  readonly #house: House;
  readonly #ports: readonly Ports[];
  readonly #nodes = new Map<number, Started>();
  readonly #listen: string;
  #homes = 0;
  private constructor(house: House, ports: readonly Ports[], listen: string) {
    this.#house = house;
    this.#ports = ports;
    this.#listen = listen;
  }
  /** Resolves when all nodes answer. */
  static async open(house: House, count = 3): Promise<Cluster> {
    const free = await freePorts(3 * count + 1);
    const ports = from(0, count).map((i): Ports => {
      const [ingress = 0, admin = 0, node = 0] = free.slice(3 * i);
      return { ingress, admin, node };
    });
    const cluster = new Cluster(house, ports, `127.0.0.1:${free.at(-1)}`);
    await Promise.all(from(0, count).map((i) => cluster.start(i)));
    return cluster;
  }

  get size(): number {
    return this.#ports.length;
  }
  /** Starts a node, or starts it again with what it has kept. Resolves when it answers. */
  async start(i: number): Promise<void> {
    const { ingress, admin, node } = this.#ports[i]!;
    const own = ["--port", ingress, "--admin-port", admin, "--node-port", node].map(String);
    const all = this.size === 1 ? [] : ["--cluster", this.#ports.map((one) => one.node).join(",")];
    const data = ["--data", this.data(i)];
    const started = this.#house.troupe(["engine", "up", ...own, ...all, ...data], this.#env());
    this.#nodes.set(i, started);
    await said(started, "an engine runs at");
  }
  /** Where a node keeps what it keeps. */
  data(i: number): string {
    return join(this.#house.root, `node-${i}`);
  }
  /** The engine's own processes, without ours that have started them. */
  pids(): number[] {
    return [...this.#nodes.values()].flatMap(({ owner }) => childrenOf(owner));
  }
  /** As `kill -9` does; resolves when it has ended. */
  async kill(i: number): Promise<void> {
    const node = this.#nodes.get(i)!;
    for (const pid of childrenOf(node.owner)) kill(pid);
    await node.ended;
  }
  /** Resolves when the engine knows it. `first`: the node that it calls as long as that answers. */
  async worker(first = 0, env: { [name: string]: string } = {}): Promise<Started> {
    const order = from(first, this.size).map((i) => this.#ports[i]!);
    const admins = order.map(({ admin }) => `${LOOPBACK}:${admin}`).join(",");
    const args = ["worker", ...this.engine(first), "--admin", admins, "--listen", this.#listen];
    const worker = this.#house.troupe(args, { ...this.#env(), ...env });
    await said(worker, "works for");
    return worker;
  }
  gateway(first = 0): Promise<Server> {
    return startServer(this.#house, this.engine(first), this.#env());
  }

  /** The option that leads to it. */
  engine(first = 0): string[] {
    return [
      "--engine",
      from(first, this.size)
        .map((i) => `${LOOPBACK}:${this.#ports[i]!.ingress}`)
        .join(","),
    ];
  }
  #env(): { [name: string]: string } {
    const home = join(this.#house.root, `home-${this.#homes++}`);
    return { TROUPE_HOME: home, TROUPE_TRUST: "1", TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "" };
  }
}

async function said(started: Started, words: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    if (started.stderr.includes(words)) resolve();
  };
  started.child.stderr.on("data", look);
  void started.ended.then(() => reject(new Error(`it has ended: ${started.stderr}`)));
  look();
  await promise;
}

/** All of them different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
