/** Runs over the API: begun, listed, cancelled, also by AWF's names. */
import { describe, expect, test } from "vitest";
import type { Anything } from "../../support/api.ts";
import { storedRows } from "../../support/house.ts";
import { api, house, problem, refusal } from "./api-house.ts";

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
