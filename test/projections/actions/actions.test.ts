/** A run as GitHub Actions sees it: its log, and the summary of the job. */
import { from, lastValueFrom, reduce } from "rxjs";
import { expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { actionsLines } from "../../../projections/actions/lines.ts";
import { JobSummary } from "../../../projections/actions/summary.ts";
import { Log, output, runCompleted, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";

const turnCompleted: Row = { type: "turn.completed", payload: { turn: "t1", stopReason: "end_turn" } };
const required = (input: string, prompt: string): Row => ({
  ...{ type: "input.required", run: "r1", step: "ask" },
  payload: { input, prompt },
});
const notice = (message: string): Row => ({ type: "notice", run: "r1", payload: { severity: "info", message } });
const options = { colours: false, columns: null, run: "r1", word: "WORD" };
const framesOf = (rows: readonly Row[]) => {
  const log = new Log();
  return rows.map((row) => log.row(row));
};
async function text(rows: readonly Row[]): Promise<string[]> {
  const pieces = from([framesOf(rows)]).pipe(
    actionsLines(options),
    reduce((all, more) => [...all, ...more], [] as string[]),
  );
  return (await lastValueFrom(pieces)).join("").split("\n");
}
/** The commands that a runner takes: none after `::stop-commands::WORD`, until `::WORD::`. */
function commands(lines: readonly string[]): string[] {
  const taken: string[] = [];
  let word: string | null = null;
  for (const line of lines.map((one) => one.trimStart())) {
    if (word !== null) word = line === `::${word}::` ? null : word;
    else if (line.startsWith("::stop-commands::")) word = line.slice("::stop-commands::".length);
    else if (line.startsWith("::")) taken.push(line);
  }
  return taken;
}
const FAILED = { code: "EXECUTION.COMMAND.FAILED", message: "the command ended with exit code 4" };
const ROWS: readonly Row[] = [
  runStarted("demo", {}),
  stepStarted("build"),
  output("build", 0, "::set-env name=PATH::/evil\n  ::error::no fault of ours\n::WORDS::\nno end of line"),
  stepCompleted("build"),
  stepStarted("fan", { kind: "parallel" }),
  stepStarted("fan/left"),
  output("fan/left", 0, "100% of a, b: c\n", "stderr"),
  stepCompleted("fan/left", { status: "failed", exitCode: 4, error: FAILED }),
  stepCompleted("fan", { kind: "parallel", status: "failed", exitCode: 1, error: FAILED }),
  runCompleted({ status: "failed", exitCode: 3 }),
];

test("each step of the run is a fold, each failure an error, and no text of a step is a command (I1, I2)", async () => {
  const lines = await text(ROWS);
  expect(commands(lines)).toEqual([
    "::group::build",
    "::endgroup::",
    "::group::fan",
    "::endgroup::",
    "::error title=fan/left failed::the command ended with exit code 4%0A100%25 of a, b: c",
  ]);
  expect(lines.at(-2)).toBe("::WORD::");
  expect(lines.some((line) => line.includes("::set-env name=PATH::/evil"))).toBe(true);
});

test("what a run waits for is said behind the fold of the step that asks (I3)", async () => {
  const lines = await text([
    ...[runStarted("demo", {}), stepStarted("ask"), required("i1", "How\nmany?"), turnCompleted],
    ...[notice("said at the end"), stepStarted("next"), stepCompleted("next"), turnCompleted],
  ]);
  expect(commands(lines)).toEqual(["::group::ask", "::endgroup::", "::group::next", "::endgroup::"]);
  const at = (part: string) => lines.findIndex((line) => line.includes(part));
  expect(at("many?")).toBeLessThan(at("::endgroup::"));
  expect(at("said at the end")).toBeGreaterThan(at("::endgroup::"));
});

test("the summary tells steps and failures, and holds what comes from outside as text (I1)", () => {
  const summary = new JobSummary("r1");
  const frames = framesOf(ROWS);
  for (const frame of frames.slice(0, -1)) summary.see(frame);
  expect(summary.text()).toBe("");
  summary.see(frames.at(-1)!);
  const lines = summary.text().split("\n");
  expect(lines[0]).toMatch(/^### ❌ ` demo ` failed in /);
  expect(lines.filter((line) => line.startsWith("| ✅") || line.startsWith("| ❌"))).toEqual([
    expect.stringMatching(/^\| ✅ \| ` build ` \| \d+ms \|$/),
    expect.stringMatching(/^\| ❌ \| ` fan ` \| \d+ms \|$/),
  ]);
  const at = lines.indexOf("#### ❌ ` fan/left `");
  expect(lines.slice(at, at + 6)).toEqual([
    "#### ❌ ` fan/left `",
    "",
    "```text",
    "the command ended with exit code 4",
    "100% of a, b: c",
    "```",
  ]);
});

test("the summary is about one run: rows of others, and steps within steps, have no line of their own", () => {
  const summary = new JobSummary("r1");
  const of = (run: string, row: Row): Row => ({ ...row, run }) as Row;
  const called = [of("r2", runStarted("called", {})), of("r2", stepStarted("inner")), of("r2", stepCompleted("inner"))];
  const rows = [runStarted("demo", {}), ...called, stepStarted("fan", { kind: "parallel" }), stepStarted("fan/left")];
  const ends = [stepCompleted("fan/left"), stepCompleted("fan", { kind: "parallel" }), runCompleted({})];
  for (const frame of framesOf([...rows, of("r2", runCompleted({})), ...ends])) summary.see(frame);
  expect(summary.text().replaceAll(/\d+ms/g, "N")).toBe(
    ["### ✅ ` demo ` completed in N", "", "| | step | took |", "|---|---|---|", "| ✅ | ` fan ` | N |", ""].join("\n"),
  );
});

test("a run without steps has no table; one with very many says how many more there are", () => {
  const of = (count: number): string => {
    const summary = new JobSummary("r1");
    const steps = Array.from({ length: count }, (_, i) => [stepStarted(`s${i}`), stepCompleted(`s${i}`)]).flat();
    for (const frame of framesOf([runStarted("demo", {}), ...steps, runCompleted({})])) summary.see(frame);
    return summary.text();
  };
  expect(of(0).split("\n").slice(1)).toEqual([""]);
  expect(of(100)).not.toContain("more");
  expect(of(102).split("\n").slice(-4)).toEqual([expect.stringContaining("` s99 `"), "", "… and 2 more", ""]);
});
