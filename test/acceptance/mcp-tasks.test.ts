/**
 * Runs as tasks, for a host that takes the extension. In plain JSON-RPC, since the official client takes no tasks.
 *
 * M1. A call answers with a task whose id is the run's. By that id it is asked about, answered and cancelled.
 * M2. After `kill -9` of the server another one knows the task.
 * M3. A host that has not announced the extension gets no task.
 * M4. A listener of a task hears its present state and every change, also through another server than the one that
 *     runs it.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { INFO, trust } from "../support/mcp-host.ts";
import { startServer } from "../support/server.ts";
import type { Started } from "../support/started.ts";

const META = "io.modelcontextprotocol";
type Fields = { [name: string]: unknown };
let house: House;
beforeEach(async () => {
  house = openHouse([
    "acceptance/hello.yaml",
    "acceptance/talk.yaml",
    "acceptance/stubborn.yaml",
    "acceptance/gate.yaml",
  ]);
  await trust(house, "hello");
});
afterEach(() => house.leave());

const TAKES = { [`${META}/tasks`]: {} };
const envelopeOf = (extensions: Fields): Fields =>
  Object.fromEntries(
    Object.entries({
      protocolVersion: "2026-07-28",
      clientInfo: INFO,
      clientCapabilities: { elicitation: { form: {} }, extensions },
    }).map(([name, value]) => [`${META}/${name}`, value]),
  );

class Wire {
  readonly process: Started = house.troupe(["mcp"]);
  #id = 0;
  #seen = 0;
  readonly #told: Fields[] = [];

  send(method: string, params: Fields, extensions: Fields = TAKES): number {
    const id = ++this.#id;
    const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: envelopeOf(extensions) } };
    this.process.child.stdin.write(`${JSON.stringify(message)}\n`);
    return id;
  }
  async ask(method: string, params: Fields, extensions: Fields = TAKES): Promise<Fields> {
    const id = this.send(method, params, extensions);
    for (;;) {
      const message = await this.#next();
      if (message["id"] === id) return (message["result"] ?? { error: message["error"] }) as Fields;
      this.#told.push(message);
    }
  }
  /** The next notification's method and parameters. */
  async told(): Promise<{ method: string; params: Fields }> {
    return (this.#told.shift() ?? (await this.#next())) as { method: string; params: Fields };
  }
  /** Listens to a task; resolves once the server has acknowledged that. */
  async listen(taskIds: unknown[]): Promise<{ id: number; heard: unknown }> {
    const id = this.send("subscriptions/listen", { notifications: { taskIds } });
    const { method, params } = await this.told();
    expect(method).toBe("notifications/subscriptions/acknowledged");
    return { id, heard: params["notifications"] };
  }
  async until(taskId: unknown, status: string): Promise<Fields> {
    for (;;) {
      const task = await this.ask("tasks/get", { taskId });
      if (task["status"] === status) return task;
    }
  }
  async #next(): Promise<Fields> {
    return JSON.parse(await this.process.line(++this.#seen)) as Fields;
  }
}

test("a task parks, is answered through another server after a crash, and ends (M1, M2)", async () => {
  const first = new Wire();
  const task = await first.ask("tools/call", { name: "talk", arguments: {} });
  expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
  const { taskId } = task;
  const asked = await first.until(taskId, "input_required");
  const [key = ""] = Object.keys(asked["inputRequests"] as Fields);
  expect(asked["inputRequests"]).toMatchObject({ [key]: { method: "elicitation/create" } });
  first.process.kill();
  await first.process.ended;

  const second = new Wire();
  const answer = (text: string, to: string) =>
    second.ask("tasks/update", { taskId, inputResponses: { [to]: { action: "accept", content: { answer: text } } } });
  await second.ask("tasks/update", { taskId, inputResponses: { [key]: { action: "decline" } } });
  expect(await second.ask("tasks/get", { taskId })).toMatchObject({ status: "input_required" });
  expect(await answer("Ann", key)).toMatchObject({ resultType: "complete" });
  const again = await second.until(taskId, "input_required");
  const [next = ""] = Object.keys(again["inputRequests"] as Fields);
  expect(next).not.toBe(key);
  const times = [asked["createdAt"], asked["lastUpdatedAt"], again["lastUpdatedAt"]].map((time) =>
    Date.parse(`${time}`),
  );
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
  await answer("", next);
  expect(await second.until(taskId, "completed")).toMatchObject({
    result: { structuredContent: { run: taskId, status: "completed", message: "bye" } },
  });
});

test("a task that a crash cut off is cancelled by another server; an unknown one is an error (M1, M2)", async () => {
  const first = new Wire();
  const { taskId } = await first.ask("tools/call", { name: "stubborn", arguments: {} });
  first.process.kill();
  await first.process.ended;
  const second = new Wire();
  expect(await second.ask("tasks/get", { taskId })).toMatchObject({
    statusMessage: expect.stringMatching(/interrupted/),
  });
  await second.ask("tasks/cancel", { taskId });
  expect(await second.ask("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
  expect(await second.ask("tasks/get", { taskId: "nobody" })).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/USER.RUN.NOT_FOUND/) },
  });
});

test("a decision that was not offered is refused, and says what is (M1)", async () => {
  const wire = new Wire();
  const { taskId } = await wire.ask("tools/call", { name: "gate", arguments: {} });
  const [key = ""] = Object.keys((await wire.until(taskId, "input_required"))["inputRequests"] as Fields);
  const decide = (decision?: string | number) =>
    wire.ask("tasks/update", { taskId, inputResponses: { [key]: { action: "accept", content: { decision } } } });
  for (const none of ["maybe", undefined, 1])
    expect(await decide(none)).toMatchObject({
      error: { message: expect.stringContaining("expected one of allow") },
    });
  await decide("allow");
  await wire.until(taskId, "completed");
});

test("a host that takes no tasks gets the result (M3)", async () => {
  const wire = new Wire();
  expect(await wire.ask("tools/call", { name: "hello", arguments: {} }, {})).toMatchObject({
    resultType: "complete",
    structuredContent: { status: "completed" },
  });
});

test("a listener hears at once how a task stands, and then every change, through any server (M2, M4)", async () => {
  const first = new Wire();
  const { taskId } = await first.ask("tools/call", { name: "talk", arguments: {} });
  const second = new Wire();
  const { id, heard } = await second.listen([taskId, "nobody"]);
  expect(heard).toEqual({ taskIds: [taskId] });
  const last = new Map<Wire, string>();
  const until = async (wire: Wire, status: string): Promise<Fields> => {
    for (;;) {
      const { method, params } = await wire.told();
      expect(method).toBe("notifications/tasks");
      const told = JSON.stringify({ ...params, lastUpdatedAt: null });
      expect(told).not.toBe(last.get(wire)); // nothing is said twice
      last.set(wire, told);
      if (params["status"] === status) return params;
    }
  };
  const asked = await until(second, "input_required");
  expect(asked).toMatchObject({ taskId, _meta: { [`${META}/subscriptionId`]: id } });
  const { _meta: _of, ...task } = asked;
  const { resultType: _type, _meta: _info, ...same } = await second.ask("tasks/get", { taskId });
  expect(task).toEqual(same);
  // The server that ran it dies. Another one takes the answers, and listeners at other servers hear of it.
  first.process.kill();
  await first.process.ended;
  const third = new Wire();
  await third.listen([taskId]);
  expect(await until(third, "input_required")).toMatchObject({ inputRequests: asked["inputRequests"] });
  const answer = (key: string, text: string) =>
    third.ask("tasks/update", { taskId, inputResponses: { [key]: { action: "accept", content: { answer: text } } } });
  const keyOf = (one: Fields): string => Object.keys(one["inputRequests"] as Fields)[0] ?? "";
  await answer(keyOf(asked), "Ann");
  let next = await until(second, "input_required");
  while (keyOf(next) === keyOf(asked)) next = await until(second, "input_required");
  await answer(keyOf(next), "");
  for (const wire of [second, third])
    expect(await until(wire, "completed")).toMatchObject({
      result: { structuredContent: { run: taskId, status: "completed", message: "bye" } },
    });
});

test("a host that takes no tasks gets an error that says so, for any request about one (M3)", async () => {
  const wire = new Wire();
  const { taskId } = await wire.ask("tools/call", { name: "hello", arguments: {} });
  for (const [method, params] of [
    ["tasks/get", { taskId }],
    ["tasks/update", { taskId, inputResponses: {} }],
    ["tasks/cancel", { taskId }],
    ["subscriptions/listen", { notifications: { taskIds: [taskId] } }],
  ] as const)
    expect([method, await wire.ask(method, params, {})]).toMatchObject([
      method,
      { error: { code: -32021, data: { requiredCapabilities: { extensions: TAKES } } } },
    ]);
});

test("over HTTP a task is listened to as well, alone or beside other subscriptions (M4)", async () => {
  const server = await startServer(house);
  const post = (id: number, method: string, params: Fields, extensions: Fields = TAKES, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: envelopeOf(extensions) } }),
      ...(signal === undefined ? {} : { signal }),
    });
  const created = (await (await post(1, "tools/call", { name: "talk", arguments: {} })).text()).match(/\{.*\}/s)?.[0];
  const { taskId } = JSON.parse(created ?? "").result as Fields;
  const lost = await post(2, "subscriptions/listen", { notifications: { taskIds: [taskId] } }, {});
  expect(await lost.json()).toMatchObject({ error: { code: -32021 } });
  for (const [id, filter, heard] of [
    [3, { taskIds: [taskId] }, { taskIds: [taskId] }],
    [4, { taskIds: [taskId], toolsListChanged: true }, { taskIds: [taskId], toolsListChanged: true }],
  ] as const) {
    const leaving = new AbortController();
    const { body } = await post(id, "subscriptions/listen", { notifications: filter }, TAKES, leaving.signal);
    const messages: { method: string; params: Fields }[] = [];
    let text = "";
    for await (const bytes of body ?? []) {
      text += new TextDecoder().decode(bytes);
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      messages.push(...frames.map((frame) => JSON.parse(frame.slice(frame.indexOf("{"))) as (typeof messages)[number]));
      if (messages.at(-1)?.params["status"] === "input_required") break;
    }
    leaving.abort();
    expect(messages[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: heard },
    });
    expect(Object.keys(messages[0]?.params["notifications"] as Fields).sort()).toEqual(Object.keys(heard).sort());
    expect(new Set(messages.slice(1).map(({ method }) => method))).toEqual(new Set(["notifications/tasks"]));
  }
});
