/**
 * Where the pipes of the spawner's children arrive: a socket in a folder that only the user can open.
 *
 * I1. A connection counts only if it begins with a key that is waited for; any other is closed.
 * I2. What comes after the key is the child's, and is kept in order.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomWord } from "../../base/random.ts";

/** Systems differ in how long a socket's path may be; macOS takes the least. */
const MAX_PATH_BYTES = 103;
const KEY_LENGTH = 24;
/** Any byte would do. */
const TAKEN = "+";

/** A key, and the connection that sends it. */
export type Pipe = { key: string; socket: Promise<Socket> };

export class Pipes {
  readonly #folder: string;
  readonly #server: Server;
  readonly #awaited = new Map<string, (socket: Socket) => void>();
  readonly address: string;
  /** Settles when connections are taken; rejects where that is not possible. */
  readonly open: Promise<void>;

  /** Throws if there is no folder for it. */
  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), "troupe-spawner-"));
    this.address = join(this.#folder, "s");
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#meet(socket));
    this.#server.unref();
    this.open = new Promise((resolve, reject) => {
      if (Buffer.byteLength(this.address) > MAX_PATH_BYTES) throw new Error(`${this.address} is too long for a socket`);
      this.#server.once("error", reject);
      this.#server.listen({ path: this.address, backlog: 511 }, resolve);
    });
  }

  /** A new key, and the connection that will send it. */
  expect(): Pipe {
    const key = randomWord(KEY_LENGTH / 2, "hex");
    return { key, socket: new Promise((resolve) => this.#awaited.set(key, resolve)) };
  }

  /** The same, where the spawner waits to hear that we have the connection. */
  expectNow(): Pipe {
    const { key, socket } = this.expect();
    void socket.then((one) => one.write(TAKEN));
    return { key, socket };
  }

  /** These are no longer waited for. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#awaited.delete(key);
  }

  /** Whether waiting for a connection keeps our process alive. */
  hold(held: boolean): void {
    if (held) this.#server.ref();
    else this.#server.unref();
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #meet(socket: Socket): void {
    socket.on("error", () => undefined);
    const look = (): void => {
      const key = socket.read(KEY_LENGTH) as Buffer | null;
      if (key === null && !socket.readableEnded) return;
      socket.off("readable", look);
      const text = key?.toString("latin1") ?? "";
      const taken = this.#awaited.get(text);
      this.#awaited.delete(text);
      if (taken === undefined) socket.destroy();
      else taken(socket);
    };
    socket.on("readable", look);
  }
}
