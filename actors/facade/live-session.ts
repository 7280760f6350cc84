/**
 * One session in this process, while it is attended, prompted or asks something here. Its machine decides; here is what
 * is no data: whom to call, what a prompt's client waits for, and timers.
 *
 * I1. Whether it takes a prompt is asked here and nowhere else; a refusal is USER.PROMPT.IN_FLIGHT.
 * I2. A turn's result comes from its committed rows, or from the error that kept them from being written, or the turn
 *     from beginning.
 */
import type { AnyMachineSnapshot } from "xstate";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import type { Ending, LiveEvent, LiveFact } from "../../machines/live-session/vocabulary.ts";
import { liveSessionMachine } from "../../machines/live-session-machine.ts";
import type { Key } from "../../machines/model.ts";
import type { Viewer } from "../api/attendance.ts";
import type { Question } from "../api/records.ts";
import type { Timers } from "../base/clock.ts";
import type { EditorClient } from "../base/editor-client.ts";
import { born, moved } from "../host/interpret.ts";
import { OpenPrompt } from "./open-prompt.ts";
import { promptInFlight } from "./refuse.ts";
import { telling } from "./reporting.ts";

/** What live sessions ask of the process. */
export type LiveHost = {
  clock: Pick<Timers, "after">;
  /** The seq of a session's last row. */
  head: (session: Key) => number;
  /** What its run waits for, as committed. */
  questions: (session: Key) => Question[];
  /** Asks anew what is open in it: the one who was asked has gone. */
  askAnew: (session: Key) => void;
  /** Ends the turn that runs in it. */
  end: (session: Key, how: Ending) => void;
  refuseResting: () => void; // throws where no turn may begin any more
  /** A name that no other prompt and no other viewer of this process has. */
  name: () => string;
  /** It has come to another state. */
  changed: (session: Key, live: LiveSession) => void;
};

let first: AnyMachineSnapshot | undefined; // of all: a snapshot is never changed

export class LiveSession {
  readonly #key: Key;
  readonly #host: LiveHost;
  /** By name: those that are not over. */
  readonly #prompts = new Map<string, OpenPrompt>();
  readonly #viewers = new Map<string, Viewer>();
  readonly #timers = new Map<string, () => void>();
  /** The last row that this process knows of. */
  #seen: number;
  #state: AnyMachineSnapshot;
  constructor(key: Key, host: LiveHost) {
    this.#key = key;
    this.#host = host;
    this.#seen = host.head(key);
    first ??= born(liveSessionMachine, {}).snapshot;
    this.#state = first;
  }

  /** Reserves it for a prompt; `by` waits for the answer. Throws USER.PROMPT.IN_FLIGHT, USER.SERVE.CLOSING. */
  reserve(by: string | null): OpenPrompt {
    this.#host.refuseResting();
    const prompt = new OpenPrompt(this.#host.name(), by);
    this.#note({ type: "prompt.reserved", name: prompt.name, by });
    this.#refuseUnless(this.#state.context.prompt?.name === prompt.name);
    this.#prompts.set(prompt.name, prompt);
    return prompt;
  }
  /** Throws USER.PROMPT.IN_FLIGHT while this attendance waits for an answer. */
  refuseAwaited(by: string): void {
    this.#refuseUnless(this.#of(by).length === 0);
  }
  #refuseUnless(isFree: boolean): void {
    if (!isFree) throw promptInFlight(this.#key);
  }

  /** A turn begins. */
  begin(prompt: OpenPrompt, turn: string): void {
    prompt.turn = turn;
    this.#note({ type: "prompt.sent" });
    for (const [name, viewer] of this.#viewers)
      if (name !== prompt.by) telling(() => viewer.turnBegins(this.#host.head(this.#key)));
  }
  durable(): void {
    this.#note({ type: "prompt.durable" });
  }
  /** The turn never began, or its log cannot be written: its end rejects with the reason. Answers the reason. */
  fail<Reason>(reason: Reason): Reason {
    const { running } = this;
    this.#note({ type: "prompt.failed" });
    running?.end.reject(reason);
    return reason;
  }
  /** Another process has taken it over. */
  lose(reason: unknown): void {
    this.fail(reason);
    this.#note({ type: "session.lost" });
  }
  /** What runs is to end; what was only reserved is taken back. */
  cancel(): void {
    this.#note({ type: "cancel.requested" });
  }
  answered({ name }: OpenPrompt): void {
    if (this.#prompts.has(name)) this.#note({ type: "prompt.answered", name });
  }
  /** Resolves when this attendance waits for no answer. */
  async awaited(by: string): Promise<void> {
    await Promise.all(this.#of(by).map(({ over }) => over.promise));
  }
  /** The prompt whose turn runs or is about to. */
  get running(): OpenPrompt | undefined {
    return this.#state.hasTag("has a turn") ? this.#prompts.get(this.#state.context.prompt.name) : undefined;
  }
  #of(by: string): OpenPrompt[] {
    return [...this.#prompts.values()].filter((one) => one.by === by);
  }

  /** Answers the name of this attendance. */
  come(viewer: Viewer): string {
    const name = this.#host.name();
    if (this.#viewers.size === 0) this.#seen = this.#host.head(this.#key);
    this.#viewers.set(name, viewer);
    this.#note({ type: "viewer.came", viewer: name });
    return name;
  }
  leave(name: string, graceMs: number): void {
    if (this.#viewers.delete(name)) this.#note({ type: "viewer.left", viewer: name, graceMs });
  }
  /** The viewer who is asked what the session asks; null where none is. */
  get asked(): string | null {
    const { asked } = this.#state.context;
    return asked.is === "viewer" ? asked.viewer : null;
  }
  /** What the viewer who is asked does in our place; null where none is asked, or nothing is done. */
  get hands(): EditorClient | null {
    return this.#viewers.get(this.asked ?? "")?.hands ?? null;
  }

  /**
   * Another process may have written: who attends what it wrote hears of it, and is not asked what it asks. Answers
   * whether there is something of it.
   */
  look(): boolean {
    const after = this.#seen;
    this.#seen = this.#host.head(this.#key);
    if (this.#viewers.size === 0 || this.#seen <= after) return false;
    if (this.running === undefined) this.#note({ type: "turn.began elsewhere" });
    for (const viewer of [...this.#viewers.values()]) telling(() => viewer.turnBegins(after));
    return true;
  }
  /** The process of another's turn has died, and its run was cut off. */
  cutOff(): void {
    for (const viewer of [...this.#viewers.values()]) telling(() => viewer.cutOff?.());
  }
  /** For every committed row of this process. */
  note(row: Exchange): void {
    this.#seen = row.seq;
    if (row.type === "turn.completed") this.#turnEnds(row.payload);
    else if (row.type === "run.completed") this.#runEnds(row);
    else if (row.type === "permission.requested")
      this.#note({ type: "question.asked", question: row.payload.permission });
    else if (row.type === "permission.resolved")
      this.#note({ type: "question.closed", question: row.payload.permission });
  }
  #turnEnds({ turn, stopReason, error }: RowOf<"turn.completed">["payload"]): void {
    const { running } = this;
    if (running?.turn !== turn) return;
    const questions = running.run === null && error === undefined ? this.#host.questions(this.#key) : [];
    this.#note({ type: "turn.ended" });
    running.end.resolve({ turn, stopReason, error: error ?? null, questions, run: running.run });
  }
  #runEnds({ run, parentRun, payload }: Exchange<RowOf<"run.completed">>): void {
    const { running } = this;
    // The turn's own end reports one that never began.
    if (running === undefined || parentRun !== undefined || payload.began === false) return;
    const { status, exitCode, error, outputs, message } = payload;
    const outcome = { status, exitCode, ...(error ? { error } : {}) };
    running.run = { run: run ?? "", outcome, outputs: outputs ?? {}, message: message ?? null };
  }

  /** What other processes write concerns it. */
  get hearsOthers(): boolean {
    return this.#state.hasTag("hears others");
  }
  /** A question of this process is open. */
  get asks(): boolean {
    return this.#state.context.questions.length > 0;
  }
  /** Nothing is kept of it. */
  get isOver(): boolean {
    const { prompt, answering } = this.#state.context;
    return prompt === null && answering.length === 0 && !this.hearsOthers;
  }
  close(): void {
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
  }

  #note(event: LiveEvent): void {
    const { snapshot, effects } = moved(liveSessionMachine, this.#state, event);
    this.#state = snapshot;
    for (const effect of effects) {
      if (effect.do === "append") this.#told(effect.row as unknown as LiveFact);
      else if (effect.do === "timer") this.#wait(effect.id, effect.delayMs, effect.event as LiveEvent);
      else if (effect.do === "untimer") this.#waitNoMore(effect.id);
    }
    this.#host.changed(this.#key, this);
  }
  #told(fact: LiveFact): void {
    switch (fact.type) {
      case "prompt.withdrawn":
        return this.#prompts.get(fact.name)?.taken.abort();
      case "prompt.over":
        this.#prompts.get(fact.name)?.over.resolve();
        this.#prompts.delete(fact.name);
        return;
      case "end.due":
        return this.#host.end(this.#key, fact.ending);
      case "asked.changed":
        return this.#host.askAnew(this.#key);
      default:
        fact satisfies never;
    }
  }
  #wait(id: string, ms: number, event: LiveEvent): void {
    this.#waitNoMore(id);
    this.#timers.set(
      id,
      this.#host.clock.after(ms, () => {
        this.#timers.delete(id);
        this.#note(event);
      }),
    );
  }
  #waitNoMore(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }
}
