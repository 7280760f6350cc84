/**
 * What a reader makes of inspections: which actors there are, and what has passed between them, in order.
 *
 * I1. It knows an actor from the first message about it, and still when it has ended.
 * I2. A step is an event together with what the actor was before and after it. MOST_STEPS of them are kept.
 */
import type { ActorMessage, EventMessage, WireEvent, WireMessage, WireSnapshot } from "./wire.ts";

export const MOST_STEPS = 5_000;

export type KnownActor = {
  key: string;
  name: string;
  parent: string | null;
  session: string;
  definition: string;
  snapshot: WireSnapshot;
  birth: unknown;
  isOver: boolean;
};
/** `from`: the key of who has sent it, or null. `after` is null until it is known. */
export type EventStep = {
  n: number;
  at: number;
  from: string | null;
  to: string;
  event: WireEvent;
  before: string;
  after: string | null;
};

export class KnownActors {
  readonly actors = new Map<string, KnownActor>();
  readonly steps: EventStep[] = [];
  readonly #open = new Map<string, EventStep>();

  /** Answers the step that a message has made whole. */
  see(message: WireMessage): EventStep | null {
    switch (message.type) {
      case "@xstate.actor":
        this.#meet(message);
        return null;
      case "@xstate.event":
        this.#begin(message);
        return null;
      case "@xstate.snapshot": {
        const actor = this.actors.get(message.sessionId);
        if (actor !== undefined) {
          actor.snapshot = message.snapshot;
          actor.isOver = message.snapshot.status !== "active";
        }
        const step = this.#open.get(message.sessionId);
        this.#open.delete(message.sessionId);
        if (step === undefined) return null;
        step.after = stateText(message.snapshot.value);
        return step;
      }
      default:
        return message satisfies never;
    }
  }

  #meet({ sessionId: key, name, parentId, rootId: session, definition, snapshot }: ActorMessage): void {
    const { birth = null } = (snapshot.context ?? {}) as { birth?: unknown };
    const isOver = snapshot.status !== undefined && snapshot.status !== "active";
    this.actors.set(key, { key, name, parent: parentId ?? null, session, definition, snapshot, birth, isOver });
  }
  #begin({ id, createdAt, sourceId, sessionId: to, event }: EventMessage): void {
    const isBirth = event.type === "xstate.init";
    const before = isBirth ? "" : stateText(this.actors.get(to)?.snapshot.value);
    const step = { n: Number(id), at: Number(createdAt), from: sourceId ?? null, to, event, before, after: null };
    this.#open.set(to, step);
    this.steps.push(step);
    if (this.steps.length >= 2 * MOST_STEPS) this.steps.splice(0, this.steps.length - MOST_STEPS);
  }
}

/** `{attempting: "working"}` as `attempting.working`. */
export function stateText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([name, below]) => [name, stateText(below)].filter((part) => part !== "").join("."))
    .join(" + ");
}

/** An event in words: `xstate.done.actor.greet` as `greet done`, `xstate.after.…` as the time that is over. */
export function eventText(type: string): string {
  if (type === "xstate.init") return "born";
  const [, verb, child] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (verb !== undefined) return `${child} ${verb === "done" ? "done" : "failed"}`;
  const after = /^xstate\.after\.([^.]+)\./.exec(type)?.[1];
  return after === undefined ? type : `after ${after}`;
}

/** The name of its sender: an actor, the actor itself, its work, or something outside. */
export function senderText({ from, to, event }: EventStep, actors: ReadonlyMap<string, KnownActor>): string {
  if (from === to) return "itself";
  if (from !== null) return actors.get(from)?.name ?? from;
  return /^xstate\.(done|error)\.actor\./.test(event.type) ? "its work" : "outside";
}

/** What an event carries beside its type, as JSON; "" where it carries nothing. */
export function payloadText({ type: _, actorId: __, ...rest }: WireEvent): string {
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
}

/** The keys that a filter leaves: those whose key or name holds its words, and, of those, who is below. */
export function keysWith(actors: ReadonlyMap<string, KnownActor>, filter: string): Set<string> {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = ({ key, name }: KnownActor): boolean =>
    words.every((word) => `${key} ${name}`.toLowerCase().includes(word));
  const found = new Set<string>();
  // A parent is sent before its children.
  for (const actor of actors.values())
    if (isMeant(actor) || (words.length > 0 && actor.parent !== null && found.has(actor.parent))) found.add(actor.key);
  return found;
}

/** The one to show first: the last that is at work, otherwise the last. */
export function shownFirst(actors: ReadonlyMap<string, KnownActor>, keys: Iterable<string>): string | null {
  const all = [...keys];
  return all.findLast((key) => actors.get(key)?.isOver === false) ?? all.at(-1) ?? null;
}

/** How many of those above it are known. */
export function depthOf(actors: ReadonlyMap<string, KnownActor>, key: string): number {
  const seen = new Set<string>();
  for (let at = actors.get(key)?.parent ?? null; at !== null && actors.has(at) && !seen.has(at); ) {
    seen.add(at);
    at = actors.get(at)?.parent ?? null;
  }
  return seen.size;
}

/** What has come to one of these, or from one. */
export const stepsOf = (steps: readonly EventStep[], keys: ReadonlySet<string>): EventStep[] =>
  steps.filter(({ from, to }) => keys.has(to) || (from !== null && keys.has(from)));
