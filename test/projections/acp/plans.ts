/** A plan of steps, told a row at a time, and its entries in short. */
import { expect } from "vitest";
import type { Exchange, RowOf } from "../../../machines/exchange.ts";
import { Plan } from "../../../projections/acp/plan.ts";
import type { View } from "../../../projections/acp/view.ts";

export type Entries = readonly string[];
export const entry = (name: string, title = name) => ({ name, title, kind: "command" as const });
export const planOf = (...names: string[]): Plan => {
  const plan = new Plan();
  plan.start(
    "r",
    names.map((name) => entry(name)),
  );
  return plan;
};
/** What has changed since the last look, or null. */
export const shown = (plan: Plan): Entries | null => {
  const views: View[] = [];
  plan.flush(views);
  return entriesOf(views);
};
/** The entries of the last plan among these, or null. */
export function entriesOf(views: readonly View[]): Entries | null {
  if (views.length === 0) return null;
  expect(views.length).toBe(1);
  const [{ update }] = views as [{ update: { sessionUpdate: string; entries: { content: string; status: string }[] } }];
  expect(update.sessionUpdate).toBe("plan");
  return update.entries.map(({ content, status }) => `${content}=${status}`);
}
const nameOf = (path: string): string => (path.split("/").at(-1) ?? "").replace(/^\d+\./, "").replace(/[@#]\d+$/, "");
export const at = { seq: 1, at: 1 };
export const begins = (plan: Plan, step: string, round?: { item?: string; of: number }, run = "r"): void =>
  plan.started({
    ...{ ...at, type: "step.started", run, step },
    payload: {
      ...{ name: nameOf(step), kind: "command", title: step, parallel: false },
      ...(round === undefined ? {} : { round }),
    },
  } as RowOf<"step.started"> & Exchange);
export const ends = (plan: Plan, step: string, status = "completed", run = "r"): void =>
  plan.ended({
    ...{ ...at, type: "step.completed", run, step },
    payload: { name: nameOf(step), kind: "command", status, exitCode: 0 },
  } as RowOf<"step.completed"> & Exchange);
