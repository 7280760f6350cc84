/** The DevTools protocol on one socket: calls by id, events by name and session. */
import { once } from "node:events";
import { WebSocket } from "ws";

type Params = { [name: string]: unknown };
type Heard = { id?: number; method?: string; sessionId?: string; params?: Params; result?: Params; error?: object };

export class DevTools {
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Params>>();
  #events: { method: string; session: string; resolve: (params: Params) => void }[] = [];
  #id = 0;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on("message", (data: Buffer) => this.#hear(JSON.parse(data.toString()) as Heard));
    ws.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser has gone"));
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
  /** The next event of this name. */
  once(method: string, session: string): Promise<Params> {
    return new Promise((resolve) => this.#events.push({ method, session, resolve }));
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
    const met = this.#events.filter((one) => one.method === method && one.session === sessionId);
    this.#events = this.#events.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve(params);
  }
}
