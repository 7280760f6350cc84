/**
 * A gate that is denied with `on_deny: skip` (note 18): a skipped step is never called done.
 *
 * N1. Without a target for a skip the run ends as skipped, wherever the step stands. Nothing in its end says "done".
 * N2. It continues at `on_skip`, or by a transition that names `skipped`, and nowhere else.
 * N3. The terminal, its exit code, an editor and the API say the same. `validate` says so before.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor, saidIn, updatesOf } from "../support/acp-editor.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { startServer } from "../support/server.ts";

const NAMES = ["release", "held", "judged", "unjudged", "outer"];
let house: House;
beforeEach(() => {
  house = openHouse(NAMES.map((name) => `denied/${name}.yaml`));
});
afterEach(async () => {
  expect(existsSync(join(house.cwd, "published"))).toBe(false);
  await house.leave();
});
const SKIPPED = "EXECUTION.RUN.SKIPPED";

test.each([
  ["release", 'step "publish" was not approved, and no on_skip leads on from it'],
  ["unjudged", 'step "publish" was not approved, and no on_skip leads on from it'],
  ["outer", 'branch "call" of "fan" was not approved, and no on_skip leads on'],
])("a terminal says that %s was skipped, and its exit code is no success (N1, N3)", async (name, why) => {
  const run = house.troupe(["run", name, "--trust"]);
  expect(await run.ended).toEqual({ code: 3, signal: null });
  const text = run.lines.join("\n");
  expect(text).toContain(`○ ${name} skipped in`);
  expect(text).toContain(`${why} [${SKIPPED}]`);
  expect(text).toMatch(/○ publish skipped: the step was not approved|○ call › publish skipped/);
  expect(text).not.toMatch(/eleased|✓ (publish|call|fan)/);
  const history = house.troupe(["history", "--status", "skipped", "--format", "json"]);
  expect(await history.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(history.lines.join("\n"))).toMatchObject([{ workflow: name, status: "skipped" }]);
});

test.each(["held", "judged"])("%s continues where the file says (N2)", async (name) => {
  const run = house.troupe(["run", name, "--trust", "--format", "json"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const rows = run.lines.map((line) => JSON.parse(line) as Exchange);
  expect(rows.find(({ type }) => type === "step.completed")?.payload).toEqual({
    name: "publish",
    kind: "command",
    status: "skipped",
    exitCode: 0,
    error: { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" },
  });
  expect(rows.find(({ type }) => type === "run.completed")?.payload).toMatchObject({
    status: "completed",
    message: "Kept for later",
  });
});

test("an editor shows it in words, in the card and by a code (N3)", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  editor.decide = () => "deny";
  await editor.initialize();
  const session = await editor.open(house.cwd);
  const answer = await editor.prompt(session, "/release");
  await editor.leave();
  const message = 'step "publish" was not approved, and no on_skip leads on from it';
  expect(answer.result).toEqual({
    stopReason: "end_turn",
    _meta: { "troupe/error": { code: SKIPPED, message } },
  });
  expect(saidIn(editor.trace)).toContain(`Workflow "release" was skipped: ${message}`);
  expect(saidIn(editor.trace)).not.toContain("Released");
  const [run] = storedRows(house.store, session).filter(({ type }) => type === "run.started");
  const cards = updatesOf(editor.trace).filter(({ update }) => update["toolCallId"] === `${run?.run}/publish`);
  expect(cards.at(-1)?.update).toMatchObject({
    title: "publish (skipped)",
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: "Skipped: the step was not approved" } }],
  });
});

test("the API says the same (N3)", async () => {
  const api = new Api(await startServer(house, [], { TROUPE_TRUST: "1" }));
  const { run, session } = await api.start("release");
  const events = await api.sessionEvents(session);
  const asked = await events.hears("permission.requested");
  expect(asked).toBeDefined();
  const { permissions } = await api.run(run);
  const [{ permission }] = permissions;
  expect((await api.post(`/api/runs/${run}/decide`, { permission, option: "deny" })).status).toBeLessThan(300);
  await events.hears("turn.completed");
  expect(await api.run(run)).toMatchObject({ status: "skipped", error: { code: SKIPPED } });
  events.drop();
});

test("validate warns only of a skip without a target (N3)", async () => {
  for (const [name, warns] of [
    ["release", true],
    ["unjudged", true],
    ["held", false],
    ["judged", false],
  ] as const) {
    const validate = house.troupe(["validate", name]);
    expect(await validate.ended).toEqual({ code: 0, signal: null });
    const said = [...validate.lines, validate.stderr].join("\n");
    expect(said.includes("WORKFLOW.VALIDATION.SKIP_WITHOUT_WAY")).toBe(warns);
  }
});
