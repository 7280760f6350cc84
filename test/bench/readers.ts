/** The smallest possible reader of server-sent events: the same one reads all servers. */
import { type ClientRequest, get, type IncomingMessage, request } from "node:http";

export class Reader {
  readonly #request: ClientRequest;
  #take: ((bytes: Buffer) => void) | null = null;
  #early: Buffer[] = [];
  private constructor(asked: ClientRequest, response: IncomingMessage) {
    this.#request = asked;
    const take = (bytes: Buffer): void => {
      if (this.#take === null) this.#early.push(bytes);
      else this.#take(bytes);
    };
    response.on("data", take).on("error", () => undefined);
  }
  /** Resolves with the headers of the response. */
  static open(url: string): Promise<Reader> {
    return new Promise((resolve, reject) => {
      const asked = get(url, { agent: false, headers: { accept: "text/event-stream" } });
      asked.on("error", reject).on("response", (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode}`));
        resolve(new Reader(asked, response));
      });
    });
  }
  /** When the first bytes come, by `performance.now()`. */
  first(): Promise<number> {
    return new Promise((resolve) => this.#hear(() => resolve(performance.now())));
  }
  /** Keeps bytes until a chunk holds `end`; resolves with that time, and all bytes. */
  until(end: string): Promise<{ at: number; text: () => string }> {
    const kept: Buffer[] = [];
    let isThere = false;
    return new Promise((resolve) =>
      this.#hear((bytes) => {
        kept.push(bytes);
        // `end` may be cut in two, and its event may continue after it.
        const tail = kept.length > 1 ? Buffer.concat([(kept.at(-2) as Buffer).subarray(-end.length), bytes]) : bytes;
        isThere ||= tail.includes(end);
        if (isThere && tail.subarray(-2).toString() === "\n\n")
          resolve({ at: performance.now(), text: () => Buffer.concat(kept).toString() });
      }),
    );
  }
  /** When each of this many tokens came. */
  arrivals(count: number): Promise<number[]> {
    const at: number[] = [];
    let rest = "";
    return new Promise((resolve) =>
      this.#hear((bytes) => {
        const lines = (rest + bytes.toString()).split("\n");
        rest = lines.pop() ?? "";
        const now = performance.now();
        for (const line of lines) {
          if (!line.startsWith("data:")) continue;
          for (const [, n = ""] of line.matchAll(/tok(\d+) /g)) at[Number(n)] ??= now;
        }
        if (at[count - 1] !== undefined) resolve(at);
      }),
    );
  }
  #hear(take: (bytes: Buffer) => void): void {
    this.#take = take;
    for (const bytes of this.#early.splice(0)) take(bytes);
  }
  end(): void {
    this.#request.destroy();
  }
}

/** A request with JSON; answers the body of the response. */
export function post(url: string, body: object = {}): Promise<unknown> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    // A connection of its own: a kept one may be closing at this moment.
    const asked = request(url, { method: "POST", headers, agent: false }, (response) => {
      let said = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        said += part;
      });
      response.on("end", () => {
        if ((response.statusCode ?? 500) >= 300) return reject(new Error(`${url}: ${response.statusCode} ${said}`));
        resolve(said === "" ? null : JSON.parse(said));
      });
    });
    asked.on("error", reject).end(text);
  });
}

/** The text of an agent's blocks in a stream of events, each piece once, and the number of live events. */
export function saidIn(stream: string): { text: string; live: number } {
  const texts = new Map<string, string>();
  let live = 0;
  // The last one may be cut.
  for (const event of stream.split("\n\n").slice(0, -1)) {
    if (event.startsWith("event: live")) live += 1;
    const data = event.slice(event.indexOf("data: ") + 6);
    if (!data.includes('"message.assistant"')) continue;
    const { payload } = JSON.parse(data) as { payload: { block: string; offset: number; text: string } };
    const { block, offset, text } = payload;
    const known = texts.get(block) ?? "";
    if (offset <= known.length && offset + text.length > known.length)
      texts.set(block, known + text.slice(known.length - offset));
  }
  return { text: [...texts.values()].join(""), live };
}
