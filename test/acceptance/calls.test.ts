/**
 * Two calls of one workflow at once.
 *
 * K1. Every face tells them apart. The log links each called run with the step that called it, both ways, and a face
 *     shows with each called run the call that it belongs to.
 * K2. Each call has one row for its start and one for its end, also after a crash in between.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import { Editor, updatesOf } from "../support/acp-editor.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { startServer } from "../support/server.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["calls/both.yaml", "calls/half.yaml"]);
});
afterEach(() => house.leave());

const trace = (): string => join(house.root, "trace");
const openGate = (): void => writeFileSync(`${trace()}.gate`, "");
const started = (args: readonly string[] = [], env: { [name: string]: string } = {}) =>
  house.troupe(["run", "both", "--trust", "-i", `trace=${trace()}`, ...args], env);
const parsed = (lines: readonly string[]): Exchange[] => lines.map((line) => JSON.parse(line) as Exchange);
const of = <T extends Exchange["type"]>(rows: readonly Exchange[], type: T) =>
  rows.filter((row): row is Exchange<RowOf<T>> => row.type === type);

/** The called runs by the step that called them. Fails where the two sides disagree, or a row is there twice. */
function callsIn(rows: readonly Exchange[]): { [step: string]: string } {
  const top = of(rows, "run.started").find(({ parentRun }) => parentRun === undefined)?.run;
  const begun = of(rows, "step.call_workflow.started");
  const ended = of(rows, "step.call_workflow.completed");
  const called = of(rows, "run.started").filter(({ parentRun }) => parentRun !== undefined);
  const link = ({ run, step, childRun }: Exchange) => [run, step, childRun].join(" ");
  expect(begun.map(link).sort()).toEqual(ended.map(link).sort());
  expect(begun.map(link).sort()).toEqual(
    called.map(({ parentRun, parentStep, run }) => [parentRun, parentStep, run].join(" ")).sort(),
  );
  expect(begun.map(({ step }) => step).sort()).toEqual(["fan/left", "fan/right"]);
  expect(new Set(begun.map(({ childRun }) => childRun)).size).toBe(2);
  for (const { run, step, childRun, seq, payload } of begun) {
    expect([run, payload]).toEqual([top, { name: step?.slice(4), workflow: "half" }]);
    const end = ended.find((row) => row.childRun === childRun);
    expect(end?.payload).toEqual({ ...payload, status: "completed" });
    const own = rows.filter((row) => row.run === childRun).map((row) => row.seq);
    // A step that a crash cut off before its call tells that it begins again.
    const isOuter = (row: Exchange) => row.run === top && row.step === step && row.type !== "step.retrying";
    const outer = rows.filter(isOuter).map((row) => row.seq);
    const [first = 0, last = 0] = [own.at(0), own.at(-1)];
    expect(outer).toEqual([outer[0], seq, end?.seq, outer.at(-1)]);
    expect([seq < first, last < (end?.seq ?? 0)]).toEqual([true, true]);
  }
  return Object.fromEntries(begun.map(({ step = "", childRun = "" }) => [step, childRun]));
}

test("the log links each call with its run, both ways: as JSON, as events, and for a recorder (K1)", async () => {
  openGate();
  const run = started(["--format", "json"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const rows = parsed(run.lines);
  const calls = callsIn(rows);

  const top = of(rows, "run.started")[0]?.run ?? "";
  const api = new Api(await startServer(house));
  expect((await api.whole(top)).seqs).toEqual(rows.filter((row) => row.run === top).map(({ seq }) => seq));
  for (const [step, child] of Object.entries(calls)) {
    const events = (await api.whole(child)).events.map(({ data }) => data as unknown as Exchange);
    expect(events[0]).toMatchObject({ type: "run.started", run: child, parentRun: top, parentStep: step });
    expect(events.at(-1)).toMatchObject({ type: "run.completed", run: child, parentRun: top });
  }

  for (const who of ["left", "right"]) {
    const recorded = house.troupe(["record", top, "--step", `fan/${who}/speak`]);
    expect(await recorded.ended).toEqual({ code: 0, signal: null });
    expect(recorded.lines.join("\n")).toContain(`I am ${who}`);
  }
  const unsaid = house.troupe(["record", top]);
  expect((await unsaid.ended).code).toBe(1);
  expect(unsaid.stderr).toMatch(/choose one by --step fan\/(left|right)\/speak, fan\/(left|right)\/speak/);
});

test("a terminal's lines name their call (K1)", async () => {
  openGate();
  const run = started();
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const calls = callsIn(storedRows(house.store, storedSessions(house.store)[0] ?? ""));
  const lines = run.lines.map((line) => line.trim().replace(/ (in \d.*|[\d.]+m?s)$/, ""));
  for (const [who, other] of [
    ["left", "right"],
    ["right", "left"],
  ] as const) {
    expect(lines).toEqual(
      expect.arrayContaining([
        `→ ${who} (call workflow)`,
        `${who} › half · run ${calls[`fan/${who}`]}`,
        `→ ${who} › meet`,
        `${who} › meet │ ${who} met ${other}`,
        `✓ ${who} › meet`,
        `→ ${who} › speak`,
        `${who} › speak │ I am ${who}`,
        `✓ ${who} › half completed`,
        `✓ ${who}`,
      ]),
    );
  }
});

test("an editor's cards name their call, live and loaded (K1)", async () => {
  openGate();
  const first = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await first.initialize();
  const session = await first.open(house.cwd);
  expect(await first.prompt(session, `/both trace=${trace()}`)).toMatchObject({ result: { stopReason: "end_turn" } });
  await first.leave();
  const second = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await second.initialize();
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  await second.leave();
  const rows = storedRows(house.store, session);
  const calls = callsIn(rows);
  const top = of(rows, "run.started")[0]?.run;
  for (const { trace: shown } of [first, second]) {
    const cards = new Map<unknown, { [name: string]: unknown }>();
    for (const { update } of updatesOf(shown))
      if (update["toolCallId"] !== undefined)
        cards.set(update["toolCallId"], { ...cards.get(update["toolCallId"]), ...update });
    for (const who of ["left", "right"]) {
      const child = calls[`fan/${who}`];
      expect(cards.get(`${top}/fan/${who}`)).toMatchObject({
        title: who,
        status: "completed",
        rawInput: { workflow: "half", run: child },
      });
      expect(cards.get(`${child}/meet`)).toMatchObject({ title: `${who} › meet`, status: "completed" });
      expect(cards.get(`${child}/speak`)).toMatchObject({ title: `${who} › speak`, status: "completed" });
    }
  }
});

test.each(["begun", "work.result:1", "work.result:2", "work.result:4", "work.result:6"])(
  "a crash (%s) between a call's start and its end leaves one row of each (K2)",
  async (moment) => {
    const isByPoint = moment !== "begun";
    if (isByPoint) openGate();
    const run = started(["--format", "json"], isByPoint ? { TROUPE_FAILPOINT: moment } : {});
    run.onLine = () => {
      const rows = parsed(run.lines);
      if (!isByPoint && of(rows, "step.started").filter(({ payload }) => payload.name === "meet").length === 2)
        run.kill();
    };
    expect(await run.ended).toEqual({ code: null, signal: "SIGKILL" });
    const [session = ""] = storedSessions(house.store);
    const before = storedRows(house.store, session);
    const top = of(before, "run.started")[0]?.run ?? "";
    if (!isByPoint) expect(of(before, "step.call_workflow.started")).toHaveLength(2);
    expect(of(before, "run.completed").filter(({ run: id }) => id === top)).toEqual([]);
    openGate();
    const again = house.troupe(["resume", top, "--recover=rerun"]);
    expect({ ...(await again.ended), stderr: again.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
    const after = storedRows(house.store, session);
    expect(after.slice(0, before.length)).toEqual(before);
    callsIn(after);
  },
);
