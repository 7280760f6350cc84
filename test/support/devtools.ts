/** The DevTools protocol on one socket, of a browser or of a Node process: calls by id, events by name and session. */
import { once } from "node:events";
import { WebSocket } from "ws";

type Params = { [name: string]: unknown };
type Heard = { id?: number; method?: string; sessionId?: string; params?: Params; result?: Params; error?: object };
type Listener = { method: string; session: string | undefined; hear: (params: Params) => void };

export class DevTools {
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Params>>();
  readonly #listeners = new Set<Listener>();
  #id = 0;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on("message", (data: Buffer) => this.#hear(JSON.parse(data.toString()) as Heard));
    ws.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the other side has gone"));
    });
  }
  static async connect(url: string): Promise<DevTools> {
    const ws = new WebSocket(url, { perMessageDeflate: false });
    await once(ws, "open");
    return new DevTools(ws);
  }

  send(method: string, params: Params | object = {}, sessionId?: string): Promise<Params> {
    const id = ++this.#id;
    const answer = Promise.withResolvers<Params>();
    this.#waiting.set(id, answer);
    this.#ws.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    return answer.promise;
  }
  /** What an expression is there, as JSON has it. A promise is awaited. */
  async evaluate(expression: string, sessionId?: string): Promise<unknown> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", asked, sessionId);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value?: unknown }).value;
  }
  /** Answers what ends the listening. */
  on(method: string, hear: (params: Params) => void, session?: string): () => void {
    const listener = { method, session, hear };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  /** The next event of this name. */
  once(method: string, session?: string): Promise<Params> {
    return new Promise((resolve) => {
      const off = this.on(
        method,
        (params) => {
          off();
          resolve(params);
        },
        session,
      );
    });
  }
  leave(): void {
    this.#ws.terminate();
  }

  #hear({ id, method, sessionId, params = {}, result = {}, error }: Heard): void {
    if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(JSON.stringify(error)));
      return;
    }
    for (const one of this.#listeners) if (one.method === method && one.session === sessionId) one.hear(params);
  }
}
