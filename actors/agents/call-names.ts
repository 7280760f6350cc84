/**
 * Names for the calls of an agent, by the ids that it gives them.
 *
 * I1. A call keeps the id that its agent gives it, where that is one. Where a call begins under the id of one that has
 *     ended, as with models whose ids are counted anew in each answer, it is another call, with a name of its own.
 */
import type { AgentEvent, ToolEvent } from "./agent.ts";

const NAMELESS = "call";

export class CallNames {
  /** By the id that was given last. */
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();
  /** What number to look at next: an agent may give thousands of calls one id. */
  readonly #next = new Map<string, number>();
  /** Given ids whose calls have ended. */
  readonly #ended = new Set<string>();

  /** The name of the call that has this id now. */
  of(given: string): string {
    return this.#names.get(given) ?? this.#named(given);
  }
  /** A call begins under this id. */
  begins(given: string): string {
    return this.#ended.delete(given) ? this.#named(given) : this.of(given);
  }
  /** The call that has this id has ended. */
  ends(given: string): void {
    this.#ended.add(given);
  }

  /** The event with the name of its call; a title and no end tell that one begins. */
  named(event: AgentEvent): AgentEvent {
    if (event.type === "tool output") return { ...event, call: this.of(event.call) };
    if (event.type !== "tool") return event;
    const { tool } = event;
    const call = tool.title !== undefined && isOpen(tool) ? this.begins(tool.call) : this.of(tool.call);
    if (isOver(tool)) this.ends(tool.call);
    return { ...event, tool: { ...tool, call } };
  }

  #named(given: string): string {
    const base = given === "" ? NAMELESS : given;
    let name = base;
    let n = this.#next.get(base) ?? 2;
    while (this.#used.has(name)) name = `${base}#${n++}`;
    this.#next.set(base, n);
    this.#used.add(name);
    this.#names.set(given, name);
    return name;
  }
}

const isOpen = ({ status }: ToolEvent): boolean => status === "pending" || status === "in_progress";
const isOver = ({ status }: ToolEvent): boolean => status === "completed" || status === "failed";
