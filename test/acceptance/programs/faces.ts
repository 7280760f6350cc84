/**
 * One log as every face shows it, to be compared with a golden file. `faces.ts FACE LOG` prints one, so that it also
 * runs on sources in which a projection was changed.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { from, of, VirtualTimeScheduler } from "rxjs";
import type { Exchange } from "../../../machines/exchange.ts";
import { cursorPlaces } from "../../../projections/acp/cursor.ts";
import { inOrder } from "../../../projections/acp/order.ts";
import { acpUpdates } from "../../../projections/acp/updates.ts";
import { runProgress } from "../../../projections/mcp/progress.ts";
import { runResult } from "../../../projections/mcp/result.ts";
import { StepWords } from "../../../projections/mcp/words.ts";
import type { StepNode } from "../../../projections/runs/step-node.ts";
import { Screen } from "../../../projections/screen/screen.ts";
import { inSeq } from "../../../projections/shared/in-seq.ts";
import type { Projection } from "../../../projections/shared/projection.ts";
import { sseEvents } from "../../../projections/sse/events.ts";
import { jsonLines } from "../../../projections/terminal/json.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { frameLines } from "../../../projections/ui/frame.ts";
import { listLine } from "../../../projections/ui/list-lines.ts";
import { rowLines, treeRows } from "../../../projections/ui/tree-rows.ts";

const RUN = "<run 1>";
const PLACE = { width: 80, height: 32, now: 100_000, colours: false };
const STREAMING = { updateOrder: "streaming", updatesOnCancel: "closing", deniedPrompt: "words" } as const;

/** The output of a projection for the log, given in one batch or in these batches. */
function shown<T>(
  rows: readonly Exchange[],
  projection: Projection<T>,
  batches: readonly Exchange[][] = [[...rows]],
): T[] {
  const all: T[] = [];
  from(batches)
    .pipe(inSeq(0), projection)
    .subscribe({ next: (one) => all.push(one), error: (error) => Promise.reject(error) });
  return all;
}
const lines = (values: readonly unknown[]): string => `${values.map((one) => JSON.stringify(one)).join("\n")}\n`;
const addresses = (nodes: readonly StepNode[]): string[] =>
  nodes.flatMap(({ address, children }) => [address, ...addresses(children)]);
const endOf = (rows: readonly Exchange[]) => {
  const ended = rows.find((row) => row.type === "run.completed" && row.run === RUN);
  if (ended?.type !== "run.completed") throw new Error("the golden run has no end");
  return ended.payload;
};

export const FACES: { readonly [face: string]: (rows: readonly Exchange[]) => string } = {
  text: (rows) =>
    shown(rows, terminalLines({ colours: false, columns: null }))
      .flat()
      .join(""),
  json: (rows) => shown(rows, jsonLines()).flat().join(""),
  acp: (rows) => {
    const scheduler = new VirtualTimeScheduler();
    const updates = acpUpdates({ scheduler, echoUser: () => true, shown: new Map(), terminals: "t", keeps: true });
    const views = shown(rows, (frames$) => frames$.pipe(updates, inOrder(STREAMING, of()))).flat();
    scheduler.flush();
    return lines([...views, ...shown(rows, cursorPlaces({ seq: 0, shown: {} }, 0))]);
  },
  sse: (rows) =>
    shown(rows, sseEvents({ run: null, after: 0, live: true }))
      .map(({ bytes }) => new TextDecoder().decode(bytes))
      .join(""),
  mcp: (rows) => {
    const { status, error = null, outputs = {}, message = null } = endOf(rows);
    const words = new StepWords();
    words.take(rows);
    const run = { id: RUN, workflow: "golden", status, error, questions: [], permissions: [] };
    const result = runResult(run, { outputs, message, said: words.said }, { runs: true, decides: false });
    return `${JSON.stringify(result, null, 2)}\n${lines(
      shown(
        rows,
        runProgress(RUN),
        rows.map((row) => [row]),
      ),
    )}`;
  },
  ui: (rows) => {
    const screen = new Screen(RUN);
    for (const row of rows) screen.see(row);
    const { status, error = null, exitCode = null } = endOf(rows);
    const record = {
      ...{ id: RUN, session: "s", workflow: "golden", cwd: "/w", status, exitCode, error },
      ...{ startedAt: 5_000, endedAt: 59_000, resumable: false, questions: [], permissions: [] },
    };
    const list = listLine({ record, screen }, true, PLACE);
    const options = { isChosen: false, isAlive: false };
    const opened = new Map(addresses(screen.fold.roots).map((address) => [address, true]));
    const tree = treeRows(screen.fold.roots, opened).flatMap((row) => rowLines(screen, row, options, PLACE));
    const frame = { title: "golden", right: [], body: [list, "", ...tree], keys: [["?", "help"]] as const, notice: "" };
    return `${frameLines(frame, PLACE)
      .join("\n")
      .replace(/[ \t]+$/gm, "")
      .trimEnd()}\n`;
  },
};

/** The golden log. Its times were removed: one second lies between two rows. */
export const goldenLog = (file: string): Exchange[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Exchange)
    .map((row) => ({ ...row, at: row.seq * 1_000 }) as Exchange);

const [program, face = "", log = ""] = process.argv.slice(1);
if (program === fileURLToPath(import.meta.url)) process.stdout.write(FACES[face]?.(goldenLog(log)) ?? "");
