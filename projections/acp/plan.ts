/**
 * The plan of the session's root run: one entry for each step of its document.
 *
 * I1. Steps of called workflows are no entries.
 * I2. At the end of the run the entries that were never taken are gone, and none is in progress.
 * I3. A change is shown once a batch: a loop's entries flicker no faster than a reader can be shown.
 * I4. An entry that is completed says what its step has used, in all of its rounds and attempts.
 * I5. A step is in progress as long as it is in any round. A `for_each` says how many rounds have begun, and of how many.
 */
import type { PlanEntry as Entry } from "@agentclientprotocol/sdk";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import { itemOf, pathAbove, roundOf } from "../../machines/naming/address.ts";
import { visibleLine } from "../../machines/visible.ts";
import { StepUsage, UsageTotal } from "../runs/usage.ts";
import { usageWords } from "../runs/usage-words.ts";
import type { View } from "./view.ts";

type Ending = RowOf<"step.completed">["payload"]["status"];
type Item = {
  title: string;
  status: Entry["status"];
  ending: Ending;
  /** Where it is at work: the paths of its steps, with what their rounds are called after. */
  open: Map<string, string | null>;
  rounds: Rounds | null;
  used: UsageTotal;
};
/** `of`: how many there are; `in`: the attempt of the loop. */
type Rounds = { in: string; begun: number; of: number; failed: Set<number> };

export class Plan {
  #run: string | null = null;
  readonly #items = new Map<string, Item>();
  /** Of attempts that may report more, by their steps' paths. */
  readonly #attempts = new Map<string, StepUsage>();
  #changed = false;

  start(run: string, plan: RowOf<"run.started">["payload"]["plan"]): void {
    this.#run = run;
    this.#items.clear();
    this.#attempts.clear();
    for (const { name, title } of plan)
      this.#items.set(name, { ...PENDING, title: visibleLine(title), open: new Map(), used: new UsageTotal() });
    this.#changed = true;
  }

  started({ run = "", step: path = "", payload: { name, round } }: RowOf<"step.started">): void {
    if (run !== this.#run) return;
    this.#items.get(name)?.open.set(path, itemOf(round));
    this.#mark(name, "in_progress", "completed");
    const loop = this.#items.get(stateIn(pathAbove(path)));
    const begun = roundOf(path);
    if (loop === undefined || round === undefined || begun === null) return;
    const attempt = path.slice(0, path.lastIndexOf("/"));
    if (loop.rounds?.in !== attempt) loop.rounds = { in: attempt, begun, of: round.of, failed: new Set() };
    loop.rounds.begun = Math.max(loop.rounds.begun, begun);
    this.#changed = true;
  }
  ended({ run = "", step: path = "", payload: { name, status } }: RowOf<"step.completed">): void {
    const item = run === this.#run ? this.#items.get(name) : undefined;
    if (item === undefined) return;
    item.open.delete(path);
    if (item.open.size === 0) this.#mark(name, "completed", status);
    const round = roundOf(path);
    if (status === "failed" && round !== null) this.#items.get(stateIn(pathAbove(path)))?.rounds?.failed.add(round);
    this.#changed = true;
  }

  /** What a row tells of use (I4). */
  used({ run, step: path = "", ...row }: Exchange): void {
    if (run !== this.#run) return;
    if (row.type === "step.retrying" || row.type === "input.answered") this.#attempts.get(path)?.next();
    if (row.type !== "usage.recorded") return;
    const attempt = this.#attempts.get(path) ?? new StepUsage();
    this.#attempts.set(path, attempt);
    this.#items.get(stateIn(path))?.used.add(attempt.see(row.payload));
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

  #mark(name: string, status: Entry["status"], ending: Ending): void {
    const item = this.#items.get(name);
    if (item === undefined || (item.status === status && item.ending === ending)) return;
    this.#items.set(name, { ...item, status, ending });
    this.#changed = true;
  }
}

const PENDING = { status: "pending", ending: "completed", rounds: null } as const;

/** The protocol knows no failed entry: the text says what the status cannot. */
function entryOf({ title, status, ending, open, rounds, used }: Item): Entry {
  const facts = [
    ...(rounds === null ? [] : [`${rounds.begun} of ${rounds.of}`]),
    ...(rounds === null || rounds.failed.size === 0 ? [] : [`${rounds.failed.size} failed`]),
    ...(status === "completed" && ending !== "completed" ? [ending] : []),
    ...(status === "completed" ? usageWords(used.sum()) : []),
  ];
  const content = `${title}${itemsIn(open)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  return { content, priority: "medium", status };
}

/** The item that it works on, and how many besides. */
function itemsIn(open: Item["open"]): string {
  const [item] = [...open.values()].filter((each) => each !== null);
  if (item === undefined) return "";
  return open.size === 1 ? ` [${item}]` : ` [${item}] and ${open.size - 1} more`;
}

/** The name of the state that a path leads to. */
const stateIn = (path: string): string => (path.split("/").at(-1) ?? "").replace(/^\d+\./, "").replace(/[#@]\d+/g, "");
