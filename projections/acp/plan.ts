/**
 * The plan of the session's root run: one entry for each step of its document.
 *
 * I1. Steps of called workflows are no entries.
 * I2. At the end of the run the entries that were never taken are gone, and none is in progress.
 * I3. A change is shown once a batch: a loop's entries flicker no faster than a reader can be shown.
 * I4. An entry that is completed says what its step has used, in all of its rounds and attempts.
 * I5. A step is in progress as long as it is in any round. A `for_each` says how many rounds have begun, and of how many.
 * I6. A plan is sent whole. One of more than LONG_PLAN entries is sent at most once in CARD_INTERVAL_MS while its run goes
 *     on: each step of a long run would send all of them. Its last state is sent with the end of the run or the turn.
 */
import type { PlanEntry as Entry } from "@agentclientprotocol/sdk";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import { itemOf, pathAbove, roundOf } from "../../machines/naming/address.ts";
import { visibleLine } from "../../machines/visible.ts";
import { StepUsage, UsageTotal } from "../runs/usage.ts";
import { usageWords } from "../runs/usage-words.ts";
import { CARD_INTERVAL_MS } from "./cards.ts";
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

/** Entries of a plan that is sent again with each change. */
export const LONG_PLAN = 64;

export class Plan {
  #run: string | null = null;
  readonly #items = new Map<string, Item>();
  /** Of attempts that may report more, by their steps' paths. */
  readonly #attempts = new Map<string, StepUsage>();
  #changed = false;
  #now = 0;
  #sentAt = Number.NEGATIVE_INFINITY;

  /** Begins a batch of frames at this time of the scheduler. */
  begin(now: number): void {
    this.#now = now;
  }

  start(run: string, plan: RowOf<"run.started">["payload"]["plan"]): void {
    this.#run = run;
    this.#items.clear();
    this.#attempts.clear();
    for (const { name, title } of plan)
      this.#items.set(name, { ...PENDING, title: visibleLine(title), open: new Map(), used: new UsageTotal() });
    this.#changed = true;
    this.#sentAt = Number.NEGATIVE_INFINITY;
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
    this.settle(views);
  }

  /** What has changed since it was sent last, as one update that replaces the plan; nothing while a long one waits (I6). */
  flush(views: View[]): void {
    if ((this.due() ?? 0) === 0) this.settle(views);
  }
  /** Milliseconds until `flush` has something to show; null when nothing has changed. */
  due(): number | null {
    if (!this.#changed) return null;
    const isPaced = this.#run !== null && this.#items.size > LONG_PLAN;
    return isPaced ? Math.max(0, this.#sentAt + CARD_INTERVAL_MS - this.#now) : 0;
  }
  /** The same as `flush`, and at once. */
  settle(views: View[]): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#sentAt = this.#now;
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
