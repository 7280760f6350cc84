/**
 * A host in memory: a family of keyed machines, one queue, timers and work as data. Nothing happens by itself: a test
 * settles work, lets time pass, or lets the process die.
 *
 * I1. Mail is delivered in the order in which it was posted, one at a time.
 * I2. A result of an older start is dropped, and a machine that has ended takes nothing with it but its children.
 * I3. A session with nothing running hears so, where it listens: no mail, no work, no timer, no open permission.
 */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { type Children, type Effect, QUIET } from "../../actors/host/host.ts";
import { type Moved, restored, stored } from "../../actors/host/interpret.ts";
import { failure, success } from "../../actors/host/workers.ts";
import { LIMIT } from "../../machines/address.ts";
import type { Row } from "../../machines/exchange.ts";
import { inputMachine } from "../../machines/input-machine.ts";
import { loopMachine } from "../../machines/loop-machine.ts";
import type { Key, Kind } from "../../machines/model.ts";
import { parallelMachine } from "../../machines/parallel-machine.ts";
import { permissionMachine } from "../../machines/permission-machine.ts";
import { runMachine } from "../../machines/run-machine.ts";
import { sessionMachine } from "../../machines/session-machine.ts";
import { stepMachine } from "../../machines/step-machine.ts";
import { turnMachine } from "../../machines/turn-machine.ts";
import { CRASH } from "./machine.ts";
import { born, moved } from "./oracle.ts";

export const MACHINES: { readonly [K in Kind]: AnyStateMachine } = {
  session: sessionMachine,
  turn: turnMachine,
  run: runMachine,
  step: stepMachine,
  parallel: parallelMachine,
  loop: loopMachine,
  permission: permissionMachine,
  input: inputMachine,
};

type Actor = {
  key: Key;
  parent: Key | null;
  childId: string;
  nonce: number;
  birth: object;
  snapshot: AnyMachineSnapshot;
  children: Children;
  starts: number;
};
export type Work = { key: Key; id: string; src: string; nonce: number; input: unknown; cancelled: boolean };
type Timer = { key: Key; id: string; due: number; event: EventObject };
type Mail = { key: Key; event: EventObject; nonce?: number };

export class Stage {
  readonly rows: Row[] = [];
  /** What a machine answered at its end. */
  readonly outputs = new Map<Key, unknown>();
  /** Events that reached a living machine, as `<key> <type>`. */
  readonly heard = new Set<string>();
  readonly #actors = new Map<Key, Actor>();
  #mail: Mail[] = [];
  #work: Work[] = [];
  #timers: Timer[] = [];
  #ids = 0;
  #now = 0;

  /** Keys of the machines that have not ended. */
  get alive(): Key[] {
    return [...this.#actors.keys()];
  }
  get work(): readonly Work[] {
    return this.#work;
  }
  get timers(): readonly Timer[] {
    return this.#timers;
  }
  get hasMail(): boolean {
    return this.#mail.length > 0;
  }
  /** Nothing of any session runs. */
  get isQuiet(): boolean {
    const busy = this.hasMail || this.#work.length > 0 || this.#timers.some(({ id }) => id !== LIMIT);
    return !busy && !this.alive.some((key) => key.startsWith("permission/"));
  }
  state(key: Key): unknown {
    return this.#actors.get(key)?.snapshot.value;
  }

  create(key: Key, input: object): void {
    this.#birth({ key, parent: null, childId: "", nonce: 0 }, input);
  }
  post(key: Key, event: EventObject): void {
    this.#mail.push({ key, event });
  }
  /** Delivers one piece of mail. What comes for an actor that is gone is dropped, and may leave all quiet too. */
  deliver(): void {
    const mail = this.#mail.shift();
    if (mail === undefined) return;
    this.#hand(mail);
    if (mail.event.type !== QUIET.type && this.isQuiet) this.#hush();
  }
  #hand(mail: Mail): void {
    const actor = this.#actors.get(mail.key);
    if (actor === undefined) return;
    this.heard.add(`${mail.key} ${mail.event.type}`);
    const child = /^xstate\.(?:done|error)\.actor\.(.*)$/.exec(mail.event.type)?.[1];
    if (child !== undefined) {
      if (actor.children[child]?.nonce !== mail.nonce) return;
      this.#forget(actor.key, child);
      delete actor.children[child];
    }
    const machine = this.#machine(actor.key);
    const json = JSON.stringify(stored(machine, actor.snapshot, actor.children, actor.starts));
    const before = restored(machine, JSON.parse(json), actor.birth);
    this.#take(actor, moved(machine, before, mail.event));
  }
  /** Delivers until no mail is left. */
  settle(): void {
    while (this.hasMail) this.deliver();
  }
  /** The result of a piece of work, or its failure. */
  finish({ key, id, nonce }: Work, end: { output: unknown } | { error: typeof CRASH }): void {
    this.#work = this.#work.filter((each) => each.nonce !== nonce || each.key !== key);
    this.#mail.push({ key, nonce, event: "output" in end ? success(id, end.output) : failure(id, end.error) });
  }
  /** Fires the timer that comes due next. */
  ring(): void {
    const next = this.#timers.toSorted((a, b) => a.due - b.due)[0];
    if (next === undefined) return;
    this.#now = Math.max(this.#now, next.due);
    this.#timers = this.#timers.filter((each) => each !== next);
    this.post(next.key, next.event);
  }
  /** The process dies, and another takes the session over: all work is cut off, nothing else is lost. */
  crash(session: Key): void {
    this.post(session, { type: "owner.lost" });
    for (const work of this.#work) this.finish(work, { error: CRASH });
  }

  #hush(): void {
    for (const { key, snapshot } of this.#actors.values())
      if (key.startsWith("session/") && snapshot.can(QUIET)) this.post(key, QUIET);
  }
  #machine(key: Key): AnyStateMachine {
    return MACHINES[key.slice(0, key.indexOf("/")) as keyof typeof MACHINES];
  }
  #birth(who: Pick<Actor, "key" | "parent" | "childId" | "nonce">, input: object): void {
    const birth = JSON.parse(JSON.stringify({ ...input, self: who.key, parent: who.parent, at: this.#now }));
    const moved = born(this.#machine(who.key), birth);
    const actor: Actor = { ...who, birth, children: {}, starts: 0, snapshot: moved.snapshot };
    this.#actors.set(who.key, actor);
    this.#take(actor, moved);
  }
  #take(actor: Actor, { snapshot, effects }: Moved): void {
    actor.snapshot = snapshot;
    for (const effect of effects) this.#book(actor, effect);
    if (snapshot.status !== "active") this.#bury(actor);
  }
  #book(actor: Actor, effect: Effect): void {
    switch (effect.do) {
      case "append":
        this.rows.push(effect.row);
        return;
      case "send":
        return this.post(effect.to, effect.event);
      case "send child":
        return this.#tell(actor, effect.id, effect.event);
      case "send children":
        for (const id of Object.keys(actor.children)) this.#tell(actor, id, effect.event);
        return;
      case "spawn":
        return this.#spawn(actor, effect.id, effect.src, (effect.input ?? {}) as { id?: string | null });
      case "stop":
        return this.#stop(actor, effect.id);
      case "timer":
        this.#timers.push({ key: actor.key, id: effect.id, due: this.#now + effect.delayMs, event: effect.event });
        return;
      case "untimer":
        this.#timers = this.#timers.filter(({ key, id }) => key !== actor.key || id !== effect.id);
        return;
      default:
        return effect satisfies never;
    }
  }
  #spawn(actor: Actor, id: string, src: string, input: { id?: string | null }): void {
    if (Object.hasOwn(actor.children, id)) throw new Error(`${actor.key} starts "${id}" while one runs`);
    const nonce = ++actor.starts;
    if (Object.hasOwn(MACHINES, src)) {
      const key = `${src}/${input.id ?? ++this.#ids}` as Key;
      actor.children[id] = { src, nonce, key };
      return this.#birth({ key, parent: actor.key, childId: id, nonce }, input);
    }
    actor.children[id] = { src, nonce, key: null };
    this.#work.push({ key: actor.key, id, src, nonce, input, cancelled: false });
  }
  #tell(actor: Actor, id: string, event: EventObject): void {
    const child = actor.children[id];
    if (child === undefined) return;
    if (child.key !== null) return this.post(child.key, event);
    if (event.type !== "cancel.requested") return;
    for (const work of this.#work) if (work.key === actor.key && work.id === id) work.cancelled = true;
  }
  #stop(actor: Actor, id: string): void {
    const child = actor.children[id];
    if (child === undefined) return;
    delete actor.children[id];
    if (child.key === null) return this.#forget(actor.key, id);
    const orphan = this.#actors.get(child.key);
    if (orphan === undefined) return;
    orphan.parent = null;
    this.#bury(orphan);
  }
  #bury(actor: Actor): void {
    for (const id of Object.keys(actor.children)) this.#stop(actor, id);
    this.#actors.delete(actor.key);
    this.#timers = this.#timers.filter(({ key }) => key !== actor.key);
    const { status, output } = actor.snapshot;
    this.outputs.set(actor.key, output);
    if (actor.parent === null) return;
    const event = status === "done" ? success(actor.childId, output) : failure(actor.childId, CRASH);
    this.#mail.push({ key: actor.parent, event, nonce: actor.nonce });
  }
  #forget(key: Key, id: string): void {
    this.#work = this.#work.filter((each) => each.key !== key || each.id !== id);
  }
}
