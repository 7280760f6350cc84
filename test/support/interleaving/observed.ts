/** What the store says of a session, as another process sees it. */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Owning } from "../../../actors/host/sqlite/owner.ts";
import type { State, Why } from "./steps.ts";

/** `isOrphan`: its owner has died, and no process has taken it over. */
export type Seen = { state: State; why: Why; machine: string; isOrphan: boolean };
type Snap = { value: string; context: { run: unknown } };

export function observed(store: string, session: string): Seen {
  const database = new DatabaseSync(store, { readOnly: true });
  try {
    const key = `session/${session}`;
    const row = database
      .prepare("select s.owner, a.snap from session s left join actor a on a.key=s.id where s.id=?")
      .get(key);
    if (row === undefined) return { state: "gone", why: "work", machine: "none", isOrphan: false };
    const snap = typeof row["snap"] === "string" ? (JSON.parse(row["snap"]) as Snap) : null;
    const machine = snap?.value ?? "none";
    const states = database.prepare("select key, snap from actor where session=?").all(key);
    const keys = states.map((one) => String(one["key"]));
    const stepValues = states
      .filter((one) => String(one["key"]).startsWith("step/"))
      .map((one) => JSON.stringify((JSON.parse(one["snap"] as string) as Snap).value));
    const isAsked = keys.some((one) => one.startsWith("permission/"));
    const is = (text: string): boolean => stepValues.some((value) => value.includes(text));
    const why: Why = is("approving") ? "gate" : is("asking") ? "crash" : isAsked ? "tool" : "work";
    const owner = row["owner"] ?? null;
    if (typeof owner === "string" && new Owning(dirname(store)).isAlive(owner))
      return { state: "held", why, machine, isOrphan: false };
    const isOrphan = owner !== null;
    if (machine === "parked") return { state: "parked", why, machine, isOrphan };
    const hasRun = (snap?.context.run ?? null) !== null;
    return hasRun
      ? { state: "interrupted", why: why === "gate" ? "gate" : "crash", machine, isOrphan }
      : { state: "idle", why, machine, isOrphan };
  } finally {
    database.close();
  }
}
