/**
 * Reports to an observer what durable machines do, so that Stately's tools and our own viewer see them like any others.
 *
 * I1. It hears of each actor's birth, event and snapshot once, after the commit, in the order of the transitions.
 * I2. It can change nothing: what it throws is dropped.
 * I3. Without an observer, a transition costs one check. With one, nothing is written as JSON until it is
 *     asked for, and then its secrets are hidden.
 * I4. A snapshot shows what is stored for it: no birth, and no results of states, which would grow with the run.
 */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { definitionOf } from "../../machines/definition.ts";
import type { ActorSeen, Inspect, Inspection, Shown } from "../../machines/inspection.ts";
import { resultsIn, withResults } from "../../machines/kept-results.ts";
import type { Key, Kind } from "../../machines/model.ts";
import { withoutMarks } from "../masking/mark.ts";
import type { Mask } from "../masking/masking.ts";
import type { Actor } from "./actor-cache.ts";

export type InspectorHost = {
  inspect: Inspect | undefined;
  now(): number;
  machineOf(kind: Kind): AnyStateMachine;
  mask: Pick<Mask, "hide">;
};

export class Inspector {
  readonly #host: InspectorHost;
  readonly #definitions = new Map<Kind, string>();
  #heard: Inspection[] = [];
  constructor(host: InspectorHost) {
    this.#host = host;
  }

  /** One transition of an actor, whose snapshot is the one after it. `from`: who has sent the event. */
  note(actor: Actor, event: EventObject, from: Key | null): void {
    if (this.#host.inspect === undefined) return; // I3
    const { kind, snapshot } = actor;
    const self = this.#seen(actor);
    const { rootId, actorRef, at } = self;
    const happened = { rootId, actorRef, at, eventType: event.type, event: this.#shown(() => event) };
    const seen = { ...happened, actor: () => self };
    if (event.type === "xstate.init") this.#heard.push(self);
    this.#heard.push({ type: "@xstate.event", ...seen, sourceId: from });
    const shown = this.#shown(() => shownState(kind, snapshot, null));
    this.#heard.push({ type: "@xstate.snapshot", ...seen, isOver: snapshot.status !== "active", snapshot: shown });
  }
  /** After the commit. */
  tell(): void {
    if (this.#heard.length === 0) return;
    const heard = this.#heard;
    this.#heard = [];
    for (const inspection of heard) {
      try {
        this.#host.inspect?.(inspection);
      } catch {
        // I2
      }
    }
  }
  /** After a rollback: what it noted never was. */
  undo(): void {
    this.#heard = [];
  }

  /** Actors as they are, and all below them; each once. What is not there is left out. */
  described(roots: readonly Key[], load: (key: Key) => Actor | undefined): ActorSeen[] {
    const found = new Map<Key, ActorSeen>();
    const open = [...roots];
    for (const key of open) {
      const actor = found.has(key) ? undefined : load(key);
      if (actor === undefined) continue;
      found.set(key, this.#seen(actor));
      for (const child of actor.children.values()) if (child.key !== null) open.push(child.key);
    }
    return [...found.values()];
  }

  #seen(actor: Actor): ActorSeen {
    const { key, session: rootId, parent: parentId, kind, birth, snapshot } = actor;
    return {
      ...{ type: "@xstate.actor", rootId, actorRef: { id: key, sessionId: key }, at: this.#host.now() },
      ...{ name: nameOf(actor), parentId },
      definition: () => this.#definition(kind),
      snapshot: this.#shown(() => shownState(kind, snapshot, birth)),
    };
  }
  #shown(value: () => object): Shown {
    return () => withoutMarks(this.#host.mask.hide(value()));
  }
  #definition(kind: Kind): string {
    const known = this.#definitions.get(kind) ?? JSON.stringify(definitionOf(this.#host.machineOf(kind)));
    this.#definitions.set(kind, known);
    return known;
  }
}

/** I4. `birth`: null leaves it out. */
function shownState(kind: Kind, snapshot: AnyMachineSnapshot, birth: object | null): object {
  const { value, status, output, error, tags } = snapshot;
  const { birth: _, ...context } = snapshot.context as { birth: unknown };
  const lean = resultsIn(kind, context) === undefined ? context : withResults(kind, context, {});
  return { value, status, tags: [...tags], context: birth === null ? lean : { ...lean, birth }, output, error };
}

/** The kind, and what it does: a workflow's name, the path of a step. */
function nameOf({ kind, birth }: Actor): string {
  const { workflow, origin } = birth as { workflow?: { name?: unknown }; origin?: { step?: unknown } };
  const what = workflow?.name ?? origin?.step;
  return typeof what === "string" && what !== "" ? `${kind} ${what}` : kind;
}
