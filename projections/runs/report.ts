/**
 * A run as Markdown, for an issue or a chat: how it ended, its steps, what failed, and all that was said, folded.
 *
 * I1. What was said stands in a fence that nothing in it can end.
 */
import { from, lastValueFrom, reduce } from "rxjs";
import type { Exchange } from "../../machines/exchange.ts";
import { JobSummary } from "../actions/summary.ts";
import { terminalLines } from "../terminal/lines.ts";
import { grouped } from "./selection.ts";
import { RunFold } from "./tree.ts";

type Reported = { id: string; workflow: string; status: string };

/** `rows`: of the run and of those that it called, with their times as `worked` has them. */
export async function runReport(run: Reported, rows: readonly Exchange[]): Promise<string> {
  const [summary, fold] = [new JobSummary(run.id), new RunFold(run.id)];
  for (const row of rows) {
    summary.see(row);
    fold.see(row);
  }
  const said$ = from([grouped(rows, fold)]).pipe(
    terminalLines({ colours: false, columns: null, bright: true }),
    reduce((all, pieces) => all + pieces.join(""), ""),
  );
  const said = (await lastValueFrom(said$)).trimEnd();
  const fence = "`".repeat(Math.max(3, 1 + Math.max(0, ...(said.match(/`+/g) ?? []).map((ticks) => ticks.length)))); // I1
  const folded = ["<details><summary>All that was said</summary>", "", `${fence}text`, said, fence, "", "</details>"];
  return `${[summary.text(run), ...folded].join("\n").trimStart()}\n`;
}
