/** The API of a real server: workflows, the tree of a run, and the directory that is meant. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Anything, Api } from "../../support/api.ts";
import { openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { api, house, NEEDY, problem, refusal } from "./api-house.ts";

const WRITTEN = `name: written
inputs: [{name: api_token, type: string, default: filesecret-99999-ww}]
states:
  initial: a
  a: {type: agent, provider: understudy, prompt: hi, options: {env: {MY_API_KEY: envsecret-88888-vv}}, on_success: b}
  b: {type: terminal}
`;

describe("workflows", () => {
  test("all are listed, broken ones with what is wrong", async () => {
    const { status, body } = (await api.get("/api/workflows")) as Anything;
    expect(status).toBe(200);
    const found = body.workflows.map(({ id, scope, fault }: Anything) => [id, scope, fault?.code ?? null]);
    expect(found).toEqual(expect.arrayContaining([["hello", "local", null]]));
    expect(Object.keys(body).sort()).toEqual(["warnings", "workflows"]);
    expect(body.warnings).toEqual([expect.stringContaining('no name.yaml" is skipped')]);
  });
  test("one is shown as it was read, one that is not there is a 404", async () => {
    const { body } = (await api.get("/api/workflows/local/hello")) as Anything;
    expect(body).toMatchObject({ id: "hello", workflow: { name: "hello" } });
    expect(Object.keys(body)).not.toContain("body");
    expect(refusal(await api.get("/api/workflows/local/nothing"))).toEqual(
      problem(404, "USER.FACADE.WORKFLOW_NOT_FOUND"),
    );
    expect(refusal(await api.get("/api/workflows/nopack/hello"))).toEqual(problem(404, "USER.FACADE.PACK_NOT_FOUND"));
  });
  test("what its file writes out of secrets is shown to nobody", async () => {
    const file = join(house.cwd, ".troupe", "workflows", "written.yaml");
    writeFileSync(file, WRITTEN);
    for (const [method, path] of [["get", ""] as const, ["post", "/validate"] as const]) {
      const { status, body } = await api[method](`/api/workflows/local/written${path}`);
      expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringMatching(/filesecret|envsecret/)]);
    }
    const { body } = (await api.get("/api/workflows/local/written")) as Anything;
    expect(body.workflow.inputs[0]).toMatchObject({ name: "api_token", default: "***" });
    expect(body.source).toContain("MY_API_KEY: ***");
    rmSync(file);
  });
  test("validate tells 404 from 422, and a good one from both", async () => {
    const good = await api.post("/api/workflows/local/hello/validate");
    expect([good.status, good.body]).toMatchObject([200, { valid: true, body: { errors: [] } }]);
    const missing = await api.post("/api/workflows/local/nothing/validate");
    expect(refusal(missing)).toEqual(problem(404, "USER.FACADE.WORKFLOW_NOT_FOUND"));
    const broken = await api.post("/api/workflows/local/broken/validate");
    expect(refusal(broken)).toEqual(problem(422, "WORKFLOW.VALIDATION.FAILED"));
    expect(broken.body).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ severity: "error", line: 4 })]),
      body: { errors: expect.arrayContaining([expect.stringContaining("nowhere")]) },
    });
  });
  test.each(["..%2f..%2fetc", "a%00b", "hello.yaml", "x".repeat(300)])("a file's path is no name: %s", async (name) => {
    expect(refusal(await api.get(`/api/workflows/local/${name}`))).toEqual(
      problem(400, "USER.FACADE.IDENTIFIER_MALFORMED"),
    );
  });
});

test("with no one to ask, a directory that is not trusted runs nothing; a client that decides is asked", async () => {
  const wary = openHouse(["acceptance/hello.yaml"]);
  try {
    const other = new Api(await startServer(wary));
    const refused = await other.post("/api/runs", { workflow: "hello" });
    expect(refusal(refused)).toEqual(problem(403, "USER.TRUST.REQUIRED"));
    expect((refused.body as { detail: string }).detail).toMatch(
      /not trusted yet.*; with "consent": "ask" the run waits until the user of this machine has decided$/,
    );
    const asks = await other.start("hello", { consent: "ask" });
    const events = await other.sessionEvents(asks.session);
    const { data } = await events.hears("permission.requested");
    const { permission, options } = data["payload"] as { permission: string; options: { id: string; kind: string }[] };
    const option = options.find(({ kind }) => kind.startsWith("allow"))?.id;
    expect((await other.post(`/api/sessions/${asks.session}/decide`, { permission, option })).status).toBe(204);
    await events.hears("run.completed");
    events.drop();
    expect(await other.run(asks.run)).toMatchObject({ status: "completed" });
  } finally {
    await wary.leave();
  }
});

test("a directory of its own may be named", async () => {
  const elsewhere = join(house.root, "elsewhere");
  mkdirSync(join(elsewhere, ".troupe", "workflows"), { recursive: true });
  writeFileSync(join(elsewhere, ".troupe", "workflows", "there.yaml"), NEEDY.replace("needy", "there"));
  const { run } = await api.start("there", { cwd: elsewhere, inputs: { n: 1 } });
  await api.whole(run);
  expect(await api.run(run)).toMatchObject({ status: "completed", cwd: elsewhere });
});

test("a directory in the query of a start is refused and starts nothing (I3)", async () => {
  const before = (await api.get("/api/runs?limit=1")).body;
  const at = `cwd=${encodeURIComponent(house.root)}`;
  for (const [path, body] of [
    [`/api/workflows/local/hello/run?${at}`, {}],
    [`/api/runs?${at}`, { workflow: "hello" }],
  ] as const) {
    const said = await api.post(path, body);
    expect(refusal(said)).toEqual(problem(400, "USER.SERVE.INVALID_REQUEST"));
    expect((said.body as Anything).detail).toContain("cwd");
  }
  expect((await api.get("/api/runs?limit=1")).body).toEqual(before);
});

test("the steps of a run are a tree, with what it waits for, or what it failed of", async () => {
  const { run } = await api.start("failing", { inputs: { n: 4 } });
  await api.whole(run);
  const { status, body } = (await api.get(`/api/runs/${run}/steps`)) as Anything;
  expect([status, body.current]).toEqual([200, []]);
  expect(body.steps).toMatchObject([{ address: "a", state: "failed", exitCode: 3, attempts: 1, steps: [] }]);
  expect(body.failed).toMatchObject([{ address: "a", exitCode: 3, stderr: ["4"], stdout: [] }]);
  const gate = await api.start("gate");
  const events = await api.events(gate.run);
  const { data } = await events.hears("permission.requested");
  events.drop();
  const open = (await api.get(`/api/runs/${gate.run}/steps`)).body as Anything;
  expect(open.steps.at(-1)).toMatchObject({
    state: "waiting",
    waitsFor: [{ type: "permission", id: (data["payload"] as Anything).permission }],
  });
  expect((await api.get("/api/runs?status=waiting")).body).toMatchObject({
    runs: [{ id: gate.run, status: "waiting" }],
  });
  await api.post(`/api/runs/${gate.run}/cancel`);
  expect(refusal(await api.get("/api/runs/nope/steps"))).toEqual(problem(404, "USER.RUN.NOT_FOUND"));
});
