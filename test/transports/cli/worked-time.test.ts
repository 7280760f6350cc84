/** What a run took, where it is read afterwards, leaves out when no process ran it: `logs` (I3), `export`, the UI's reader. */
import { of } from "rxjs";
import { expect, it } from "vitest";
import type { Exchange, Row, RunLog, RunRecord, Troupe } from "../../../actors/troupe.ts";
import { main } from "../../../transports/cli/program.ts";
import type { UiStage } from "../../../transports/ui/view.ts";
import { StepView } from "../../../transports/ui/views/step-view.ts";
import { Log, runCompleted, runStarted, stepCompleted, stepStarted } from "../../projections/terminal/rows.ts";
import { recordingIo } from "./io.ts";

const HOUR = 3_600_000;
const turn = (name: string): Row => ({ type: "turn.started", payload: { turn: name } }) as Row;

/** A run that waited for an hour without a process, in the middle of a step. */
function place() {
  const log = new Log();
  const rows: Exchange[] = [
    log.row(runStarted()),
    log.row(stepStarted("a")),
    log.row({ type: "turn.completed", payload: { turn: "t1", stopReason: "end_turn" } } as Row),
    log.row(turn("t2"), HOUR),
    log.row(stepCompleted("a")),
    log.row(runCompleted()),
  ];
  const record: RunRecord = {
    ...{ id: "r1", session: "s", workflow: "demo", cwd: "/w", status: "completed", exitCode: 0, error: null },
    ...{ startedAt: 0, endedAt: 1, firstSeq: 1, lastSeq: 6, resumable: false, questions: [], permissions: [] },
  };
  const read = {
    record,
    head: () => 6,
    rows: (after: number, limit: number) => rows.filter(({ seq }) => seq > after).slice(0, limit),
    log$: () => of(rows),
  } as unknown as RunLog;
  const troupe: Partial<Troupe> = { status: async () => record, log: async () => read };
  const said = async (...argv: string[]): Promise<string> => {
    const io = recordingIo({ troupe });
    expect(await main(argv, io)).toBe(0);
    return io.written.out;
  };
  return { said, read, rows };
}

it.each([
  ["logs", "r1"],
  ["logs", "r1", "--follow"],
  ["export", "r1", "-o", "-", "--as", "markdown"],
])("troupe %s %s %s", async (...argv) => {
  const out = await place().said(...argv);
  expect(out).toContain("✓ a 100ms");
  expect(out).toMatch(/completed in [23]00ms/);
  expect(out).not.toMatch(/\dh/);
});

it("a program gets the rows with the times that they have", async () => {
  const { said, rows } = place();
  const own = rows.filter(({ run }) => run === "r1").map((row) => JSON.stringify(row));
  expect((await said("logs", "r1", "--format", "json")).trimEnd().split("\n")).toEqual(own);
  expect((await said("export", "r1", "-o", "-", "--as", "jsonl")).trimEnd().split("\n")).toEqual(own);
});

it("the reader of the UI", () => {
  const stage: Partial<UiStage> = { redraw: () => undefined };
  const view = new StepView(place().read, "a", stage as UiStage);
  const lines = view.lines({ width: 80, height: 9, colours: false } as Parameters<StepView["lines"]>[0]);
  expect(lines.join("\n")).toContain("✓ a 100ms");
});

it("says no time of a run whose beginning is not shown", async () => {
  // The rows stand at 1,000 seconds after 1970, and the run's first one before what is asked for.
  const { said, rows } = place();
  const since = new Date(rows[4]?.at ?? 0).toISOString();
  expect(await said("logs", "r1", "--since", since)).toBe("  ✓ a\n✓ demo completed (1 step)\n");
});
