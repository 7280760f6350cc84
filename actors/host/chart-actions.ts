/**
 * The built-in actions of XState, carried out as data: one pass over the actions of a transition changes a context and
 * says what the host is to do.
 *
 * I1. An action, or a part of one, that is not known here throws: XState then decides what it means.
 */
import type { AnyStateMachine, EventObject, UnknownAction } from "xstate";
import type { Target } from "../../machines/address.ts";
import type { Row } from "../../machines/exchange.ts";
import type { Effect } from "./host.ts";

export const unknown = (what: string): never => {
  throw new Error(`${what} is left to XState`);
};

/** What an expression is given. What the machines of this house never ask for is not there. */
export class Given {
  readonly context: object;
  readonly event: EventObject;
  constructor(context: object, event: EventObject) {
    this.context = context;
    this.event = event;
  }
  get self(): never {
    return unknown("self");
  }
  get system(): never {
    return unknown("system");
  }
  get spawn(): never {
    return unknown("spawn");
  }
}
type Expression = (given: Given, params: unknown) => unknown;
/** An action as XState makes it: a function that holds its parts. */
type Parts = { type: string; [part: string]: unknown };
/** An action and what it is called with: `params` may be an expression. */
export type Act = { parts: Parts; params: unknown };

const BUILT_IN = new Set(
  ["assign", "emit", "sendTo", "spawnChild", "raise", "cancel", "enqueueActions"].map((name) => `xstate.${name}`),
);

/** The action that a chart names. */
export function actOf(machine: AnyStateMachine, action: UnknownAction): Act {
  const { actions } = machine.implementations;
  const named = action as string | { type: string; params?: unknown } | Parts;
  const found = typeof named === "function" ? named : actions[typeof named === "string" ? named : named.type];
  const parts = found as unknown as Parts | undefined;
  if (parts === undefined || !BUILT_IN.has(parts.type)) return unknown(`an action of ${machine.id}`);
  return { parts, params: typeof named === "object" ? named.params : undefined };
}

export const paramsOf = (params: unknown, given: Given): unknown =>
  typeof params === "function" ? (params as (given: Given) => unknown)(given) : params;

const resolvedPart = (part: unknown, given: Given, params: unknown): unknown =>
  typeof part === "function" ? (part as Expression)(given, params) : part;

/** What `enqueueActions` is given to note its actions with. */
class Notes {
  readonly noted: Parts[] = [];
  assign(assignment: unknown): void {
    this.noted.push({ type: "xstate.assign", assignment });
  }
  emit(event: unknown): void {
    this.noted.push({ type: "xstate.emit", event });
  }
  sendTo(to: unknown, event: unknown, options?: object): void {
    this.noted.push({ type: "xstate.sendTo", to, event, ...options });
  }
  spawnChild(src: unknown, options: object): void {
    this.noted.push({ type: "xstate.spawnChild", src, ...options });
  }
}
const check = (): never => unknown("a guard inside an action");

/** One event's actions: what they leave of the context and of the children, and what they ask for. */
export class Doing {
  readonly #machine: AnyStateMachine;
  readonly #event: EventObject;
  readonly effects: Effect[] = [];
  given: Given;
  children: { [id: string]: { id: string } };
  #ownsChildren = false;
  /** How often the context or the children have changed. */
  changes = 0;

  constructor(machine: AnyStateMachine, event: EventObject, context: object, children: Doing["children"]) {
    this.#machine = machine;
    this.#event = event;
    this.given = new Given(context, event);
    this.children = children;
  }

  all(acts: readonly Act[]): void {
    for (const { parts, params } of acts) this.#act(parts, paramsOf(params, this.given));
  }

  #act(parts: Parts, params: unknown): void {
    const { given } = this;
    switch (parts.type) {
      case "xstate.assign":
        return this.#assign(parts["assignment"], params);
      case "xstate.emit":
        this.effects.push({ do: "append", row: resolvedPart(parts["event"], given, params) as Row });
        return;
      case "xstate.sendTo":
        if (parts["delay"] !== undefined) unknown("a message that waits");
        return this.#send(
          resolvedPart(parts["to"], given, params),
          resolvedPart(parts["event"], given, params) as EventObject,
        );
      case "xstate.spawnChild":
        return this.#spawn(parts);
      case "xstate.raise":
        return this.#raise(parts, params);
      case "xstate.cancel":
        this.effects.push({ do: "untimer", id: String(resolvedPart(parts["sendId"], given, params)) });
        return;
      case "xstate.enqueueActions": {
        const notes = new Notes();
        const { context, event } = given;
        (parts["collect"] as Expression)({ context, event, enqueue: notes, check } as unknown as Given, params);
        for (const noted of notes.noted) this.#act(noted, undefined);
        return;
      }
      default:
        return unknown(parts.type);
    }
  }

  #assign(assignment: unknown, params: unknown): void {
    const { given } = this;
    const partial =
      typeof assignment === "function"
        ? (assignment as Expression)(given, params)
        : Object.fromEntries(
            Object.entries(assignment as object).map(([name, value]) => [name, resolvedPart(value, given, params)]),
          );
    this.given = new Given(Object.assign({}, given.context, partial), this.#event);
    this.changes++;
  }

  #send(to: unknown, event: EventObject): void {
    if (typeof to === "string") {
      const child = this.children[to];
      if (child === undefined || to.startsWith("#_")) return unknown("a message without a receiver");
      this.effects.push({ do: "send child", id: child.id, event });
      return;
    }
    const target = to as Target | { id: string } | null | undefined;
    if (typeof target !== "object" || target === null || typeof event !== "object") return unknown("a message");
    if ("key" in target) this.effects.push({ do: "send", to: target.key, event });
    else if ("every" in target) this.effects.push({ do: "send children", event });
    else this.effects.push({ do: "send child", id: target.id, event });
  }

  #spawn({ src, id: name, input, systemId, syncSnapshot }: Parts): void {
    const { given } = this;
    const id = resolvedPart(name, given, undefined);
    if (typeof src !== "string" || typeof id !== "string" || systemId !== undefined || syncSnapshot === true)
      return unknown("a child");
    if (this.#machine.implementations.actors[src] === undefined) return unknown(`a child ${src}`);
    this.effects.push({ do: "spawn", id, src, input: resolvedPart(input, given, undefined) });
    if (!this.#ownsChildren) this.children = { ...this.children };
    this.#ownsChildren = true;
    this.children[id] = { id };
    this.changes++;
  }

  #raise({ event, id, delay: named }: Parts, params: unknown): void {
    const { given } = this;
    const delay = resolvedPart(
      typeof named === "string" ? this.#machine.implementations.delays[named] : named,
      given,
      params,
    );
    if (typeof delay !== "number") return unknown("an event that is raised at once");
    const raised = resolvedPart(event, given, params) as EventObject;
    if (delay !== Number.POSITIVE_INFINITY)
      this.effects.push({ do: "timer", id: String(id), delayMs: delay, event: raised });
  }
}
