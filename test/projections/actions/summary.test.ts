/** Covers `summary.ts`: the summary of a job, whole. */
import { expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { JobSummary, refusedSummary } from "../../../projections/actions/summary.ts";
import { Log, output, runCompleted, runStarted, said, stepCompleted, stepStarted } from "../terminal/rows.ts";

const text = (...rows: Row[]): string[] => {
  const [log, summary] = [new Log(), new JobSummary("r1")];
  for (const row of rows) summary.see(log.row(row));
  return summary.text().split("\n");
};
const failed = (error?: { code: string; message: string }) =>
  ({ status: "failed", exitCode: 4, ...(error ? { error } : {}) }) as const;

test("how each step ended and how long it took, from its beginning to its end", () => {
  const rows = [
    ...[runStarted("demo"), stepStarted("a"), stepCompleted("a"), stepStarted("b"), output("b", 0, "x\n")],
    ...[stepCompleted("b", { status: "cancelled" }), stepCompleted("c", { status: "skipped" })],
  ];
  expect(text(...rows, runCompleted({ status: "cancelled" }))).toEqual([
    ...["### 🟨 ` demo ` cancelled in 700ms", "", "| | step | took |", "|---|---|---|"],
    ...["| ✅ | ` a ` | 100ms |", "| 🟨 | ` b ` | 200ms |", "| ⚪ | ` c ` | 0ms |", ""],
  ]);
});

test("a run without steps has a title alone; a status without a mark is words", () => {
  expect(text(runStarted("demo"), runCompleted())).toEqual(["### ✅ ` demo ` completed in 100ms", ""]);
  expect(text(runStarted("demo"), runCompleted({ status: "odd" as never }))[0]).toBe("###  ` demo ` odd in 100ms");
});

test("what was refused says why, and nothing in it ends the text", () => {
  expect(refusedSummary("a|b", { code: "USER.X", message: "no ```\n\u202esuch" })).toBe(
    "### ❌ ` a¦b `\n\n````text\nno ```\n\\u202esuch\n[USER.X]\n````\n",
  );
});

test("a run that waits says what for, once its turn is over, until it is answered", () => {
  const turn = (type: "turn.started" | "turn.completed"): Row =>
    type === "turn.started"
      ? { type, payload: { turn: "t1" } }
      : { type, payload: { turn: "t1", stopReason: "end_turn" } };
  const required: Row = { type: "input.required", run: "r1", payload: { input: "i1", prompt: "How\nmany ```?" } };
  const answered: Row = { type: "input.answered", run: "r1", payload: { input: "i1", text: "3" } };
  const rows = [turn("turn.started"), runStarted("demo"), stepStarted("a"), stepCompleted("a"), required];
  expect(text(...rows)).toEqual([""]);
  expect(text(...rows, turn("turn.completed"))).toEqual([
    ...["### 💬 ` demo ` waits for an answer", "", "| | step | took |", "|---|---|---|", "| ✅ | ` a ` | 100ms |", ""],
    ...["````text", "How", "many ```?", "````", ""],
  ]);
  expect(text(...rows, turn("turn.completed"), turn("turn.started"), answered)).toEqual([""]);
  expect(text(...rows, turn("turn.completed"), answered, runCompleted())[0]).toBe("### ✅ ` demo ` completed in 600ms");
});

test("a run that has not ended has no summary of its own, and says how it stands where that is known", () => {
  const [log, summary] = [new Log(), new JobSummary("r1")];
  for (const row of [runStarted("demo"), stepStarted("a"), stepCompleted("a")]) summary.see(log.row(row));
  expect(summary.text()).toBe("");
  expect(summary.text({ workflow: "demo", status: "parked" }).split("\n")).toEqual([
    ...["### ` demo ` has not ended: parked", "", "| | step | took |", "|---|---|---|", "| ✅ | ` a ` | 100ms |", ""],
  ]);
});

test("a step that comes again begins anew", () => {
  const lines = text(runStarted(), stepStarted("a"), stepCompleted("a"), stepCompleted("a"), runCompleted());
  expect(lines.slice(4, 6)).toEqual(["| ✅ | ` a ` | 100ms |", "| ✅ | ` a ` | 0ms |"]);
});

test("behind a hundred steps the others are counted", () => {
  const steps = (count: number) => Array.from({ length: count }, (_, at) => stepCompleted(`s${at}`));
  const shown = (count: number) => text(runStarted(), ...steps(count), runCompleted());
  expect([shown(100).length, shown(100).at(-1)]).toEqual([105, ""]);
  expect(shown(102).slice(-4)).toEqual(["| ✅ | ` s99 ` | 0ms |", "", "… and 2 more", ""]);
});

test("a failure shows why, and what was printed to stderr; else what was printed at all", () => {
  const error = { code: "E", message: "it\u202e broke" };
  const shown = (...rows: Row[]) =>
    text(runStarted(), stepStarted("a"), ...rows, runCompleted({ status: "failed" })).slice(6);
  const out = output("a", 0, "out\n");
  expect(shown(out, output("a", 0, "bad ```` ticks\n", "stderr"), stepCompleted("a", failed(error)))).toEqual([
    ...["#### ❌ ` a `", "", "`````text", "it\\u202e broke", "bad ```` ticks", "`````", ""],
  ]);
  expect(shown(out, stepCompleted("a", failed()))).toEqual([
    "#### ❌ ` a `",
    "",
    "```text",
    "exit code 4",
    "out",
    "```",
    "",
  ]);
  expect(shown(stepCompleted("a", { ...failed(), exitCode: undefined as never }))[3]).toBe("exit code 1");
});

test("a name is text: nothing in it ends its place (I1)", () => {
  const name = "a``|<b>\n";
  const lines = text(
    runStarted(name),
    stepStarted("a"),
    stepCompleted("a", { name }),
    runCompleted({ workflow: name }),
  );
  expect([lines[0], lines[4]]).toEqual([
    "### ✅ ``` a``¦<b> ``` completed in 300ms",
    "| ✅ | ``` a``¦<b> ``` | 100ms |",
  ]);
});

test("live words change nothing", () => {
  const [log, summary] = [new Log(), new JobSummary("r1")];
  summary.see(log.live(said("a", 0, "x")));
  expect(summary.text()).toBe("");
});
