/**
 * Runs as tasks, for a host that takes the extension: in JSON-RPC itself, since the official client takes none.
 *
 * M1. A call answers with a task whose id is the run's; it is asked about, answered and cancelled by that id.
 * M2. After `kill -9` of the server another one knows the task.
 * M3. A host that has not said so gets no task.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { INFO, trust } from "../support/mcp-host.ts";
import type { Started } from "../support/started.ts";

const META = "io.modelcontextprotocol";
type Fields = { [name: string]: unknown };
let house: House;
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml", "acceptance/stubborn.yaml"]);
  await trust(house, "hello");
});
afterEach(() => house.leave());

class Wire {
  readonly process: Started = house.troupe(["mcp"]);
  #id = 0;
  #seen = 0;

  async ask(method: string, params: Fields, extensions: Fields = { [`${META}/tasks`]: {} }): Promise<Fields> {
    const id = ++this.#id;
    const clientCapabilities = { elicitation: { form: {} }, extensions };
    const envelope = { protocolVersion: "2026-07-28", clientInfo: INFO, clientCapabilities };
    const _meta = Object.fromEntries(Object.entries(envelope).map(([name, value]) => [`${META}/${name}`, value]));
    this.process.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } })}\n`);
    for (;;) {
      const message = JSON.parse(await this.process.line(++this.#seen)) as Fields;
      if (message["id"] === id) return (message["result"] ?? { error: message["error"] }) as Fields;
    }
  }
  async until(taskId: unknown, status: string): Promise<Fields> {
    for (;;) {
      const task = await this.ask("tasks/get", { taskId });
      if (task["status"] === status) return task;
    }
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

test("a host that takes no tasks gets the result (M3)", async () => {
  const wire = new Wire();
  expect(await wire.ask("tools/call", { name: "hello", arguments: {} }, {})).toMatchObject({
    resultType: "complete",
    structuredContent: { status: "completed" },
  });
});
