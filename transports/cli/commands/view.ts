/**
 * `troupe view`: a recorded log as one HTML file with the page and the run in it, opened in the browser.
 *
 * I1. The file asks no network, and holds what the log holds: what that masks is masked.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Exchange, type RowOf, type Troupe, TroupeError } from "../../../actors/troupe.ts";
import { type Chart, chartOf } from "../../../projections/chart/chart.ts";
import { recordedPage } from "../../../projections/page/recorded.ts";
import { pageFiles } from "../../page/files.ts";
import type { CommandContext } from "../io.ts";
import { showFile } from "../open-page.ts";
import { withTroupe } from "../with-troupe.ts";

/** `out`: where the file is written, and not opened; null writes it among temporary ones. */
export const view = ({ io }: CommandContext, asked: { file: string; out: string | null }): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const rows = rowsIn(resolve(io.cwd, asked.file));
    const begun = rows.filter(isBegun).find(({ parentRun }) => parentRun === undefined);
    if (begun?.run === undefined) throw usage(`${asked.file}: no run begins in it`);
    const workflows = new Set(rows.filter(isBegun).map(({ payload }) => payload.workflow));
    const { script, style } = pageFiles();
    const text = recordedPage(
      { script: hashed(script), style: hashed(style) },
      {
        ...{ run: begun.run, workflow: begun.payload.workflow, cwd: io.cwd, rows },
        charts: Object.fromEntries(await chartsOf(troupe, io.cwd, [...workflows])),
      },
    );
    const name = `${basename(asked.file).replace(/\.\w+$/, "")}.html`;
    const place =
      asked.out === null ? join(mkdtempSync(join(tmpdir(), "troupe-view-")), name) : resolve(io.cwd, asked.out);
    writeFileSync(place, text, { mode: 0o600 });
    io.out(`${place}\n`);
    if (asked.out === null) showFile(io, place);
    return 0;
  });

const isBegun = (row: Exchange): row is Exchange<RowOf<"run.started">> => row.type === "run.started";
const hashed = (text: string): { text: string; hash: string } => ({
  text,
  hash: createHash("sha256").update(text).digest("base64"),
});
const usage = (message: string): TroupeError => new TroupeError("USER.CLI.USAGE", message);

/** The rows of a file as `troupe logs --format json` writes it. Throws USER.CLI.USAGE, and SYSTEM.IO.READ_FAILED. */
function rowsIn(file: string): Exchange[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new TroupeError("SYSTEM.IO.READ_FAILED", `${file} cannot be read: ${(error as Error).message}`, { file });
  }
  const lines = text.split("\n").entries();
  const rows = [...lines]
    .filter(([, line]) => line.trim() !== "")
    .map(([at, line]) => rowIn(line, `${file}:${at + 1}`));
  return rows.sort((a, b) => a.seq - b.seq);
}

function rowIn(line: string, where: string): Exchange {
  try {
    const row = JSON.parse(line) as Partial<Exchange> | null;
    const isRow = typeof row?.seq === "number" && typeof row.at === "number" && typeof row.type === "string";
    if (isRow && typeof row.payload === "object" && row.payload !== null) return row as Exchange;
  } catch {
    // Reported below.
  }
  throw usage(`${where}: expected a row of a log, as \`troupe logs <run> --format json\` writes them`);
}

/** Charts of the workflows that are known here; of another the page shows what the log has shown. */
async function chartsOf(troupe: Troupe, cwd: string, workflows: readonly string[]): Promise<[string, Chart][]> {
  const found = workflows.map(async (name): Promise<[string, Chart][]> => {
    const { workflow } = await troupe.validate(cwd, name).catch(() => ({ workflow: null }));
    return workflow === null ? [] : [[name, chartOf(workflow)]];
  });
  return (await Promise.all(found)).flat();
}
