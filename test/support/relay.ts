/** A way to a server on this machine that a test can cut. */
import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from "node:net";

export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #open: { to: number | null };

  private constructor(server: Server, sockets: Set<Socket>, open: { to: number | null }) {
    this.#server = server;
    this.#sockets = sockets;
    this.#open = open;
    this.port = (server.address() as AddressInfo).port;
  }
  /** A way on a port of its own; it leads nowhere until it is mended. */
  static async open(): Promise<Relay> {
    const sockets = new Set<Socket>();
    const open: { to: number | null } = { to: null };
    const server = createServer((near) => {
      if (open.to === null) {
        near.destroy();
        return;
      }
      const far = dial(open.to, "127.0.0.1");
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on("error", () => undefined).on("close", () => sockets.delete(one) && other.destroy());
        one.pipe(other);
      }
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new Relay(server, sockets, open);
  }

  /** Breaks what is connected. */
  cut(): void {
    for (const one of this.#sockets) one.destroy();
  }
  /** Breaks what is connected; who comes is turned away until it is mended. */
  close(): void {
    this.#open.to = null;
    this.cut();
  }
  mend(to: number): void {
    this.#open.to = to;
  }
  async leave(): Promise<void> {
    this.close();
    await once(this.#server.close(), "close");
  }
}
