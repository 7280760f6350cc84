/** Whether a turn may begin under the budgets that hold for it, by what their account says. */
import type { Origin } from "../model.ts";
import type { Account, Raisable } from "./account.ts";
import { type Held, LIMIT_NAMES } from "./budget.ts";

/** A limit that is near, or reached. `most`: what it is now; `models`: what has no price. */
export type Standing = { held: Held; limit: Raisable; most: number; spent: number; models?: string[] };
export type Weighed = { reached: Standing | null; near: Standing[] };

/** Asked of the effect `weigh` before each turn of an agent under a budget. `name`: of its step. */
export type WeighInput = { origin: Origin; name: string; budgets: Held[] };

/** Whether an agent's turn may begin: no limit is reached, or which one is; and which are near for the first time. */
export function weighed(budgets: readonly Held[], account: Account, now: number, warnAt: number): Weighed {
  const near: Standing[] = [];
  for (const held of budgets) {
    const spent = account.spent(held, now);
    for (const limit of LIMIT_NAMES) {
      const given = held.limits[limit];
      if (given === undefined) continue;
      const most = Math.max(given, account.raised(held, limit) ?? given);
      const models = limit === "costUsd" ? account.unpriced(held) : [];
      if (spent[limit] >= most) return { reached: { held, limit, most, spent: spent[limit] }, near: [] };
      if (models.length > 0 && account.raised(held, "unpriced") === undefined)
        return { reached: { held, limit: "unpriced", most, spent: spent[limit], models }, near: [] };
      if (spent[limit] >= most * (held.warnAt ?? warnAt) && !account.isWarned(held, limit))
        near.push({ held, limit, most, spent: spent[limit] });
    }
  }
  return { reached: null, near };
}
