/** The API of a real server: what can be asked, what is refused and how, and AWF's names for it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Anything, Api, type Said } from "../../support/api.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

const WORKFLOWS = ["hello", "talk", "gate", "asleep"].map((name) => `acceptance/${name}.yaml`);
const BROKEN = "name: broken\nstates:\n  initial: a\n  a: {type: step, command: ls, on_success: nowhere}\n";
const NEEDY = `name: needy
inputs: [{name: n, type: integer, required: true, validation: {max: 9}}]
states:
  initial: a
  a: {type: step, command: "echo {{.inputs.n}}", on_success: b}
  b: {type: terminal}
`;
const WRITTEN = `name: written
inputs: [{name: api_token, type: string, default: filesecret-99999-ww}]
states:
  initial: a
  a: {type: agent, provider: understudy, prompt: hi, options: {env: {MY_API_KEY: envsecret-88888-vv}}, on_success: b}
  b: {type: terminal}
`;
const WORDY = `name: wordy
states:
  initial: ask
  ask: {type: ask, questions: [{name: note, prompt: What else?}, {name: copies, prompt: How many?, type: integer}], on_success: b}
  b: {type: terminal}
`;
let house: House;
let api: Api;
beforeAll(async () => {
  house = openHouse(WORKFLOWS);
  const folder = join(house.cwd, ".troupe", "workflows");
  writeFileSync(join(folder, "broken.yaml"), BROKEN);
  writeFileSync(join(folder, "needy.yaml"), NEEDY);
  writeFileSync(join(folder, "no name.yaml"), NEEDY);
  writeFileSync(join(folder, "wordy.yaml"), WORDY);
  writeFileSync(
    join(folder, "failing.yaml"),
    NEEDY.replace("name: needy", "name: failing").replace("echo {{.inputs.n}}", "echo {{.inputs.n}} >&2; exit 3"),
  );
  api = new Api(await startServer(house, ["--limit", "bodyBytes=20000"], { TROUPE_TRUST: "1" }));
});
afterAll(() => house.leave());

const refusal = ({ status, type, body }: Said): unknown[] => [status, type, (body as Anything).code];
const problem = (status: number, code: string): unknown[] => [status, "application/problem+json", code];
const parked = async (): Promise<{ run: string; session: string; question: string }> => {
  const { run, session } = await api.start("talk");
  const reader = await api.events(run);
  const { data } = await reader.hears("input.required");
  reader.drop();
  await expect.poll(async () => (await api.run(run)).status).toBe("parked");
  return { run, session, question: (data["payload"] as { input: string }).input };
};

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

describe("a run", () => {
  test("is accepted, told where it is, and has a status and a history", async () => {
    const { status, body, headers } = (await api.post("/api/runs", { workflow: "hello" })) as Anything;
    expect([status, body.status, headers.get("location")]).toEqual([202, "accepted", `/api/runs/${body.run}`]);
    expect(body.events).toBe(`/api/runs/${body.run}/events`);
    await api.whole(body.run);
    expect(await api.run(body.run)).toMatchObject({ id: body.run, status: "completed", exitCode: 0, error: null });
    const { body: listed } = (await api.get("/api/runs?workflow=hello&status=completed&limit=1")) as Anything;
    expect(listed.runs).toMatchObject([{ id: body.run }]);
    const { body: history } = (await api.get("/api/history?workflow=hello")) as Anything;
    expect(history.entries[0]).toMatchObject({ id: body.run, status: "completed" });
    const { body: stats } = (await api.get("/api/history/stats?workflow=hello")) as Anything;
    expect(stats).toMatchObject({ total_executions: 1, completed_count: 1, failed_count: 0 });
  });

  test("that has no end is listed however many have begun after it, one that has by its own state and time", async () => {
    const { run: open } = await api.start("asleep");
    const { run } = await api.start("failing", { inputs: { n: 1 } });
    await api.whole(run);
    const { startedAt } = await api.run(run);
    for (let n = 0; n < 3; n++) await api.whole((await api.start("hello")).run);
    const ids = async (path: string): Promise<string[]> => ((await api.get(path)).body as Anything).runs.map(idOf);
    const idOf = ({ id }: Anything): string => id;
    expect(await ids("/api/runs?open=true&limit=1000")).toContain(open);
    expect(await ids("/api/runs?open=false&limit=1000")).not.toContain(open);
    expect(await ids(`/api/runs?cwd=${encodeURIComponent(house.root)}`)).toEqual([]);
    const time = (at: number): string => encodeURIComponent(new Date(at).toISOString());
    const query = `status=failed&since=${time(startedAt)}&until=${time(startedAt + 1)}&limit=1`;
    expect(((await api.get(`/api/history?${query}`)).body as Anything).entries.map(idOf)).toEqual([run]);
    expect((await api.get(`/api/history/stats?${query}`)).body).toMatchObject({ total_executions: 1, failed_count: 1 });
    expect((await api.get("/api/history?status=running")).body).toEqual({ entries: [] });
    await api.post(`/api/runs/${open}/cancel`);
  });

  test("asked for twice at once is two runs, each with a log of its own", async () => {
    const [a, b] = await Promise.all([api.start("hello"), api.start("hello")]);
    expect([a.run === b.run, a.session === b.session]).toEqual([false, false]);
    const logs = await Promise.all([api.whole(a.run), api.whole(b.run)]);
    expect(logs[0]?.names.filter((name) => name !== "live")).toEqual(logs[1]?.names.filter((name) => name !== "live"));
    for (const { session } of [a, b])
      expect(storedRows(house.store, session).filter(({ type }) => type === "run.started")).toHaveLength(1);
  });

  test("is cancelled once, however often and however many ask at once", async () => {
    const { run, session } = await api.start("asleep");
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(`/api/runs/${run}/cancel`)));
    for (const { status } of answers) expect([202, 204]).toContain(status);
    await api.whole(run);
    expect(await api.run(run)).toMatchObject({ status: "cancelled" });
    expect((await api.post(`/api/runs/${run}/cancel`)).status).toBe(204);
    const ends = storedRows(house.store, session).filter(({ type }) => type === "run.completed");
    expect(ends).toHaveLength(1);
  });

  test("of another process is cancelled from here", async () => {
    for (const cancel of [
      (run: string) => api.post(`/api/runs/${run}/cancel`),
      (run: string) => api.ask("DELETE", `/api/executions/${run}`),
    ]) {
      const other = house.troupe(["run", "asleep", "--trust", "--format", "json"]);
      let run = "";
      for (let n = 1; run === ""; n++) run = (JSON.parse(await other.line(n)) as { run?: string }).run ?? "";
      expect((await cancel(run)).status).toBeLessThan(300);
      expect(await other.ended).toMatchObject({ code: 130 });
      expect(await api.run(run)).toMatchObject({ status: "cancelled" });
      expect((await api.post(`/api/runs/${run}/cancel`)).status).toBe(204);
    }
  });

  test("whose inputs do not fit is refused before it begins", async () => {
    expect(refusal(await api.post("/api/runs", { workflow: "needy" }))).toEqual(problem(400, "USER.INPUT.MISSING"));
    const bad = await api.post("/api/runs", { workflow: "needy", inputs: { n: "seven" } });
    expect(refusal(bad)).toEqual(problem(400, "USER.INPUT.INVALID_FORMAT"));
    const beyond = await api.post("/api/runs", { workflow: "needy", inputs: { n: 70 } });
    expect(refusal(beyond)).toEqual(problem(422, "USER.INPUT.VALIDATION_FAILED"));
    expect(refusal(await api.post("/api/runs", { workflow: "broken" }))[0]).toBe(422);
    const { run } = await api.start("needy", { inputs: { n: 7 } });
    await api.whole(run);
    expect(await api.run(run)).toMatchObject({ status: "completed" });
  });
});

test("what is wrong with a request is said in our words, with each field", async () => {
  const { body } = await api.post("/api/runs", { inputs: [], shell: "rm" });
  const errors = [
    { field: "body.inputs", message: "expected an object" },
    { field: "body.workflow", message: "expected text, and there is none" },
    { field: "body.shell", message: "there is no such field" },
  ];
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  expect(body).toMatchObject({ code: "USER.SERVE.INVALID_REQUEST", detail, errors });
});

describe("an answer", () => {
  test("by values: a name that is not asked for is refused, and answers nothing", async () => {
    const { run } = await api.start("wordy");
    await expect.poll(async () => (await api.run(run)).status).toBe("parked");
    const answer = (values: object): Promise<Said> => api.post(`/api/runs/${run}/answer`, { values });
    const wrong = await answer({ nots: "x", copies: 2 });
    expect(refusal(wrong)).toEqual(problem(400, "USER.SERVE.INVALID_REQUEST"));
    expect((wrong.body as Anything).detail).toBe(
      `values.nots: step "ask" of run ${run} asks for nothing of that name: expected note, copies`,
    );
    expect((await answer({ note: "x", copies: 2 })).status).toBe(202);
    const { events } = await api.whole(run);
    expect(events.filter(({ event }) => event === "input.answered")).toHaveLength(1);

    const talk = await parked();
    const words = await api.post(`/api/runs/${talk.run}/answer`, { values: { text: "x" } });
    expect(refusal(words)).toEqual(problem(400, "USER.SERVE.INVALID_REQUEST"));
    await api.post(`/api/runs/${talk.run}/cancel`);
  });

  test("is taken once; the second one, of two at once too, is refused and changes nothing", async () => {
    const { run, question } = await parked();
    const both = await Promise.all([
      api.post(`/api/runs/${run}/answer`, { text: "one", question }),
      api.post(`/api/runs/${run}/answer`, { text: "two", question }),
    ]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 409]);
    const again = await api.post(`/api/runs/${run}/answer`, { text: "three", question });
    expect(refusal(again)).toEqual(problem(409, "USER.FACADE.DUPLICATE_RESPONSE"));
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
    const events = await api.whole(run);
    const answered = events.events.filter(({ event }) => event === "input.answered");
    expect(answered).toHaveLength(2);
  });
  test("that was not asked for, or to a run that has ended, is refused", async () => {
    const asleep = await api.start("asleep");
    expect(refusal(await api.post(`/api/runs/${asleep.run}/answer`, { text: "x" }))).toEqual(
      problem(409, "USER.FACADE.INPUT_REJECTED"),
    );
    await api.post(`/api/runs/${asleep.run}/cancel`);
    const { run, question } = await parked();
    expect(refusal(await api.post(`/api/runs/${run}/answer`, { text: "x", question: "not-there" }))).toEqual(
      problem(409, "USER.FACADE.INPUT_REJECTED"),
    );
    expect((await api.post(`/api/runs/${run}/cancel`)).status).toBe(202);
    await api.whole(run);
    for (const body of [{ text: "late" }, { text: "late", question }])
      expect(refusal(await api.post(`/api/runs/${run}/answer`, body))).toEqual(
        problem(409, "USER.FACADE.INPUT_REJECTED"),
      );
    expect(await api.run(run)).toMatchObject({ status: "cancelled" });
  });
  test("is text or values: neither, or both, is no answer", async () => {
    const { run, question } = await parked();
    for (const body of [{}, { question }, { text: "x", values: { y: "z" } }])
      expect(refusal(await api.post(`/api/runs/${run}/answer`, body))).toEqual(
        problem(400, "USER.SERVE.INVALID_REQUEST"),
      );
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
  });
  test("that comes with the question, before its turn has ended, is waited with", async () => {
    const { run } = await api.start("talk");
    const reader = await api.events(run);
    const statuses: number[] = [];
    const said: Promise<unknown>[] = [];
    const hear = ({ event }: { event: string }): void => {
      if (event === "input.required")
        said.push(
          api
            .post(`/api/runs/${run}/answer`, { text: said.length < 3 ? "more" : "" })
            .then(({ status }) => statuses.push(status)),
        );
    };
    for (const there of reader.events) hear(there); // they may have come with the head of the answer
    reader.onEvent = hear;
    await reader.ended;
    await Promise.all(said);
    expect(statuses).toEqual([202, 202, 202, 202]);
  });
});

describe("a permission", () => {
  test("is decided once, by one of its options, in its own session", async () => {
    const { run, session } = await api.start("gate");
    const other = await api.start("gate");
    const reader = await api.events(run);
    const { data } = await reader.hears("permission.requested");
    const { permission } = data["payload"] as { permission: string };
    const at = `/api/sessions/${session}/decide`;
    const no = problem(409, "USER.FACADE.INPUT_REJECTED");
    expect(refusal(await api.post(at, { permission, option: "perhaps" }))).toEqual(no);
    expect(refusal(await api.post(at, { permission: "other", option: "allow" }))).toEqual(no);
    expect(refusal(await api.post(`/api/sessions/${other.session}/decide`, { permission, option: "allow" }))).toEqual(
      no,
    );
    const both = await Promise.all([
      api.post(at, { permission, option: "deny" }),
      api.post(`/api/runs/${run}/decide`, { permission, option: "deny" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    await reader.ended;
    expect(refusal(await api.post(at, { permission, option: "allow" }))).toEqual(no);
    await api.post(`/api/runs/${other.run}/cancel`);
  });
});

describe("AWF's clients", () => {
  test("start, list, follow, answer and cancel by its names and bodies", async () => {
    const started = (await api.post("/api/workflows/local/talk/run", { inputs: {} })) as Anything;
    expect(started.status).toBe(202);
    expect(started.body.body).toEqual({ execution_id: started.body.run, status: "accepted" });
    const id = started.body.body.execution_id;
    const events = await api.events(id);
    const { data } = await events.hears("input.required");
    const PromptID = (data["payload"] as { input: string }).input;
    const { body: listed } = (await api.get("/api/executions")) as Anything;
    expect(listed.body.executions).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ execution_id: id, workflow_name: "talk", status: "running" })]),
    );
    const respond = (Value: string, prompt = PromptID) =>
      api.post(`/api/executions/${id}/respond`, { response: { PromptID: prompt, Value } });
    expect((await respond("Ann")).status).toBe(204);
    expect(refusal(await respond("Bob"))).toEqual(problem(409, "USER.FACADE.DUPLICATE_RESPONSE"));
    expect((await respond("", "")).status).toBe(204);
    await events.ended;
    const { body: one } = (await api.get(`/api/executions/${id}`)) as Anything;
    expect(one.body).toMatchObject({ execution_id: id, status: "success" });
    expect((await api.ask("DELETE", `/api/executions/${id}`)).status).toBe(204);
    expect((await api.ask("DELETE", "/api/executions/not-there")).status).toBe(204);
    expect(refusal(await api.post(`/api/executions/${id}/resume`, {}))).toEqual(problem(409, "USER.RUN.NOT_RESUMABLE"));
    const document = (await api.get("/openapi.json")) as Anything;
    expect(document.body.openapi).toBe("3.1.0");
    expect((await api.get("/docs")).type).toBe("text/html");
  });
});

describe("what does not fit is a problem", () => {
  const post = (path: string, body: unknown, headers?: { [name: string]: string }) =>
    api.ask("POST", path, body, headers);
  test.each<[string, () => Promise<Said>, number, string]>([
    ["a path that is not there", () => api.get("/api/nothing"), 404, "USER.SERVE.NO_SUCH_PATH"],
    ["a path like one that is there", () => api.get("/api/openapiXjson"), 404, "USER.SERVE.NO_SUCH_PATH"],
    ["another method", () => api.ask("DELETE", "/api/runs"), 405, "USER.SERVE.METHOD"],
    ["a run that is not there", () => api.get("/api/runs/nope"), 404, "USER.RUN.NOT_FOUND"],
    ["its events", () => api.get("/api/runs/nope/events"), 404, "USER.RUN.NOT_FOUND"],
    ["a session that is not there", () => api.get("/api/sessions/nope/events"), 404, "USER.SESSION.UNKNOWN"],
    [
      "its permissions",
      () => post("/api/sessions/nope/decide", { permission: "p", option: null }),
      404,
      "USER.SESSION.UNKNOWN",
    ],
    ["no JSON", () => post("/api/runs", "{nope"), 400, "USER.SERVE.INVALID_REQUEST"],
    [
      "another type",
      () => post("/api/runs", "workflow=hello", { "content-type": "text/plain" }),
      415,
      "USER.SERVE.MEDIA_TYPE",
    ],
    [
      "a packed body",
      () => post("/api/runs", { workflow: "hello" }, { "content-encoding": "gzip" }),
      415,
      "USER.SERVE.MEDIA_TYPE",
    ],
    ["an array", () => post("/api/runs", []), 400, "USER.SERVE.INVALID_REQUEST"],
    [
      "an unknown field",
      () => post("/api/runs", { workflow: "hello", shell: "rm" }),
      400,
      "USER.SERVE.INVALID_REQUEST",
    ],
    ["an unknown question", () => api.get("/api/runs?colour=red"), 400, "USER.SERVE.INVALID_REQUEST"],
    ["a limit that is none", () => api.get("/api/runs?limit=many"), 400, "USER.SERVE.INVALID_REQUEST"],
    ["a limit that is given twice", () => api.get("/api/runs?limit=1&limit=2"), 400, "USER.SERVE.INVALID_REQUEST"],
    ["a status that is none", () => api.get("/api/history?status=nonsense"), 400, "USER.SERVE.INVALID_REQUEST"],
    [
      "a name that no schema sees",
      () => post("/api/runs", '{"workflow": "hello", "inputs": {"__proto__": "x"}}'),
      400,
      "USER.SERVE.INVALID_REQUEST",
    ],
    [
      "the same name, written in codes",
      () => post("/api/runs", '{"workflow": "hello", "inputs": {"_\\u005fpr\\u006Fto__": "x"}}'),
      400,
      "USER.SERVE.INVALID_REQUEST",
    ],
    ["a relative directory", () => api.get("/api/workflows?cwd=work"), 400, "USER.SERVE.INVALID_REQUEST"],
    ["a directory with a zero byte", () => api.get("/api/workflows?cwd=%2Fa%00b"), 400, "USER.SESSION.CWD"],
    [
      "a directory that is not there",
      () => post("/api/runs", { workflow: "hello", cwd: "/not/there" }),
      400,
      "USER.SESSION.CWD",
    ],
    [
      "a workflow that is not there",
      () => post("/api/runs", { workflow: "nope" }),
      404,
      "USER.FACADE.WORKFLOW_NOT_FOUND",
    ],
    [
      "a resume of what has not been cut off",
      async () => {
        const { run } = await api.start("hello");
        await api.whole(run);
        return api.post(`/api/runs/${run}/resume`);
      },
      409,
      "USER.RUN.NOT_RESUMABLE",
    ],
    [
      "a body that is too long",
      () => post("/api/runs", { workflow: "x".repeat(30_000) }),
      413,
      "USER.PROMPT.TOO_LARGE",
    ],
  ])("%s", async (_, ask, status, code) => {
    const said = await ask();
    expect(refusal(said)).toEqual(problem(status, code));
    const { type, title, status: told, detail } = said.body as Anything;
    expect([type, told]).toEqual([`urn:troupe:error:${code}`, status]);
    expect([title, detail]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  });
  test("a resume of a run that waits for an answer says what it waits for, and takes no budget", async () => {
    const { run, question } = await parked();
    const { questions } = await api.run(run);
    const resumed = await api.post(`/api/runs/${run}/resume`);
    expect([resumed.status, resumed.body]).toMatchObject([200, { run, status: "parked", questions }]);
    const raised = await api.post(`/api/runs/${run}/resume`, { budget: { tokens: 5 } });
    expect(refusal(raised)).toEqual(problem(409, "USER.RUN.NOT_RESUMABLE"));
    expect(await api.run(run)).toMatchObject({ status: "parked", questions: [{ input: question }] });
  });
  test("each field is named, and the methods of a path", async () => {
    const { body } = await api.post("/api/runs", { workflow: 7, inputs: [] });
    expect((body as Anything).errors.map(({ field }: Anything) => field).sort()).toEqual([
      "body.inputs",
      "body.workflow",
    ]);
    expect((await api.ask("PUT", "/api/runs", {})).headers.get("allow")).toBe("GET, POST");
  });
  test("what is wrong with a budget's time is said in words", async () => {
    const { body } = await api.post("/api/runs", { workflow: "hello", budget: { time: "soon" } });
    expect((body as Anything).detail).toBe("body.budget.time: expected a time, such as 30m or 1h30m");
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
