/** What the keys of a run say where they can do nothing. */
import { expect, test } from "vitest";
import type { RunRecord, Troupe } from "../../../actors/troupe.ts";
import { Screen } from "../../../projections/screen/screen.ts";
import { Deeds } from "../../../transports/ui/deeds.ts";
import type { UiStage } from "../../../transports/ui/view.ts";
import { Log, runStarted, stepStarted } from "../../projections/terminal/rows.ts";

const record: RunRecord = {
  ...{ id: "r1", session: "s1", workflow: "demo", cwd: "/w", status: "running", exitCode: null, error: null },
  ...{ startedAt: 0, endedAt: null, firstSeq: 1, lastSeq: null, resumable: false, questions: [], permissions: [] },
};

test("a question beside steps at work is answered later, and that is said", () => {
  const screen = new Screen("r1");
  const log = new Log();
  const said: string[] = [];
  const stage = { say: (text: string) => said.push(text) } as unknown as UiStage;
  const runs = { screenOf: () => screen };
  const deeds = new Deeds({} as Troupe, runs, stage, { cwd: "/w", env: {} });
  screen.see(log.row(runStarted()));
  deeds.press("a", record);
  screen.see(log.row(stepStarted("both", { kind: "parallel" })));
  screen.see(log.row(stepStarted("both/q", { kind: "ask" })));
  const asked = { input: "i", prompt: "Which colour?" };
  screen.see(log.row({ type: "input.required", run: "r1", step: "both/q", payload: asked }));
  deeds.press("a", record);
  expect(said).toEqual([
    "it asks nothing now",
    "it takes an answer once the steps beside the one that asks have ended",
  ]);
});

test("a run that has ended is said to have, and is not resumed", () => {
  const said: string[] = [];
  const stage = { say: (text: string) => said.push(text) } as unknown as UiStage;
  const deeds = new Deeds({} as Troupe, { screenOf: () => new Screen("r1") }, stage, { cwd: "/w", env: {} });
  deeds.press("r", { ...record, status: "failed", endedAt: 1 });
  deeds.press("c", { ...record, status: "cancelled", endedAt: 1 });
  expect(said).toEqual(["it has failed: only an interrupted run can be resumed", "it has been cancelled"]);
});
