/** The API of a server as a program calls it. */
import type { Server } from "./server.ts";
import { SseReader } from "./sse.ts";

export type Said = { status: number; type: string; body: unknown; headers: Headers };
/** Whatever JSON holds, for tests that look into it. */
// biome-ignore lint/suspicious/noExplicitAny: a test names what it expects
export type Anything = any;

export class Api {
  readonly at: string;
  readonly #headers: { [name: string]: string };
  constructor({ port }: Pick<Server, "port">, token?: string) {
    this.at = `http://127.0.0.1:${port}`;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async ask(method: string, path: string, body?: unknown, headers: { [name: string]: string } = {}): Promise<Said> {
    const answer = await fetch(this.at + path, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "";
    return { status: answer.status, type, body: text === "" ? null : json(text), headers: answer.headers };
  }
  get(path: string): Promise<Said> {
    return this.ask("GET", path);
  }
  post(path: string, body: unknown = {}): Promise<Said> {
    return this.ask("POST", path, body);
  }
  /** Starts a run; resolves with its ids when it was accepted. */
  async start(workflow: string, more: object = {}): Promise<{ run: string; session: string }> {
    const { status, body } = await this.post("/api/runs", { workflow, ...more });
    if (status !== 202) throw new Error(JSON.stringify(body));
    return body as { run: string; session: string };
  }
  /** The status of a run. */
  async run(id: string): Promise<Anything> {
    return (await this.get(`/api/runs/${id}`)).body;
  }
  events(run: string, query = "", headers: { [name: string]: string } = {}): Promise<SseReader> {
    return SseReader.open(`${this.at}/api/runs/${run}/events${query}`, { ...this.#headers, ...headers });
  }
  sessionEvents(session: string, query = ""): Promise<SseReader> {
    return SseReader.open(`${this.at}/api/sessions/${session}/events${query}`, this.#headers);
  }
  /** Resolves when the run has ended, with the events of its whole log. */
  async whole(run: string): Promise<SseReader> {
    const reader = await this.events(run);
    await reader.ended;
    return reader;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
