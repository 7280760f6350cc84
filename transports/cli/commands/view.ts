/** `troupe view`: a recorded log as one HTML file with the page and the run in it, opened in the browser. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Exchange, TroupeError } from "../../../actors/troupe.ts";
import { usage } from "../failure.ts";
import type { CommandContext } from "../io.ts";
import { showFile } from "../open-page.ts";
import { isNoFile, writeOwn } from "../own-file.ts";
import { runPage } from "../run-page.ts";
import { withTroupe } from "../with-troupe.ts";

/** `out`: where the file is written, and not opened; null writes it among temporary ones. */
export const view = ({ io }: CommandContext, asked: { file: string; out: string | null }): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const rows = rowsIn(resolve(io.cwd, asked.file));
    const text = await runPage(troupe, { cwd: io.cwd, rows, from: asked.file });
    const name = `${basename(asked.file).replace(/\.\w+$/, "")}.html`;
    const place =
      asked.out === null ? join(mkdtempSync(join(tmpdir(), "troupe-view-")), name) : resolve(io.cwd, asked.out);
    writeOwn(place, text);
    io.out(`${place}\n`);
    if (asked.out === null) showFile(io, place);
    return 0;
  });

/** The rows of a file as `troupe logs --format json` writes it. Throws USER.CLI.USAGE, and SYSTEM.IO.READ_FAILED. */
function rowsIn(file: string): Exchange[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isNoFile(error))
      throw usage(`${file} is no file: expected one that \`troupe logs <run> --format json\` has written`);
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
