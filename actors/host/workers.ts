/**
 * The work that runs outside machines in this process.
 *
 * I1. A start has one result. Results of starts that were given up are dropped by the nonce that came with them.
 * I2. Work hears a cancel as its abort signal and then settles by itself.
 */
import type { EventObject } from "xstate";
import type { Row } from "../../machines/exchange.ts";
import type { Fault, Key } from "../../machines/model.ts";
import { Counts } from "./counts.ts";
import type { TextHead, Work, WorkContext } from "./host.ts";
import type { Mail } from "./mail.ts";
import type { Texts } from "./texts.ts";

export type Start = { key: Key; session: Key; id: string; src: string; nonce: number; input: unknown };
type Running = Start & { abort: AbortController };

export interface WorkersHost {
  texts: Texts;
  record(session: Key, row: Row): void;
  post(mail: Mail): void;
  tell(key: Key, event: EventObject): Promise<void>;
  failpoint(name: string): void;
}

const DONE = "xstate.done.actor.";
const FAILED = "xstate.error.actor.";
export const success = (id: string, output: unknown): EventObject =>
  ({ type: DONE + id, output, actorId: id }) as EventObject;
export const failure = (id: string, error: Fault): EventObject =>
  ({ type: FAILED + id, error, actorId: id }) as EventObject;
/** The child whose result an event is, or null. */
export const childOf = ({ type }: EventObject): string | null =>
  type.startsWith(DONE) ? type.slice(DONE.length) : type.startsWith(FAILED) ? type.slice(FAILED.length) : null;

/** An error as data: what may be stored and sent. */
export function plain(error: unknown): Fault {
  const message =
    typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
  const code =
    typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
      ? error.code
      : "SYSTEM.INTERNAL.UNMAPPED";
  return { code, message };
}

export class Workers {
  readonly #host: WorkersHost;
  readonly #works = new Map<string, Work>();
  readonly #running = new Map<string, Running>();
  readonly #held = new Counts();
  #stopped = false;
  constructor(host: WorkersHost) {
    this.#host = host;
  }

  define(src: string, work: Work): void {
    this.#works.set(src, work);
  }
  holds(session: Key): boolean {
    return this.#held.has(session);
  }

  /** Counts a start from its transition on, before its commit. */
  expect(start: Start): void {
    this.#held.add(start.session, 1);
    this.#running.set(name(start.key, start.id), { ...start, abort: new AbortController() });
  }

  /** Runs a start whose transition is committed. */
  run(start: Start): void {
    const running = this.#running.get(name(start.key, start.id));
    if (running === undefined || running.nonce !== start.nonce) return;
    this.#host.failpoint("work.before");
    const work = this.#works.get(start.src);
    const end = (event: EventObject): void => {
      if (this.#stopped) return;
      this.#host.failpoint("work.result");
      this.#host.post({ key: start.key, event, nonce: start.nonce });
    };
    if (work === undefined)
      return end(failure(start.id, { code: "SYSTEM.INTERNAL.UNMAPPED", message: `there is no work "${start.src}"` }));
    work(start.input as never, this.#context(running)).then(
      (output) => end(success(start.id, output)),
      (error: unknown) => end(failure(start.id, plain(error))),
    );
  }

  /** Its result has come, or nobody waits for it: its last text goes into this very commit. */
  settle(key: Key, id: string): Running | undefined {
    const running = this.#running.get(name(key, id));
    if (running === undefined) return undefined;
    this.#host.texts.flush(ownerName(running));
    this.#running.delete(name(key, id));
    this.#held.add(running.session, -1);
    return running;
  }
  cancel(key: Key, id: string): void {
    this.#running.get(name(key, id))?.abort.abort();
  }
  /** Ends everything; results no longer count. */
  stop(): void {
    this.#stopped = true;
    for (const { abort } of this.#running.values()) abort.abort();
  }

  #context(running: Running): WorkContext {
    const { key, session, abort } = running;
    const owner = ownerName(running);
    const { texts, record, tell } = this.#host;
    return {
      key,
      session,
      attempt: `${key}:${running.nonce}`,
      signal: abort.signal,
      text: (head: TextHead) => texts.block(owner, session, head, abort.signal),
      record: (row) => {
        texts.flush(owner);
        record(session, row);
      },
      tell: (event) => tell(key, event),
    };
  }
}

const name = (key: Key, id: string): string => `${key} ${id}`;
const ownerName = ({ key, id, nonce }: Running): string => `${key} ${id} ${nonce}`;
