/**
 * A machine of its own as far as the network knows: a namespace behind a link that can be pulled, and ways through it.
 * Linux, as root; `canPart` says whether this machine can.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { connect, createServer, type Server, type Socket } from "node:net";

const ip = (...args: string[]): void => void execFileSync("ip", args, { stdio: "pipe" });
const PREFIX = "10.231.7";
const [OUTER, INNER] = [`${PREFIX}.1`, `${PREFIX}.2`];

export const canPart = (): boolean =>
  process.getuid?.() === 0 && spawnSync("ip", ["netns", "list"], { stdio: "ignore" }).status === 0;

/** A TCP way from an address to wherever `to` says at the time of each connection. Cut, its connections are gone. */
export class Way {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  to: { host: string; port: number };
  private constructor(to: { host: string; port: number }) {
    this.to = to;
    this.#server = createServer((from) => {
      const on = connect(this.to.port, this.to.host);
      for (const socket of [from, on]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          from.destroy();
          on.destroy();
        });
      }
      from.pipe(on).pipe(from);
    });
  }
  static async open(host: string, to: { host: string; port: number }): Promise<Way> {
    const way = new Way(to);
    await new Promise<void>((resolve) => way.#server.listen(0, host, resolve));
    return way;
  }
  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
  close(): void {
    this.cut();
    this.#server.close();
  }
}

export class FarMachine {
  static readonly outer = OUTER;
  static readonly inner = INNER;
  readonly #name = `troupe-${process.pid}`;
  readonly #link = `tr${process.pid}`;
  constructor() {
    const far = `${this.#link}f`;
    ip("netns", "add", this.#name);
    ip("link", "add", this.#link, "type", "veth", "peer", "name", far);
    ip("link", "set", far, "netns", this.#name);
    ip("addr", "add", `${OUTER}/30`, "dev", this.#link);
    ip("link", "set", this.#link, "up");
    this.#inside("ip", "addr", "add", `${INNER}/30`, "dev", far);
    this.#inside("ip", "link", "set", far, "up");
    this.#inside("ip", "link", "set", "lo", "up");
  }
  /** What runs a program there. */
  get argv(): readonly [string, ...string[]] {
    return ["ip", "netns", "exec", this.#name];
  }
  pull(): void {
    ip("link", "set", this.#link, "down");
  }
  plug(): void {
    ip("link", "set", this.#link, "up");
  }
  leave(): void {
    ip("netns", "del", this.#name);
    spawnSync("ip", ["link", "del", this.#link], { stdio: "ignore" });
  }
  #inside(...argv: string[]): void {
    ip("netns", "exec", this.#name, ...argv);
  }
}
