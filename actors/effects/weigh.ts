/**
 * The effect `weigh`: may an agent's turn begin under the budgets that hold for it? The only place where that is asked.
 *
 * I1. What was spent is counted from the log. Turns that were let begin and are not in it yet count too, with what their
 *     user was warned of: of steps side by side no more begin than a limit lets.
 * I2. A turn is kept here until its row is in the log: the work that weighs it ends with that commit.
 * I3. A turn that may begin has its row; so has each warning, once.
 */
import { accountOf, COUNTED } from "../../machines/budget/account.ts";
import { amountWords, DEFAULT_WARN_AT, heldId, ownerWords } from "../../machines/budget/budget.ts";
import { type Standing, type Weighed, type WeighInput, weighed } from "../../machines/budget/weighed.ts";
import type { BudgetNote, Exchange, Row } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { WorkContext } from "../host/host.ts";
import type { EffectOptions } from "./options.ts";

type Pending = { turn: string; rows: Row[] };

export function weigh({
  clock,
  spentRows,
}: EffectOptions): (input: WeighInput, context: WorkContext) => Promise<Weighed> {
  const pending = new Map<Key, Pending[]>();
  const forget = (session: Key, of: string): void => {
    const left = (pending.get(session) ?? []).filter(({ turn }) => turn !== of);
    if (left.length === 0) pending.delete(session);
    else pending.set(session, left);
  };
  return async (input, context) => {
    const { origin, budgets } = input;
    const { session, attempt, signal } = context;
    const now = clock.now();
    const runs = budgets.map(({ run }) => run);
    const account = accountOf(spentRows?.(session, runs, COUNTED) ?? []);
    const waiting = (pending.get(session) ?? []).filter(({ turn }) => !account.has(turn));
    for (const row of waiting.flatMap(({ rows }) => rows)) account.see({ ...row, seq: 0, at: now } as Exchange);
    const answer = weighed(budgets, account, now, DEFAULT_WARN_AT);
    const noted = (payload: BudgetNote): Row => ({
      type: "budget.noted",
      run: origin.run,
      step: origin.step,
      payload,
    });
    if (answer.reached === null) {
      const rows = [
        ...answer.near.flatMap((near) => warningRows(near, noted, origin)),
        noted({ is: "turn", turn: attempt }),
      ];
      for (const row of rows) context.record(row);
      pending.set(session, [...waiting, { turn: attempt, rows }]);
      signal.addEventListener("abort", () => forget(session, attempt), { once: true }); // I2
    }
    return answer;
  };
}

function warningRows(
  { held, limit, most, spent }: Standing,
  noted: (payload: BudgetNote) => Row,
  { run, step }: WeighInput["origin"],
): Row[] {
  if (limit === "unpriced") return [];
  const message = `${ownerWords(held)} is nearly spent: ${amountWords(limit, spent)} of ${amountWords(limit, most)}`;
  const code = "EXECUTION.BUDGET.NEAR";
  return [
    { type: "notice", run, step, payload: { severity: "warning", code, message } },
    noted({ is: "warned", budget: heldId(held), limit }),
  ];
}
