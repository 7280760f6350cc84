/** What the API refuses, and how it says what is wrong. */
import { describe, expect, test } from "vitest";
import type { Anything, Said } from "../../support/api.ts";
import { api, parked, problem, refusal } from "./api-house.ts";

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

describe("what does not fit is a problem", () => {
  const post = (path: string, body: unknown, headers?: { [name: string]: string }) =>
    api.ask("POST", path, body, headers);
  test.each<[string, () => Promise<Said>, number, string]>([
    ["a path that is not there", () => api.get("/api/nothing"), 404, "USER.SERVE.NO_SUCH_PATH"],
    ["a path like one that is there", () => api.get("/api/openapiXjson"), 404, "USER.SERVE.NO_SUCH_PATH"],
    ["another method", () => api.ask("DELETE", "/api/runs"), 405, "USER.SERVE.METHOD"],
    ["a path below one that has none", () => api.post("/mcp/x"), 404, "USER.SERVE.NO_SUCH_PATH"],
    ["a path below that of sockets", () => api.post("/acp/x"), 404, "USER.SERVE.NO_SUCH_PATH"],
    ["a path below a sign of life", () => api.get("/healthz/x"), 404, "USER.SERVE.NO_SUCH_PATH"],
    [
      "a body where none is taken",
      () => post("/api/workflows/local/hello/validate", { inputs: {} }),
      400,
      "USER.SERVE.INVALID_REQUEST",
    ],
    ["what is no JSON there", () => post("/api/runs/nope/cancel", "{"), 400, "USER.SERVE.INVALID_REQUEST"],
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
  test("a rerun beside a run of its session that waits, and how that one is answered or ended here", async () => {
    const { run } = await parked();
    await api.post(`/api/runs/${run}/answer`, { text: "" });
    await expect.poll(async () => (await api.run(run)).status).toBe("completed");
    const again = (await api.post(`/api/runs/${run}/rerun`, {})).body as Anything;
    await expect.poll(async () => (await api.run(again.run)).status).toBe("parked");
    const refused = await api.post(`/api/runs/${run}/rerun`, {});
    expect(refusal(refused)).toEqual(problem(409, "USER.RUN.PARKED"));
    expect((refused.body as Anything).detail).toContain(" Over this API POST /api/runs/{run}/answer answers");
  });
  test("each field is named, and the methods of a path", async () => {
    const { body } = await api.post("/api/runs", { workflow: 7, inputs: [] });
    expect((body as Anything).errors.map(({ field }: Anything) => field).sort()).toEqual([
      "body.inputs",
      "body.workflow",
    ]);
    expect((await api.ask("PUT", "/api/runs", {})).headers.get("allow")).toBe("GET, HEAD, POST");
  });
  test("what is wrong with a budget's time is said in words", async () => {
    const { body } = await api.post("/api/runs", { workflow: "hello", budget: { time: "soon" } });
    expect((body as Anything).detail).toBe("body.budget.time: expected a time, such as 30m or 1h30m");
  });
});
