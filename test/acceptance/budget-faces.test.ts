/**
 * A limit of a budget, and what was used, in each face of the built program.
 *
 * F1. The question at a limit is the same in each, with all that may be answered; the run goes on as it was answered.
 * F2. A run that has stopped goes on with a higher limit.
 * F3. `fallback_model` asks nobody while an entry is left, over a `kill -9` too.
 * F4. What each step has used is told.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor } from "../support/acp-editor.ts";
import { type Anything, Api } from "../support/api.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { decided, McpHost } from "../support/mcp-host.ts";
import { startServer } from "../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
const OPTIONS = ["Go on, up to 220 tokens", "Go on with understudy", "Stop here; it can be resumed"];
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/thrift.yaml"]);
});
afterEach(() => house.leave());

const rows = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
const ends = () => rows().flatMap((row) => (row.type === "run.completed" ? [row.payload.message] : []));
const run = (): string => rows().find(({ type }) => type === "run.started")?.run ?? "";
const shown = async (...args: string[]): Promise<string> => {
  const started = house.troupe(args);
  await started.ended;
  return started.lines.join("\n");
};

test("an editor is asked, and sees what was used (F1, F4)", async () => {
  const editor = new Editor(house.troupe(["acp"], TRUST));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  const asked: Anything[] = [];
  editor.decide = (question) => {
    asked.push(question);
    return "more";
  };
  await editor.prompt(session, "/thrift");
  expect(asked.map(({ options }) => options.map(({ name }: Anything) => name))).toEqual([OPTIONS]);
  expect(JSON.stringify(asked[0].toolCall)).toContain("120 tokens of 100 tokens");
  const plans = editor.trace.flatMap(({ message }) => {
    const { update } = (message["params"] ?? {}) as Anything;
    return update?.sessionUpdate === "plan" ? [update.entries.map(({ content }: Anything) => content)] : [];
  });
  expect(plans.at(-1)).toEqual(["first (120 tokens)", "second (20 tokens)"]);
  expect(ends()).toEqual(["two"]);
  await editor.leave();
});

test("the API tells the question, and what was used; a stopped run gets a higher limit (F1, F2, F4)", async () => {
  const api = new Api(await startServer(house, [], TRUST));
  const { run: id } = await api.start("thrift");
  await expect.poll(async () => (await api.run(id)).status).toBe("waiting");
  const [asked] = (await api.run(id)).permissions;
  expect(asked.options.map(({ name }: Anything) => name)).toEqual(OPTIONS);
  expect(asked.message).toContain("120 tokens of 100 tokens");
  await api.post(`/api/runs/${id}/decide`, { permission: asked.permission, option: "stop" });
  await expect.poll(async () => (await api.run(id)).status).toBe("interrupted");
  expect((await api.post(`/api/runs/${id}/resume`, { budget: { time: "soon" } })).status).toBe(400);
  expect((await api.post(`/api/runs/${id}/resume`, { budget: { tokens: 0 } })).status).toBe(400);
  expect((await api.post(`/api/runs/${id}/resume`, { budget: { tokens: 300 } })).status).toBe(202);
  await (await api.whole(id)).ended;
  const { body } = (await api.get(`/api/runs/${id}/steps`)) as Anything;
  expect(body.steps.map(({ name, usage }: Anything) => [name, usage.tokens])).toEqual([
    ["first", 120],
    ["second", 20],
  ]);
  const limited = await api.start("thrift", { budget: { agent_turns: 1, time: "10m" } });
  await expect.poll(async () => (await api.run(limited.run)).status).toBe("waiting");
  expect((await api.run(limited.run)).permissions[0].message).toContain("1 agent turn of 1 agent turn");
});

test("an MCP host shows the question as a form, and has what was used (F1, F4)", async () => {
  let asked: Anything;
  await shown("trust", "add");
  const host = await McpHost.start(house, {
    env: TRUST,
    args: ["--tools", "workflows,runs,introspect"],
    person: (form) => {
      asked = form;
      return decided("next");
    },
  });
  const told = await host.told("thrift");
  expect(JSON.stringify(asked)).toContain("120 tokens of 100 tokens");
  for (const name of OPTIONS) expect(JSON.stringify(asked)).toContain(name);
  expect(told.status).toBe("completed");
  expect(ends()).toEqual(["spare"]);
  const { text } = (await host.told("troupe_run_log", { run: told.run })) as Anything;
  for (const words of [/✓ first .*· 120 tokens/, /✓ second .*· 2 tokens/]) expect(text).toMatch(words);
  await host.client.close();
});

test("another terminal decides, and tells what each step has used (F1, F4)", async () => {
  const editor = new Editor(house.troupe(["acp"], TRUST));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  editor.decide = () => undefined;
  const turn = editor.prompt(session, "/thrift");
  await editor.sees(({ message }) => message["method"] === "session/request_permission");
  const question = await shown("decide", run());
  for (const words of ["120 tokens of 100 tokens", ...OPTIONS]) expect(question).toContain(words);
  await shown("decide", run(), "next");
  await turn;
  expect(ends()).toEqual(["spare"]);
  const status = await shown("status", run());
  for (const words of [/used +122 tokens/, /first .*120 tokens/, /second .* 2 tokens/]) expect(status).toMatch(words);
  await editor.leave();
});

test("the next entry goes on at a limit without a question, once (F3)", async () => {
  const file = join(house.cwd, ".troupe", "workflows", "thrift.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("{tokens: 100}", "{tokens: 100, on_budget: fallback_model}"));
  // The second step: weighed, changed over, weighed again, and killed before its work.
  const begun = house.troupe(["run", "thrift", "--trust", "--format", "json"], { TROUPE_FAILPOINT: "work.before:5" });
  expect(await begun.ended).toEqual({ code: null, signal: "SIGKILL" });
  const notices = () => rows().flatMap((row) => (row.type === "notice" ? [row.payload.message] : []));
  const WAY =
    'step "second" goes on with understudy: the budget of workflow "thrift" is spent: 120 tokens of 100 tokens';
  expect(notices()).toEqual([WAY]);
  await house.troupe(["resume", run(), "--recover", "rerun", "--format", "json"]).ended;
  expect(notices()).toEqual([WAY]);
  expect(ends()).toEqual(["spare"]);
  expect(rows().filter(({ type }) => type === "permission.requested")).toEqual([]);
});
