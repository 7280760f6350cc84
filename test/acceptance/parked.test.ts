/**
 * A run that parks where no one can be asked, and is answered from other processes.
 *
 * A1. It ends well, its log has no gaps, and between the answers none of its processes is left.
 * A2. `kill -9` while it is parked loses nothing.
 * A3. While it is parked nothing of it is cut off, and its time stands still, however often it is looked at.
 * A4. It is ended from a terminal, with its hooks, also while an editor attends it and has no way to.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor } from "../support/acp-editor.ts";
import { childrenOf, type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/talk.yaml"]);
});
afterAll(() => house.leave());

const json = (line: string | undefined): { [name: string]: unknown } => JSON.parse(line ?? "null");
const whole = async (started: Started) => {
  const ended = await started.ended;
  return { code: ended.code, text: started.lines.join("\n"), stderr: started.stderr };
};
async function parked(): Promise<string> {
  const started = house.troupe(["run", "talk", "--trust", "--format", "json"]);
  expect(await started.ended).toEqual({ code: 0, signal: null });
  const last = json(started.lines.at(-1)) as { parked: { run: string; questions: { step: string; said: string }[] } };
  expect(last.parked.questions).toMatchObject([{ step: "chat", prompt: "", said: "Who are you?" }]);
  expect(childrenOf(started.owner)).toEqual([]);
  return last.parked.run;
}
const rowsOf = (run: string): Exchange[] => {
  const of = storedSessions(house.store).map((session) => storedRows(house.store, session));
  return of.find((rows) => rows.some((row) => row.run === run)) ?? [];
};
const gapless = (rows: Exchange[]) => expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));

test("A1: a run parks, is listed, is answered twice, and completes", async () => {
  const run = await parked();
  const listed = await whole(house.troupe(["history", "--resumable", "--format", "json"]));
  expect(JSON.parse(listed.text)).toMatchObject([{ id: run, status: "parked", questions: [{ step: "chat" }] }]);
  const asked = await whole(house.troupe(["resume", run]));
  expect([asked.code, asked.text.split("\n").slice(1)]).toEqual([
    0,
    [`? parked: step "chat" waits for an answer`, "  Who are you?", `  troupe resume ${run} --answer "…"`],
  ]);

  const once = await whole(house.troupe(["resume", run, "--answer", "Ann"]));
  expect(once.code).toBe(0);
  expect(once.text).toContain("    Ann\n");
  const twice = await whole(house.troupe(["resume", run, "--answer", ""]));
  expect(twice.code).toBe(0);
  expect(twice.text).toContain("talk completed");
  gapless(rowsOf(run));
  const head = rowsOf(run).length;
  const late = await whole(house.troupe(["resume", run, "--answer", "x", "--format", "json"]));
  expect([late.code, json(late.text)]).toMatchObject([1, { error: { code: "USER.FACADE.INPUT_REJECTED" } }]);
  expect(rowsOf(run)).toHaveLength(head);
});

test("A2: a run that is killed while it is parked takes its answer afterwards", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  expect(await editor.prompt(session, "/talk")).toMatchObject({ result: { stopReason: "end_turn" } });
  editor.agent.kill();
  await editor.agent.ended;
  const before = storedRows(house.store, session);
  const run = before.find(({ type }) => type === "run.started")?.run ?? "";

  const done = await whole(house.troupe(["resume", run, "--answer", ""]));
  expect([done.code, done.stderr]).toEqual([0, ""]);
  const after = storedRows(house.store, session);
  gapless(after);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.filter(({ type }) => type === "run.completed")).toMatchObject([{ payload: { status: "completed" } }]);
});

test("A3: what is parked is not cut off, and takes no time", async () => {
  const text = `name: rounds
states:
  initial: each
  each: {type: for_each, items: [a], body: [q], on_complete: d}
  q: {type: ask, questions: [{name: w, prompt: Word?}]}
  d: {type: terminal}
`;
  writeFileSync(join(house.cwd, ".troupe/workflows/rounds.yaml"), text);
  const started = await whole(house.troupe(["run", "rounds", "--trust", "--format", "json"]));
  const { run } = (json(started.text.split("\n").at(-1)) as { parked: { run: string } }).parked;
  const shown = async (): Promise<string> => (await whole(house.troupe(["status", run]))).text;
  const tree = (status: string): string => status.slice(status.indexOf("\n\n"));
  const first = await shown();
  expect(tree(first).replaceAll(/[\d.]+m?s/g, "T")).toBe(
    "\n\n  ▸ each (for each) T · running\n    ? q[a] T · waiting · waits for Word?",
  );
  expect(tree(await shown())).toBe(tree(first));
  const { text: ended } = await whole(house.troupe(["resume", run, "--answer", "x"]));
  const took = / completed in (\S+)/.exec(ended)?.[1];
  const line = (await shown()).split("\n").find((one) => one.startsWith("took"));
  expect(line?.split(" at work, ")[0]).toBe(`took       ${took}`);
});

test("A4: a parked run is cancelled from a terminal; one that has ended is left, one at work ends where it runs", async () => {
  const text = `name: leave
hooks: {workflow_cancel: [{command: "touch cancelled"}]}
states:
  initial: q
  q: {type: ask, questions: [{name: w, prompt: Word?}], on_success: work}
  work: {type: command, command: sleep 60, on_success: d}
  d: {type: terminal}
`;
  writeFileSync(join(house.cwd, ".troupe/workflows/leave.yaml"), text);
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  await editor.prompt(session, "/leave");
  expect((await editor.prompt(session, "/talk")).result).toMatchObject({
    _meta: { "troupe/error": { code: "USER.RUN.PARKED", message: expect.stringContaining("`troupe cancel`") } },
  });
  expect((await whole(house.troupe(["rerun", "@last"]))).stderr).toContain("or cancel it first (troupe cancel)");
  const done = await whole(house.troupe(["cancel", "@last"]));
  expect([done.code, done.text]).toEqual([0, expect.stringMatching(/^Run \S+ of leave has been cancelled\.$/)]);
  expect(existsSync(join(house.cwd, "cancelled"))).toBe(true);
  const again = await whole(house.troupe(["cancel", "@last"]));
  expect([again.code, again.text]).toEqual([0, expect.stringContaining("cancelled: it is left as it is.")]);

  await editor.prompt(session, "/leave");
  const working = editor.prompt(session, "x");
  await expect.poll(() => storedRows(house.store, session).some(({ step }) => step === "work")).toBe(true);
  const elsewhere = await whole(house.troupe(["cancel", "@last", "--format", "json"]));
  expect([elsewhere.code, json(elsewhere.text)]).toMatchObject([0, { status: "cancelled" }]);
  expect((await working).result).toMatchObject({ stopReason: "cancelled" });

  await editor.prompt(session, "/leave");
  const killed = editor.prompt(session, "x");
  const starts = (): unknown[] =>
    storedRows(house.store, session).filter(({ step, type }) => step === "work" && type === "step.started");
  await expect.poll(starts).toHaveLength(2);
  editor.agent.kill();
  await Promise.allSettled([killed, editor.agent.ended]);
  const cut = await whole(house.troupe(["cancel", "@last", "--format", "json"]));
  expect([cut.code, json(cut.text)]).toMatchObject([0, { status: "cancelled" }]);
});
