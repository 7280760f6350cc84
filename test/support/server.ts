/**
 * `troupe serve` as a process, and clients on real sockets. Nothing here waits by time.
 *
 * I1. Every message of both sides is kept, in order; who asks late misses nothing.
 * I2. A socket that ends rejects what is waited for, with its code and reason.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ClientOptions, WebSocket } from "ws";
import type { Sent } from "./acp-schema.ts";
import type { House } from "./house.ts";
import type { Started } from "./started.ts";

export type Message = { [name: string]: unknown };
export type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
export type Closed = { code: number; reason: string };
type Wanted = { isIt: (sent: Sent) => boolean; resolve: (sent: Sent) => void; reject: (error: Error) => void };

export type Server = { process: Started; pid: number; port: number; url: string };

/** Starts a server on a free port and waits until it says where it listens. */
export async function startServer(
  house: House,
  args: readonly string[] = [],
  env: { [name: string]: string } = {},
  node: readonly string[] = [],
): Promise<Server> {
  const started = house.troupe(["serve", "--listen", "127.0.0.1:0", ...args], env, node);
  const said = Promise.withResolvers<string>();
  const look = (): void => {
    const line = /listening on (\S+) \(pid (\d+)\)/.exec(started.stderr);
    if (line !== null) said.resolve(started.stderr);
  };
  started.child.stderr.on("data", look);
  void started.ended.then(() => said.reject(new Error(`the server has ended: ${started.stderr}`)));
  const [, url = "", pid = ""] = /listening on (\S+) \(pid (\d+)\)/.exec(await said.promise) ?? [];
  return { process: started, pid: Number(pid), port: Number(new URL(url).port), url };
}

/** A client on a socket. */
export class SocketClient {
  readonly ws: WebSocket;
  readonly trace: Sent[] = [];
  /** What the upgrade was answered with. */
  readonly headers: { [name: string]: string | string[] | undefined } = {};
  readonly closed: Promise<Closed>;
  /** Answers a permission request with the id of an option, null for a cancel; undefined leaves it open. */
  decide: (params: Message) => string | null | undefined = () => undefined;
  #id = 0;
  #wanted: Wanted[] = [];

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("upgrade", ({ headers }) => Object.assign(this.headers, headers));
    ws.on("message", (data: Buffer) => this.#hear(JSON.parse(data.toString()) as Message));
    ws.on("error", () => undefined);
    this.closed = new Promise((resolve) =>
      ws.once("close", (code, reason) => {
        for (const { reject } of this.#wanted) reject(new Error(`the socket has closed: ${code} ${reason}`));
        this.#wanted = [];
        resolve({ code, reason: reason.toString() });
      }),
    );
  }
  /** Resolves when the socket is open; rejects with the HTTP status of a refusal in its message. */
  static async open(url: string, options: ClientOptions = {}, protocols: string[] = []): Promise<SocketClient> {
    const ws = new WebSocket(url, protocols, options);
    const client = new SocketClient(ws);
    await new Promise((resolve, reject) => {
      ws.once("open", resolve);
      ws.once("error", reject);
    });
    return client;
  }
  /** Open and initialised. */
  static async ready(url: string, options: ClientOptions = {}): Promise<SocketClient> {
    const client = await SocketClient.open(url, options);
    await client.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    return client;
  }

  /** Sends a request; resolves with its answer, whichever it is. */
  request(method: string, params: object, id: number | string = ++this.#id): Promise<Answer> {
    const from = this.trace.length;
    this.send({ jsonrpc: "2.0", id, method, params });
    const answer = this.sees(
      ({ from: who, message }) => who === "agent" && message["id"] === id && !("method" in message),
      from,
    );
    const answered = answer.then(({ message }) => message as Answer);
    answered.catch(() => undefined);
    return answered;
  }
  notify(method: string, params: object): void {
    this.send({ jsonrpc: "2.0", method, params });
  }
  async session(cwd: string): Promise<string> {
    const { result, error } = await this.request("session/new", { cwd, mcpServers: [] });
    if (error) throw new Error(error.message);
    return (result as { sessionId: string }).sessionId;
  }
  prompt(sessionId: string, text: string): Promise<Answer> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }
  send(message: Message): void {
    this.trace.push({ from: "client", message });
    this.ws.send(JSON.stringify(message));
  }
  /** Resolves with the first message of the trace from `from` on for which `isIt` holds. */
  sees(isIt: (sent: Sent) => boolean, from = 0): Promise<Sent> {
    const there = this.trace.slice(from).find(isIt);
    if (there !== undefined) return Promise.resolve(there);
    if (this.ws.readyState >= WebSocket.CLOSING) return Promise.reject(new Error("the socket has closed"));
    const seen = new Promise<Sent>((resolve, reject) => this.#wanted.push({ isIt, resolve, reject }));
    seen.catch(() => undefined); // the one who waits handles it
    return seen;
  }
  hears(text: string): Promise<Sent> {
    return this.sees(({ from, message }) => from === "agent" && JSON.stringify(message).includes(text));
  }
  asked(): Promise<Sent> {
    return this.sees(({ message }) => message["method"] === "session/request_permission");
  }
  async leave(): Promise<Closed> {
    this.ws.close();
    return await this.closed;
  }

  #hear(message: Message): void {
    const sent: Sent = { from: "agent", message };
    this.trace.push(sent);
    const met = this.#wanted.filter(({ isIt }) => isIt(sent));
    this.#wanted = this.#wanted.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve(sent);
    if (message["method"] !== "session/request_permission") return;
    const optionId = this.decide(message["params"] as Message);
    if (optionId === undefined) return;
    this.send({ jsonrpc: "2.0", id: message["id"], result: { outcome: outcomeOf(optionId) } });
  }
}

export const outcomeOf = (optionId: string | null): object =>
  optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId };

/** The updates that a client was sent of a session, in order. */
export const updatesOf = (client: SocketClient, session: string): Message[] =>
  client.trace.flatMap(({ from, message }) => {
    const { sessionId, update } = (message["params"] ?? {}) as { sessionId?: string; update?: Message };
    return from === "agent" && message["method"] === "session/update" && sessionId === session && update
      ? [update]
      : [];
  });

/** A connection that has come in and says nothing ever after, no goodbye either. */
export async function muteSocket({ port }: Server): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  const head = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
  socket.write(`GET /acp HTTP/1.1\r\n${[`Host: 127.0.0.1:${port}`, ...head, key].join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket.on("error", () => undefined).resume();
}
