/** The servers that are measured on sockets, and the smallest possible client: the same one drives all of them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { WebSocket } from "ws";
import { type Bench, type Contender, PROJECT } from "./contenders.ts";

const FLOOR = join(PROJECT, "test", "bench", "floor");
const CONNECTIONS = 4_096;
type Message = {
  id?: number | string | null;
  method?: string;
  params?: { sessionId: string; update: { sessionUpdate: string; content?: { text?: string } } };
  result?: unknown;
  error?: { code: number; message: string };
};

/** A listening server, how long it took to say that it listens, and a port of its own. */
export type Serving = { url: string; pid: number; ms: number; end(): Promise<void> };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a contender's server on sockets, or another one of the floor; resolves when it says that it listens. */
export async function serve(
  bench: Bench,
  { name }: Pick<Contender, "name">,
  kind: "ws" | "sse" = "ws",
  more: readonly string[] = [],
): Promise<Serving> {
  const port = await freePort();
  const argv =
    name === "troupe"
      ? [bench.program, "serve", "--listen", `127.0.0.1:${port}`, "--limit", `connections=${CONNECTIONS}`, ...more]
      : [join(FLOOR, `${name}-${kind}.mjs`)];
  const begun = performance.now();
  const child: ChildProcess = spawn(process.execPath, argv, {
    cwd: bench.cwd,
    env: { ...bench.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("listening")) resolve();
    });
    void exited.then(() => reject(new Error(`${name} has ended: ${said}`)));
  });
  const ms = performance.now() - begun;
  return {
    url: `ws://127.0.0.1:${port}/acp`,
    pid: child.pid ?? 0,
    ms,
    end: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

export class Socket {
  readonly ws: WebSocket;
  /** Gets every text of every update; without it, updates are only counted. */
  onText: ((text: string) => void) | undefined;
  updates = 0;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #id = 0;
  #kept: Buffer[] | null = null;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data: Buffer) => this.#take(data));
    ws.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the socket has closed"));
    });
  }
  /** Open and initialised. */
  static async open({ url }: Serving): Promise<Socket> {
    const socket = new Socket(new WebSocket(url, { perMessageDeflate: false }));
    await once(socket.ws, "open");
    await socket.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    return socket;
  }

  request(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.ws.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }
  async session(cwd: string): Promise<string> {
    return ((await this.request("session/new", { cwd, mcpServers: [] })) as { sessionId: string }).sessionId;
  }
  prompt(sessionId: string, text: string): Promise<unknown> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }
  /** Milliseconds from a prompt to its answer, while frames are only kept; and the text in them. */
  async gather(sessionId: string, text: string): Promise<{ ms: number; text: string; updates: number }> {
    const kept: Buffer[] = [];
    this.#kept = kept;
    const begun = performance.now();
    const answered = new Promise<number>((resolve) => {
      kept.push = (data) => {
        kept[kept.length] = data;
        if (data.length < 4_096 && data.includes('"stopReason"')) resolve(performance.now());
        return kept.length;
      };
    });
    const answer = this.prompt(sessionId, text);
    const ms = (await answered) - begun;
    this.#kept = null;
    let said = "";
    this.updates = 0;
    this.onText = (one) => {
      said += one;
    };
    for (const data of kept) this.#take(data);
    await answer;
    this.onText = undefined;
    return { ms, text: said, updates: this.updates };
  }
  async end(): Promise<void> {
    const closed = once(this.ws, "close");
    this.ws.terminate();
    await closed;
  }

  #take(data: Buffer): void {
    if (this.#kept !== null) return void this.#kept.push(data);
    const { id, method, params, result, error } = JSON.parse(data.toString()) as Message;
    if (method === "session/update" && params?.update.sessionUpdate === "agent_message_chunk") {
      this.updates++;
      return this.onText?.(params.update.content?.text ?? "");
    }
    if (method !== undefined || typeof id !== "number") return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${error.code} ${error.message}`));
    else waiting?.resolve(result);
  }
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
