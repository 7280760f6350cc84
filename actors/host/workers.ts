/**
 * The work that runs outside machines in this process.
 *
 * I1. A start has one result. Results of starts that were given up are dropped by the nonce that came with them.
 * I2. Work hears a cancel as its abort signal and then settles by itself.
 * I3. What a tick decides about work happens after its commit, or not at all.
 * I4. Work whose result is no longer waited for is aborted, and can no longer say, record or send anything.
 * I5. At most STARTS_A_TURN begin in one turn of the event loop, STARTS_BESIDE_TEXT while text flows, in order: what
 *     others do, and the words, go out in between. So few of thousands that end at once stand open together.
 */
import type { EventObject } from "xstate";
import type { Row } from "../../machines/exchange.ts";
import type { WorkTold } from "../../machines/guidance.ts";
import type { Fault, Key } from "../../machines/model.ts";
import { codeOfErrno, codeOfSqlite, temporaryFault } from "../errors/system.ts";
import { thrownWords } from "../errors/thrown.ts";
import type { TextHead, Work, WorkContext } from "./host.ts";
import type { Mail } from "./mail.ts";
import type { TextWriter } from "./text-writer.ts";
import { WorkQuestions } from "./work-questions.ts";
import { whyNotKept } from "./work-result.ts";
import { WorkTalk } from "./work-talk.ts";

export type Start = { key: Key; session: Key; id: string; src: string; nonce: number; input: unknown };
/** Which start of which child. */
export type Which = Pick<Start, "key" | "id" | "nonce">;
export const STARTS_A_TURN = 64;
export const STARTS_BESIDE_TEXT = 4;
type Running = Start & { abort: AbortController; asks: WorkQuestions; told: WorkTalk };
/** One reason for every work that is over: a new one would cost more than the rest of its end. */
const OVER = new DOMException("the result of this work is no longer needed", "AbortError");
type Decision =
  | { do: "start"; start: Start }
  | { do: "end" | "cancel"; which: Which }
  | { do: "hear"; which: Which; event: EventObject };

export interface WorkersHost {
  texts: TextWriter;
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
  const given =
    typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
      ? error.code
      : "SYSTEM.INTERNAL.UNMAPPED";
  return (
    temporaryFault(error) ?? { code: codeOfSqlite(error) ?? codeOfErrno(given) ?? given, message: thrownWords(error) }
  );
}

export class Workers {
  readonly #host: WorkersHost;
  readonly #works = new Map<string, Work>();
  readonly #running = new Map<string, Running>();
  /** What the tick under way has decided. */
  #decisions: Decision[] = [];
  /** What it starts, by name: an end in the same tick takes the start back. */
  readonly #starting = new Set<string>();
  /** Started, and waiting for their turn to begin. */
  #waiting: (() => void)[] = [];
  #begun = 0;
  #stopped = false;
  constructor(host: WorkersHost) {
    this.#host = host;
  }

  /** Whether anything runs. */
  get areBusy(): boolean {
    return this.#running.size > 0;
  }
  define(src: string, work: Work): void {
    this.#works.set(src, work);
  }

  start(start: Start): void {
    this.#starting.add(nameOf(start));
    this.#decisions.push({ do: "start", start });
  }
  /** Its result has come, or is no longer waited for: its last text goes into this very commit. */
  end(which: Which): void {
    const name = nameOf(which);
    this.#host.texts.end(name);
    if (this.#starting.delete(name))
      this.#decisions = this.#decisions.filter((d) => d.do !== "start" || nameOf(d.start) !== name);
    this.#decisions.push({ do: "end", which });
  }
  /** What the tick under way starts in a session. */
  startsIn(session: Key): Which[] {
    return this.#decisions.flatMap((one) => (one.do === "start" && one.start.session === session ? [one.start] : []));
  }
  cancel(which: Which): void {
    this.#decisions.push({ do: "cancel", which });
  }
  /** What its machine sends it. */
  hear(which: Which, event: EventObject): void {
    this.#decisions.push({ do: "hear", which, event });
  }

  /** After the commit (I3). */
  commit(): void {
    const decisions = this.#decisions;
    this.undo();
    for (const decision of decisions) {
      switch (decision.do) {
        case "start":
          this.#run(decision.start);
          break;
        case "end":
          this.#running.get(nameOf(decision.which))?.abort.abort(OVER);
          this.#running.delete(nameOf(decision.which));
          break;
        case "cancel":
          this.#running.get(nameOf(decision.which))?.abort.abort();
          break;
        case "hear":
          this.#tell(this.#running.get(nameOf(decision.which)), decision.event);
          break;
        default:
          decision satisfies never;
      }
    }
  }
  /** After a rollback (I3). */
  undo(): void {
    this.#decisions = [];
    this.#starting.clear();
  }

  /** Ends what runs in a session, as if its results were not waited for: another process has it. */
  giveUp(session: Key): void {
    for (const [name, running] of this.#running) {
      if (running.session !== session) continue;
      this.#running.delete(name);
      running.abort.abort(OVER);
    }
    this.#host.texts.drop(session);
  }
  /** Ends everything; results no longer count, and nothing starts. */
  stop(): void {
    this.#stopped = true;
    for (const { abort } of this.#running.values()) abort.abort();
  }

  #run(start: Start): void {
    if (this.#stopped) return;
    const name = nameOf(start);
    const running: Running = {
      ...start,
      abort: new AbortController(),
      told: new WorkTalk(),
      asks: new WorkQuestions(String(start.nonce), async (event) => {
        if (this.#running.get(name) === running) await this.#host.tell(start.key, event); // I4
      }),
    };
    this.#running.set(name, running);
    this.#inTurn(() => {
      if (!this.#stopped && this.#running.get(name) === running) this.#begin(running);
    });
  }

  #tell(running: Running | undefined, event: EventObject): void {
    if (event.type === "work.told") running?.told.hear(event as WorkTold);
    else running?.asks.hear(event);
  }

  /** I5. */
  #inTurn(begin: () => void): void {
    if (this.#begun === 0) setImmediate(() => this.#nextTurn());
    const most = this.#host.texts.isFlowing ? STARTS_BESIDE_TEXT : STARTS_A_TURN;
    if (this.#begun++ < most && this.#waiting.length === 0) begin();
    else this.#waiting.push(begin);
  }
  #nextTurn(): void {
    this.#begun = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const begin of waiting) this.#inTurn(begin);
  }

  #begin(running: Running): void {
    const start: Start = running;
    this.#host.failpoint("work.before");
    const work = this.#works.get(start.src);
    const end = (event: EventObject): void => {
      if (this.#stopped || this.#running.get(nameOf(start)) !== running) return;
      this.#host.failpoint("work.result");
      this.#host.post({ key: start.key, session: start.session, event, nonce: start.nonce });
    };
    if (work === undefined)
      return end(failure(start.id, { code: "SYSTEM.INTERNAL.UNMAPPED", message: `there is no work "${start.src}"` }));
    const context = this.#context(running);
    new Promise((resolve) => resolve(work(start.input as never, context))).then(
      (output) => end(resultOf(start, output)),
      (error: unknown) => end(failure(start.id, plain(error))),
    );
  }

  #context(running: Running): WorkContext {
    const { key, session, abort, nonce } = running;
    const name = nameOf(running);
    const { texts, record, tell } = this.#host;
    const counts = (): boolean => this.#running.get(name) === running; // I4
    return {
      key,
      session,
      attempt: `${key}:${nonce}`,
      signal: abort.signal,
      text: (head: TextHead) => texts.block(name, session, head, abort.signal),
      record: (row) => {
        if (!counts()) return;
        texts.flush(name);
        record(session, row);
      },
      tell: async (event) => {
        if (counts()) await tell(key, event);
      },
      listen: (take) => running.told.listen(take),
      ask: (question, signal) => {
        texts.flush(name);
        return running.asks.ask(
          question,
          signal === undefined ? abort.signal : AbortSignal.any([abort.signal, signal]),
        );
      },
    };
  }
}

const nameOf = ({ key, id, nonce }: Which): string => `${key} ${id} ${nonce}`;

function resultOf({ id, src }: Start, output: unknown): EventObject {
  const why = whyNotKept(output);
  if (why === null) return success(id, output);
  return failure(id, { code: "SYSTEM.INTERNAL.UNMAPPED", message: `the result of "${src}" ${why}` });
}
