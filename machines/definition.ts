/**
 * A machine's chart as data: its configuration with actions and guards by their names, and no code. XState and Stately's
 * tools read it as it is.
 */
import type { AnyStateMachine } from "xstate";

type Item = string | ((...given: never[]) => unknown) | { type: string; params?: unknown };
type Many<T> = T | readonly T[];
type Way = {
  description?: string;
  guard?: Item;
  target?: Many<string>;
  reenter?: boolean;
  actions?: Many<Item>;
};
type Ways = string | Way | readonly (string | Way)[];
type StateConfig = {
  id?: string;
  version?: string;
  description?: string;
  tags?: Many<string>;
  type?: string;
  initial?: string;
  entry?: Many<Item>;
  exit?: Many<Item>;
  always?: Ways;
  after?: { readonly [delay: string]: Ways };
  on?: { readonly [event: string]: Ways };
  states?: { readonly [name: string]: StateConfig };
};
/** What of it is undefined is no part of its JSON. */
export type Definition = { [part: string]: unknown };

const list = <T>(value: Many<T> | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];

/** An action or guard by its name, with the parameters that are data. */
export function named(item: Item): string | { type: string; params: unknown } {
  if (typeof item === "string") return item;
  if (typeof item === "function") return item.name || "inline";
  const { type, params } = item;
  return params === undefined || typeof params === "function" ? type : { type, params };
}

function names(value: Many<Item> | undefined): unknown {
  const all = list(value).map(named);
  return all.length === 0 ? undefined : all.length === 1 ? all[0] : all;
}

function plainWay(value: Ways): unknown {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(plainWay);
  const { description, guard, target, actions, reenter } = value as Way;
  return {
    description,
    guard: guard === undefined ? undefined : named(guard),
    target,
    reenter,
    actions: names(actions),
  };
}

const mapped = <T>(object: { readonly [name: string]: T } | undefined, change: (value: T) => unknown): unknown =>
  object === undefined
    ? undefined
    : Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

function plainState(config: StateConfig): Definition {
  const { id, version, description, tags, type, initial, entry, exit, always, on, after, states } = config;
  return {
    id,
    version,
    description,
    tags,
    type,
    initial,
    entry: names(entry),
    exit: names(exit),
    always: always === undefined ? undefined : plainWay(always),
    after: mapped(after, plainWay),
    on: mapped(on, plainWay),
    states: mapped(states, plainState),
  };
}

export const definitionOf = ({ config }: Pick<AnyStateMachine, "config">): Definition =>
  plainState(config as unknown as StateConfig);
