/**
 * A durable machine on one side, host effects as plain data on the other. Moves are made by the table of the chart;
 * what that does not know is XState's. Besides tests, a durable machine meets `createActor` nowhere else.
 *
 * I1. Nothing is executed here: actions come back as data, in order.
 * I2. A move by the table is the move that XState makes: in what it leaves, what it asks for and what it throws.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, createActor, type EventObject } from "xstate";
import type { Target } from "../../machines/address.ts";
import type { Row } from "../../machines/exchange.ts";
import { upcast } from "../../machines/upcast.ts";
import { ChartTable } from "./chart-table.ts";
import type { Children, Effect, Snap } from "./host.ts";

export type Moved = { snapshot: AnyMachineSnapshot; effects: Effect[] };

type AnyActorScope = Parameters<AnyStateMachine["transition"]>[2];
type MachineAction = { type: string; params: unknown };

/**
 * XState's exported `transition()` builds a throw-away actor per call and evaluates the context with no input, which
 * costs several times the transition itself. These are the two methods it calls, with one shared inert scope.
 */
const scopes = new WeakMap<AnyStateMachine, { scope: AnyActorScope; actions: MachineAction[] }>();
const NO_BIRTH = {
  workflow: { hooks: { start: [], end: [], error: [], cancel: [] }, states: {} },
  node: {},
  options: [],
};

function scopeOf(machine: AnyStateMachine): { scope: AnyActorScope; actions: MachineAction[] } {
  const known = scopes.get(machine);
  if (known !== undefined) {
    known.actions.length = 0;
    return known;
  }
  const self = createActor(machine, { input: NO_BIRTH });
  const actions: MachineAction[] = [];
  const ignore = (): void => undefined;
  const scope: AnyActorScope = {
    self,
    system: self.system,
    id: "",
    sessionId: "",
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor: (action) => {
      actions.push(action);
    },
  };
  scopes.set(machine, { scope, actions });
  return { scope, actions };
}

const tables = new WeakMap<AnyStateMachine, ChartTable | "none">();

function tableOf(machine: AnyStateMachine): ChartTable | "none" {
  const known = tables.get(machine);
  if (known !== undefined) return known;
  tables.set(machine, "none"); // stays, where the chart has no table
  const table = new ChartTable(machine);
  tables.set(machine, table);
  return table;
}
/** By the chart's table; null where that does not know, or throws: XState then says how it ends. */
function tabled(machine: AnyStateMachine, move: (table: ChartTable) => Moved | null): Moved | null {
  try {
    const table = tableOf(machine);
    return table === "none" ? null : move(table);
  } catch {
    return null;
  }
}

/** A machine's first snapshot and what it asks for. */
export const born = (machine: AnyStateMachine, input: object): Moved =>
  tabled(machine, (table) => table.born(input)) ?? bornInXState(machine, input);

/** The snapshot after one event, and what it asks for. Throws what a guard or an assign throws. */
export const moved = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot, event: EventObject): Moved =>
  tabled(machine, (table) => table.moved(snapshot, event)) ?? movedInXState(machine, snapshot, event);

export function bornInXState(machine: AnyStateMachine, input: object): Moved {
  const { scope, actions } = scopeOf(machine);
  const snapshot = machine.getInitialSnapshot(scope, input);
  return { snapshot, effects: effectsOf(machine, actions) };
}

export function movedInXState(machine: AnyStateMachine, snapshot: AnyMachineSnapshot, event: EventObject): Moved {
  const { scope, actions } = scopeOf(machine);
  const next = machine.transition(snapshot, event, scope);
  return { snapshot: next, effects: effectsOf(machine, actions) };
}

/** What is written for a snapshot: all but the birth, which is written once and apart. */
export function stored(machine: AnyStateMachine, s: AnyMachineSnapshot, children: Children, starts: number): Snap {
  const { birth: _, ...context } = s.context as { birth: unknown };
  return {
    v: `${machine.id}.v${machine.version ?? "0"}`,
    value: s.value,
    context,
    status: s.status,
    output: s.output,
    error: s.error,
    historyValue: s.historyValue,
    children,
    starts,
  };
}

/** The snapshot that was stored; `birth` is what the key was born with. */
export function restored(machine: AnyStateMachine, snap: Snap, birth: unknown): AnyMachineSnapshot {
  const { status, output, error, historyValue } = snap;
  const { value, context: known } = upcast(snap.v, { value: snap.value, context: snap.context as object });
  const context = { ...known, birth };
  const state = machine.resolveState({ value, context, status, output, error, historyValue } as Parameters<
    typeof machine.resolveState
  >[0]);
  return withChildren(state, new Map(Object.entries(snap.children)));
}

/** A machine with more children than this addresses them all at once (`everyChild`), never one by its id. */
export const MOST_NAMED_CHILDREN = 32;

/**
 * `resolveState` forgets children, and a spawned child is a live actor ref: both become `{ id }`, all that XState
 * reads. XState copies them with every spawn, so a machine with many gets none.
 */
export function withChildren(snapshot: AnyMachineSnapshot, children: ReadonlyMap<string, unknown>): AnyMachineSnapshot {
  const refs: { [id: string]: { id: string } } = {};
  if (children.size <= MOST_NAMED_CHILDREN) for (const id of children.keys()) refs[id] = { id };
  return Object.assign(snapshot, { children: refs });
}

function effectsOf(machine: AnyStateMachine, actions: readonly MachineAction[]): Effect[] {
  return actions.flatMap((action): Effect[] => {
    const p = (action.params ?? {}) as { [name: string]: unknown };
    switch (action.type) {
      case "xstate.spawnChild": // params.id may still be a function; the ref carries the resolved one
        return [{ do: "spawn", id: (p["actorRef"] as { id: string }).id, src: p["src"] as string, input: p["input"] }];
      case "xstate.stopChild":
        return typeof p["id"] === "string" ? [{ do: "stop", id: p["id"] }] : [];
      case "xstate.raise": {
        const delay = p["delay"];
        if (typeof delay !== "number" || delay === Number.POSITIVE_INFINITY) return []; // undelayed: already taken in this macrostep
        return [{ do: "timer", id: String(p["id"]), delayMs: delay, event: p["event"] as EventObject }];
      }
      case "xstate.cancel":
        return [{ do: "untimer", id: String(p["sendId"]) }];
      case "xstate.emit":
        return [{ do: "append", row: p["event"] as Row }];
      case "xstate.sendTo": {
        const to = p["to"] as Target | { id: string };
        const event = p["event"] as EventObject;
        if ("key" in to) return [{ do: "send", to: to.key, event }];
        return "every" in to ? [{ do: "send children", event }] : [{ do: "send child", id: to.id, event }];
      }
      default:
        throw new Error(`${machine.id}: action "${action.type}" is not an effect a host can carry out`);
    }
  });
}
