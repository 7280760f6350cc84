/**
 * A reader of server-sent events over node:http or node:http2, as a browser's `EventSource` reads them: it knows the id
 * of the last event and comes back with it. Nothing here waits by time.
 *
 * I1. Every event is kept, in order; who asks late misses nothing.
 */
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { createParser, type EventSourceMessage } from "eventsource-parser";

export type SseEvent = { id: string | undefined; event: string; data: { [name: string]: unknown } };
type Wanted = { isIt: (event: SseEvent) => boolean; resolve: (event: SseEvent) => void; reject: (e: Error) => void };

export class SseReader {
  readonly events: SseEvent[] = [];
  readonly comments: string[] = [];
  readonly response: IncomingMessage;
  /** Resolves when the server has ended the stream; rejects with what cut it off. */
  readonly ended: Promise<void>;
  /** When each event arrived, in milliseconds of `performance.now()`. */
  readonly arrivals: number[] = [];
  onEvent: (event: SseEvent) => void = () => undefined;
  readonly #request: ClientRequest;
  #wanted: Wanted[] = [];
  #commented = Promise.withResolvers<void>();

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.response = response;
    const parser = createParser({
      onEvent: (one) => this.#take(one),
      onComment: (comment) => {
        this.comments.push(comment);
        this.#commented.resolve();
      },
    });
    response.setEncoding("utf8").on("data", (text: string) => parser.feed(text));
    this.ended = new Promise((resolve, reject) => {
      response.once("end", resolve);
      response.once("error", reject);
      response.once("close", () => reject(new Error("the stream was cut off")));
    });
    const over = (): void => {
      for (const { reject } of this.#wanted) reject(new Error("the stream is over"));
    };
    this.ended.then(over, over);
  }

  /** Resolves with the head of the answer; a status other than 200 is left to the caller. */
  static open(url: string, headers: { [name: string]: string } = {}): Promise<SseReader> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers: { accept: "text/event-stream", ...headers } });
      request.on("error", reject);
      request.on("response", (response) => resolve(new SseReader(request, response)));
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }
  /** What a browser would send as `Last-Event-ID`. */
  get lastId(): string {
    return this.events.findLast(({ id }) => id !== undefined)?.id ?? "";
  }
  /** The seqs of the rows, in the order in which they came. */
  get seqs(): number[] {
    return this.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  }
  get names(): string[] {
    return this.events.map(({ event }) => event);
  }
  sees(isIt: (event: SseEvent) => boolean): Promise<SseEvent> {
    const there = this.events.find(isIt);
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => this.#wanted.push({ isIt, resolve, reject }));
  }
  hears(event: string): Promise<SseEvent> {
    return this.sees((one) => one.event === event);
  }
  heartbeat(): Promise<void> {
    return this.#commented.promise;
  }
  /** Reads nothing any more until `resume`. */
  pause(): void {
    this.response.pause();
  }
  resume(): void {
    this.response.resume();
  }
  /** Goes without a word, as a lost network does. */
  drop(): void {
    this.#request.destroy();
  }

  #take({ id, event = "message", data }: EventSourceMessage): void {
    const one: SseEvent = { id, event, data: JSON.parse(data) as SseEvent["data"] };
    this.events.push(one);
    this.arrivals.push(performance.now());
    this.onEvent(one);
    const met = this.#wanted.filter(({ isIt }) => isIt(one));
    this.#wanted = this.#wanted.filter((each) => !met.includes(each));
    for (const { resolve } of met) resolve(one);
  }
}
