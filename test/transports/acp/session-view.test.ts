/** What a session's view does between prompts, over a played facade. */
import { setImmediate as tick } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { saidIn } from "../../support/acp-editor.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import { Client } from "./support.ts";

const ended = (turn = "t"): Row => ({ type: "turn.completed", payload: { turn, stopReason: "end_turn" } });
const asked: Row = {
  type: "permission.requested",
  payload: {
    ...{ permission: "p", title: "Run it?", kind: "execute", message: "m" },
    options: [{ id: "allow", name: "Run it", kind: "allow_once" }],
  },
};

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(async () => {
  await client.hangUp();
  expect(faultsOf(client.trace, ["agent"])).toEqual([]);
});

test.each([
  ["allowed", { outcome: "selected", optionId: "allow" }],
  ["dismissed", { outcome: "cancelled" }],
])("an old question that is %s while its run is resumed is no answer to the new one (I3)", async (_, outcome) => {
  const isAsked = ({ method }: { [name: string]: unknown }): boolean => method === "session/request_permission";
  const session = await client.ready();
  const loading = client.request(1, "session/load", { sessionId: "s1", cwd: "/", mcpServers: [] });
  await expect.poll(() => session.followers).toBe(1);
  session.deliver();
  await loading;
  const first = client.prompt(2, "/demo");
  await expect.poll(() => session.calls.at(-1)?.[0]).toBe("prompt");
  session.write(ended());
  session.deliver();
  await first;
  session.write(asked);
  session.deliver();
  const { id } = await client.message(isAsked);

  const second = client.prompt(3, "go on");
  await expect.poll(() => session.calls.at(-1)).toMatchObject(["prompt", { blocks: [{ text: "go on" }] }]);
  client.send({ jsonrpc: "2.0", id, result: { outcome } });
  session.write(asked);
  session.deliver();
  const { id: again } = await client.message((one) => isAsked(one) && one["id"] !== id);
  client.send({ jsonrpc: "2.0", id: again, result: { outcome: { outcome: "selected", optionId: "allow" } } });
  await client.request(4, "session/list", {}); // both answers were read before it
  await tick();
  session.write(ended());
  session.deliver();
  await second;
  expect(session.calls.filter(([call]) => call === "decide")).toEqual([["decide", "p", "allow"]]);
});

test("what another turn says behind the prompt's own words is a paragraph before what this one says", async () => {
  const words = (turn: string): Row[] => [
    { type: "turn.started", payload: { turn } },
    { type: "message.user", payload: { turn, blocks: [{ type: "text", text: turn }] } },
  ];
  const run = (id: string, message: string): Row[] => [
    { type: "run.started", run: id, payload: { workflow: "w", plan: [], inputs: {} } },
    { type: "run.completed", run: id, payload: { workflow: "w", status: "completed", exitCode: 0, message } },
  ];
  const session = await client.ready();
  session.write(...words("other"));
  const loading = client.request(1, "session/load", { sessionId: "s1", cwd: "/", mcpServers: [] });
  await expect.poll(() => session.followers).toBe(1);
  session.deliver();
  await loading;
  const prompted = client.prompt(2, "go on");
  await expect.poll(() => session.calls.at(-1)?.[0]).toBe("prompt");
  session.write(...run("r1", "One."), ended("other"), ...words("t"), ...run("r2", "Two."), ended());
  session.deliver();
  await prompted;
  const next = client.prompt(3, "and on");
  await expect.poll(() => session.calls.filter(([call]) => call === "prompt")).toHaveLength(2);
  session.write(...words("t"), ...run("r3", "Three."), ended());
  session.deliver();
  await next;
  expect(saidIn(client.trace)).toBe("One.\n\nTwo.Three.");
});

test("a prompt that cannot be shown is answered with why, and keeps no later one out", async () => {
  const session = await client.ready();
  const since = session.since.bind(session);
  session.since = () => {
    throw new Error("disk I/O error");
  };
  expect(await client.prompt(2, "/demo")).toMatchObject({ error: { code: -32603 } });
  session.since = since;
  const second = client.prompt(3, "/demo");
  await expect.poll(() => session.calls.at(-1)?.[0]).toBe("prompt");
  session.write(ended());
  session.deliver();
  expect(await second).toMatchObject({ result: { stopReason: "end_turn" } });
});
