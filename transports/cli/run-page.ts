/**
 * A run's rows as one HTML file: the page, with the run in it.
 *
 * I1. The file asks no network, and holds what the log holds: what that masks is masked.
 */
import { createHash } from "node:crypto";
import { type Exchange, type RowOf, type Troupe, TroupeError } from "../../actors/troupe.ts";
import { type Chart, chartOf } from "../../projections/chart/chart.ts";
import { recordedPage } from "../../projections/page/recorded.ts";
import { type PageFile, pageFiles } from "../page/files.ts";

/** `from`: what the rows were read from, for who has none. `status`: how the run stands, where that is known. Throws USER.CLI.USAGE where no run begins in them. */
export async function runPage(
  troupe: Troupe,
  { cwd, rows, from, status }: { cwd: string; rows: readonly Exchange[]; from: string; status?: string },
): Promise<string> {
  const begun = rows.filter(isBegun).find(({ parentRun }) => parentRun === undefined);
  if (begun?.run === undefined) throw new TroupeError("USER.CLI.USAGE", `${from}: no run begins in it`);
  const workflows = new Set(rows.filter(isBegun).map(({ payload }) => payload.workflow));
  const { script, style } = pageFiles();
  return recordedPage(
    { script: hashed(script), style: hashed(style) },
    {
      ...{ run: begun.run, workflow: begun.payload.workflow, cwd, rows: [...rows] },
      ...(status === undefined ? {} : { status }),
      charts: Object.fromEntries(await chartsOf(troupe, cwd, [...workflows])),
    },
  );
}

const isBegun = (row: Exchange): row is Exchange<RowOf<"run.started">> => row.type === "run.started";
const hashed = ({ text }: PageFile): { text: string; hash: string } => ({
  text,
  hash: createHash("sha256").update(text).digest("base64"),
});

/** Charts of the workflows that are known here; of another the page shows what the log has shown. */
async function chartsOf(troupe: Troupe, cwd: string, workflows: readonly string[]): Promise<[string, Chart][]> {
  const found = workflows.map(async (name): Promise<[string, Chart][]> => {
    const { workflow } = await troupe.validate(cwd, name).catch(() => ({ workflow: null }));
    return workflow === null ? [] : [[name, chartOf(workflow)]];
  });
  return (await Promise.all(found)).flat();
}
