/** `troupe status`: what became of one run: its steps, what it waits for, what it failed of. */

import { budgetStop } from "../../../projections/runs/budget-stop.ts";
import { rerunsOf, runRows } from "../../../projections/runs/run-rows.ts";
import { secretInputs } from "../../../projections/runs/secret-inputs.ts";
import { goesOn } from "../../../projections/runs/standing.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { FAILURE_LINES, failureLines } from "../../../projections/terminal/failure-lines.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { runCard } from "../../../projections/terminal/tables.ts";
import { haltLines, treeLines } from "../../../projections/terminal/tree-lines.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export const status = ({ io, format }: CommandContext, run: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const log = await troupe.log(await troupe.find(run, { cwd: io.cwd }));
    const { record } = log;
    const fold = new RunFold(record.id);
    let began = false;
    const secrets: string[] = [];
    let budget: string | null = null;
    for (const row of runRows(log)) {
      fold.see(row);
      secrets.push(...secretInputs(row, record.id));
      budget = budgetStop(row, record.id, budget);
      began ||= row.type === "run.started" && row.run === record.id;
    }
    const tree = fold.tree(goesOn(record.status));
    const failed = record.status === "failed" ? fold.causes(FAILURE_LINES) : [];
    const { rerun } = fold;
    const reruns = rerunsOf(log, record.id);
    const { colours, columns } = io;
    const isAtWork = record.status === "running" || record.status === "waiting";
    const now = isAtWork ? io.now() : (fold.lastAt ?? io.now());
    if (format === "json") {
      writeJson(io, { ...record, ...tree, failed, rerun, reruns });
      return 0;
    }
    writeLines(io, [
      ...runCard(record, io.now(), io, { usage: tree.usage, downMs: fold.downMs, rerun, reruns, secrets, budget }),
      "",
      ...treeLines(tree, { colours, columns, now }),
      ...haltLines(tree, paint(colours)),
    ]);
    if (record.status === "failed") writeLines(io, failureLines(failed, began ? record.id : null, paint(colours)));
    return 0;
  });
