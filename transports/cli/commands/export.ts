/**
 * `troupe export`: a run as one file that another person can read: a page, Markdown, or the rows.
 *
 * I1. The file is the user's alone to read, and holds what the log holds: what that masks is masked.
 * I2. It holds this run, and those that it called: nothing else of its session.
 */
import { extname, resolve } from "node:path";
import type { Exchange } from "../../../actors/troupe.ts";
import { worked } from "../../../projections/runs/downtime.ts";
import { runReport } from "../../../projections/runs/report.ts";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { selects } from "../../../projections/runs/selection.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { safeJson } from "../../../projections/terminal/safe.ts";
import { usage } from "../failure.ts";
import type { CommandContext } from "../io.ts";
import type { ExportAs } from "../options.ts";
import { writeOwn } from "../own-file.ts";
import { runPage } from "../run-page.ts";
import { withTroupe } from "../with-troupe.ts";

/** `out`: the file; `-` is standard output, null a file named after the run. `as`: null takes what `out` ends with. */
export type ExportArguments = { run: string; out: string | null; as: ExportAs | null };

const ENDINGS: { readonly [ending: string]: ExportAs } = { ".html": "html", ".md": "markdown", ".jsonl": "jsonl" };
const STANDARD_OUTPUT = "-";

export const exported = ({ io }: CommandContext, asked: ExportArguments): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const log = await troupe.log(await troupe.find(asked.run, { cwd: io.cwd }));
    const as = asked.as ?? endingAs(asked.out);
    const { id, workflow, cwd } = log.record;
    const fold = new RunFold(id);
    const all = [...runRows(log)];
    for (const row of all) fold.see(row);
    const isHeld = selects({ step: null, since: null, failed: false }, fold); // I2
    const text = await textOf(as, all.filter(isHeld));
    if (asked.out === STANDARD_OUTPUT) {
      io.out(text);
      return 0;
    }
    const ending = Object.keys(ENDINGS).find((one) => ENDINGS[one] === as) ?? "";
    const name = `${workflow.replace(/[^\w.-]+/g, "-")}-${id.slice(0, SHORT)}${ending}`;
    const file = resolve(io.cwd, asked.out ?? name);
    writeOwn(file, text); // I1
    io.out(`${file}\n`);
    return 0;

    async function textOf(format: ExportAs, held: readonly Exchange[]): Promise<string> {
      switch (format) {
        case "html":
          return await runPage(troupe, { cwd, rows: held, from: id, status: log.record.status });
        case "markdown":
          return await runReport(log.record, worked(all).filter(isHeld));
        case "jsonl":
          return held.map((row) => `${safeJson(JSON.stringify(row))}\n`).join("");
        default:
          return format satisfies never;
      }
    }
  });
const SHORT = 8;

/** What the ending of a file says; a page where it says nothing. Throws USER.CLI.USAGE for one that says something else. */
function endingAs(out: string | null): ExportAs {
  const ending = out === null ? "" : extname(out);
  const as = ending === "" ? "html" : ENDINGS[ending.toLowerCase()];
  if (as !== undefined) return as;
  throw usage(
    `-o ${out}: expected a file that ends in ${Object.keys(ENDINGS).join(", ")}, or --as to say what it holds`,
  );
}
