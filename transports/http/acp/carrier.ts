/**
 * The stream of a connection, and on it the sessions that its client has attached without naming them in a header. Such
 * a client waits for the answer here, and reads a session's own stream only when it has heard of that session.
 *
 * I1. What a session is sent comes before the answers that were given after it.
 * I2. When the client reads a session's own stream, that one continues behind what came here and behind the answers
 *     that are waited for here. Nothing is lost, and nothing comes twice.
 * I3. Of each stream no more than one message is held.
 */

/** One stream of the server: what it says next, as far as it is known. */
type Source = {
  reader: ReadableStreamDefaultReader<Uint8Array>;
  piece: Uint8Array | null;
  isReading: boolean;
  isEnded: boolean;
};
/** Opens a session's stream; its status is another than 200 where the client reads it already. */
export type OpenStream = (session: string) => Promise<Response>;

const MAX_CARRIED = 256;
const HEAD = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const EVENT = "data: ";
const decoder = new TextDecoder();
/** Behind whatever is on its way already. */
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Carrier {
  readonly #open: OpenStream;
  readonly #sessions = new Map<string, Source>();
  /** Requests that are answered here, by the session that each is about. */
  readonly #awaited = new Map<unknown, string>();
  /** While the client reads the connection's stream. */
  #own: Source | null = null;
  /** What was taken from the connection's stream when its client hung up. */
  #left: Uint8Array | null = null;
  #news = Promise.withResolvers<void>();

  constructor(open: OpenStream) {
    this.#open = open;
  }

  /**
   * Carries a session from now on, unless its client reads its stream. `id`: of the request that attaches it. False
   * when too many are carried.
   */
  async carry(session: string, id: unknown): Promise<boolean> {
    if (!this.#sessions.has(session)) {
      if (this.#sessions.size >= MAX_CARRIED) return false;
      const { status, body } = await this.#open(session);
      if (status === 200 && body !== null) this.#sessions.set(session, sourceOf(body));
    }
    if (this.#sessions.has(session)) this.#awaited.set(id, session);
    this.#wake();
    return true;
  }
  carries(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** The stream of the connection, with all that is carried on it. */
  connection(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const own = sourceOf(body);
    own.piece = this.#left;
    this.#left = null;
    this.#own = own;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const piece = await this.#next(own);
          if (piece === null) return controller.close();
          this.#note(piece);
          controller.enqueue(piece);
        },
        cancel: async (reason) => {
          this.#own = null;
          this.#left = own.piece;
          this.#wake();
          await own.reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** A session's own stream, which its client now reads: it is carried no more (I2). */
  session(session: string): Response {
    let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
    let isGone = false;
    const begin = async (): Promise<Uint8Array | null> => {
      const first = await this.#release(session, () => isGone);
      if (isGone) return null;
      reader = (await this.#open(session)).body?.getReader() ?? null;
      return first;
    };
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const first = reader === null ? await begin() : null;
          if (first !== null) return controller.enqueue(first);
          const { value } = (await reader?.read()) ?? {};
          if (value !== undefined) controller.enqueue(value);
          else if (!isGone) controller.close();
        },
        cancel: async (reason) => {
          isGone = true;
          this.#wake();
          await reader?.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(stream, { status: 200, headers: HEAD });
  }

  /** What the connection's stream says next; null at its end. */
  async #next(own: Source): Promise<Uint8Array | null> {
    for (;;) {
      const news = this.#news.promise;
      const isOver = !this.#fill(own);
      for (const [session, source] of this.#sessions) if (!this.#fill(source)) this.#sessions.delete(session);
      const first = this.#spoken();
      if (first !== null) return first;
      // What a session was sent before it is on its way (I1).
      if (own.piece !== null && this.#sessions.size > 0) await nextTick();
      const before = this.#spoken() ?? take(own);
      if (before !== null) return before;
      if (isOver) return null;
      await news;
    }
  }
  #spoken(): Uint8Array | null {
    for (const source of this.#sessions.values()) if (source.piece !== null) return take(source);
    return null;
  }
  /** Reads on where nothing is held (I3); false when no more comes. */
  #fill(source: Source): boolean {
    if (source.isEnded) return source.piece !== null;
    if (source.piece !== null || source.isReading) return true;
    source.isReading = true;
    const read = (value: Uint8Array | undefined): void => {
      source.isReading = false;
      if (value === undefined) source.isEnded = true;
      else source.piece = value;
      this.#wake();
    };
    source.reader.read().then(
      ({ value }) => read(value),
      () => read(undefined),
    );
    return true;
  }

  /** Ends the carrying; answers what was taken and not handed over. Where `isGone`, the session stays. */
  async #release(session: string, isGone: () => boolean): Promise<Uint8Array | null> {
    while (this.#own !== null && [...this.#awaited.values()].includes(session) && !isGone()) await this.#news.promise;
    await nextTick(); // what was on its way to us is here
    const source = this.#sessions.get(session);
    if (source === undefined || isGone()) return null;
    this.#sessions.delete(session);
    const piece = take(source);
    await source.reader.cancel();
    return piece;
  }

  /** An answer that was waited for is handed over. */
  #note(piece: Uint8Array): void {
    if (this.#awaited.size === 0) return;
    const text = decoder.decode(piece);
    if (!text.startsWith(EVENT)) return;
    const message = JSON.parse(text.slice(EVENT.length)) as { id?: unknown; method?: string };
    if (message.method === undefined && this.#awaited.delete(message.id)) this.#wake();
  }
  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

const sourceOf = (body: ReadableStream<Uint8Array>): Source => ({
  reader: body.getReader(),
  piece: null,
  isReading: false,
  isEnded: false,
});
function take(source: Source): Uint8Array | null {
  const { piece } = source;
  source.piece = null;
  return piece;
}
