/**
 * One durable machine alone: it is driven through the pure interpreter, and what it asks for is kept as data.
 *
 * I1. Between two events its snapshot goes through JSON and back, as it does in a store.
 * I2. Children are rows, as in a host; a result of a child that is not there changes nothing.
 */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import type { Children, Effect } from "../../actors/host/host.ts";
import { type Moved, restored, stored, withChildren } from "../../actors/host/interpret.ts";
import { failure, success } from "../../actors/host/workers.ts";
import type { Row } from "../../machines/exchange.ts";
import type { Fault, Key } from "../../machines/model.ts";
import { born, moved } from "./oracle.ts";

export const SELF_AT = 1_000;
export const CRASH: Fault = { code: "INTERRUPTED", message: "the process that ran this ended" };
export const cancel = { type: "cancel.requested" };
export const resume = (recover: "rerun" | "fail" | "ask") => ({ type: "resume.requested", recover });

export class Solo {
  readonly effects: Effect[] = [];
  readonly #machine: AnyStateMachine;
  readonly #birth: object;
  #snapshot: AnyMachineSnapshot;
  #children: Children = {};
  #starts = 0;

  constructor(machine: AnyStateMachine, self: Key, input: object, parent: Key | null = "step/owner") {
    this.#machine = machine;
    this.#birth = { ...input, self, parent, at: SELF_AT };
    this.#snapshot = this.#take(born(machine, this.#birth));
  }

  get value(): unknown {
    return this.#snapshot.value;
  }
  get context(): object {
    return this.#snapshot.context;
  }
  get status(): string {
    return this.#snapshot.status;
  }
  get output(): unknown {
    return this.#snapshot.output;
  }
  get #known(): ReadonlyMap<string, unknown> {
    return new Map(Object.entries(this.#children));
  }
  /** Ids of the children that still run. */
  get running(): string[] {
    return Object.keys(this.#children);
  }
  get rows(): Row[] {
    return this.effects.flatMap((effect) => (effect.do === "append" ? [effect.row] : []));
  }
  /** The input of the latest start of a child with this id. */
  input(id: string): unknown {
    return this.effects.findLast((effect) => effect.do === "spawn" && effect.id === id && "input" in effect)?.[
      "input" as never
    ];
  }
  can(event: EventObject): boolean {
    return this.#snapshot.can(event);
  }

  /** Delivers an event; answers what that event asked for, in short. */
  tell(event: EventObject): string[] {
    const from = this.effects.length;
    const json = JSON.stringify(stored(this.#machine, this.#snapshot, this.#children, this.#starts));
    const before = withChildren(restored(this.#machine, JSON.parse(json), this.#birth), this.#known);
    this.#snapshot = this.#take(moved(this.#machine, before, event));
    return this.effects.slice(from).map(brief);
  }
  done(id: string, output: unknown): string[] {
    return this.#settled(id, success(id, output));
  }
  fail(id: string, fault: Fault = CRASH): string[] {
    return this.#settled(id, failure(id, fault));
  }
  /** Fires the timer with this delay's name. */
  fire(name: string): string[] {
    const timer = this.effects.findLast(
      (effect) => effect.do === "timer" && (effect.id === name || effect.id.includes(`.${name}.`)),
    );
    if (timer?.do !== "timer") throw new Error(`no timer "${name}" was set`);
    return this.tell(timer.event);
  }

  #settled(id: string, event: EventObject): string[] {
    if (!Object.hasOwn(this.#children, id)) throw new Error(`no child "${id}" runs`);
    delete this.#children[id];
    return this.tell(event);
  }
  #take({ snapshot, effects }: Moved): AnyMachineSnapshot {
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.do === "spawn") this.#children[effect.id] = { src: effect.src, nonce: ++this.#starts, key: null };
      if (effect.do === "stop") delete this.#children[effect.id];
    }
    return withChildren(snapshot, this.#known);
  }
}

/** An effect in one short line. */
export function brief(effect: Effect): string {
  switch (effect.do) {
    case "spawn":
      return `spawn ${effect.src} ${effect.id}`;
    case "stop":
      return `stop ${effect.id}`;
    case "timer":
      return `timer ${effect.delayMs}`;
    case "untimer":
      return `untimer ${/after\.(\w+)/.exec(effect.id)?.[1] ?? effect.id}`;
    case "append":
      return `row ${effect.row.type}`;
    case "send":
      return `send ${effect.to} ${effect.event.type}`;
    case "send child":
      return `tell ${effect.id} ${effect.event.type}`;
    case "send children":
      return `tell all ${effect.event.type}`;
    default:
      return effect satisfies never;
  }
}
