/**
 * The plan of the session's root run: one entry for each step of its document.
 *
 * I1. Steps of called workflows are no entries.
 * I2. At the end of the run the entries that were never taken are gone, and none is in progress.
 * I3. A change is shown once a batch: a loop's entries flicker no faster than a reader can be told.
 */
import type { PlanEntry as Entry } from "@agentclientprotocol/sdk";
import type { RowOf } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { View } from "./view.ts";

type Ending = RowOf<"step.completed">["payload"]["status"];
type Item = { title: string; status: Entry["status"]; ending: Ending };

export class Plan {
  #run: string | null = null;
  readonly #items = new Map<string, Item>();
  #changed = false;

  start(run: string, plan: RowOf<"run.started">["payload"]["plan"]): void {
    this.#run = run;
    this.#items.clear();
    for (const { name, title } of plan)
      this.#items.set(name, { title: visibleLine(title), status: "pending", ending: "completed" });
    this.#changed = true;
  }

  started(run: string, name: string): void {
    this.#mark(run, name, "in_progress", "completed");
  }
  ended(run: string, name: string, ending: Ending): void {
    this.#mark(run, name, "completed", ending);
  }

  finish(run: string): void {
    if (run !== this.#run) return;
    for (const [name, item] of this.#items) {
      if (item.status === "completed") continue;
      if (item.status === "pending") this.#items.delete(name);
      else this.#items.set(name, { ...item, status: "completed", ending: "cancelled" });
      this.#changed = true;
    }
    this.#run = null;
  }

  /** The plan as it is, for a reader who comes later. */
  tell(_: number, views: View[]): void {
    this.#changed = this.#items.size > 0;
    this.flush(views);
  }

  /** What has changed since the last call, as one update that replaces the plan. */
  flush(views: View[]): void {
    if (!this.#changed) return;
    this.#changed = false;
    const entries = Array.from(this.#items.values(), entryOf);
    views.push({ update: { sessionUpdate: "plan", entries } });
  }

  #mark(run: string, name: string, status: Entry["status"], ending: Ending): void {
    const item = run === this.#run ? this.#items.get(name) : undefined;
    if (item === undefined || (item.status === status && item.ending === ending)) return;
    this.#items.set(name, { ...item, status, ending });
    this.#changed = true;
  }
}

/** The protocol knows no failed entry: the text says what the status cannot. */
const entryOf = ({ title, status, ending }: Item): Entry => ({
  content: status === "completed" && ending !== "completed" ? `${title} (${ending})` : title,
  priority: "medium",
  status,
});
