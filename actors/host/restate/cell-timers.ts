/** The timers that one event sets or drops in a session: the engine is told of those that are left. */
import type { Key } from "../../../machines/model.ts";
import type { Due } from "../alarms.ts";
import type { Tables } from "../memory/tables.ts";
import type { TimerSet } from "./protocol.ts";

export class CellTimers {
  readonly #kept: () => ReturnType<Tables["read"]>["timers"];
  readonly #set = new Map<string, TimerSet>();
  constructor(tables: Tables, session: Key) {
    this.#kept = () => tables.read(session).timers;
  }

  set({ key, id, at: due }: Pick<Due, "key" | "id" | "at">, delayMs: number): void {
    this.#set.set(nameOf(key, id), { key, id, due, delayMs });
  }
  clear(key: Key, id: string): boolean {
    return this.#set.delete(nameOf(key, id)) || this.#kept().has(nameOf(key, id));
  }
  clearKey(key: Key): boolean {
    for (const [name, timer] of this.#set) if (timer.key === key) this.#set.delete(name);
    return true;
  }
  take({ key, id }: Pick<Due, "key" | "id">): boolean {
    return this.#kept().has(nameOf(key, id));
  }
  /** Those that were set since this was asked last. */
  left(): TimerSet[] {
    const left = [...this.#set.values()];
    this.#set.clear();
    return left;
  }
}

const nameOf = (key: Key, id: string): string => `${key} ${id}`;
