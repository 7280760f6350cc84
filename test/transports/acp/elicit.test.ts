import { afterEach, beforeEach, expect, test } from "vitest";
import type { Input } from "../../../actors/troupe.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import { Client } from "./support.ts";

const TASK: Input = { name: "task", type: "string", required: true, validation: {} };
const FORMS = { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } };
let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.hangUp());

async function ready(initialize: object) {
  await client.request("i", "initialize", initialize);
  await client.request("n", "session/new", { cwd: "/", mcpServers: [] });
  const session = client.troupe.sessions[0];
  if (session === undefined) throw new Error("no session");
  session.onMissing = { workflow: "demo", inputs: [TASK] };
  session.onPrompt = async () => {
    session.write({ type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } });
    setImmediate(() => session.deliver());
    return { turn: "t" };
  };
  return session;
}
const blocks = [{ type: "text", text: "/demo" }];
const form = () => client.message(({ method }) => method === "elicitation/create");
const END = { result: { stopReason: "end_turn" } };

test("an accepted form's values go with the prompt", async () => {
  const session = await ready(FORMS);
  const answer = client.prompt(1, "/demo");
  const asked = await form();
  expect(asked).toMatchObject({ params: { mode: "form", sessionId: "s1", requestedSchema: { required: ["task"] } } });
  expect(session.calls).toEqual([]);
  client.send({ jsonrpc: "2.0", id: asked["id"], result: { action: "accept", content: { task: "tidy", other: 1 } } });
  expect(await answer).toMatchObject(END);
  expect(session.calls).toEqual([["prompt", { blocks, by: "1", consent: "ask", inputs: { task: "tidy" } }]]);
  expect(faultsOf(client.trace)).toEqual([]);
});

test.each([
  ["declined", { result: { action: "decline" } }],
  ["cancelled", { result: { action: "cancel" } }],
  ["not understood", { error: { code: -32601, message: "no" } }],
])("a form that is %s leaves the prompt as it was", async (_, reply) => {
  const session = await ready(FORMS);
  const answer = client.prompt(1, "/demo");
  const asked = await form();
  client.send({ jsonrpc: "2.0", id: asked["id"], ...reply });
  expect(await answer).toMatchObject(END);
  expect(session.calls).toEqual([["prompt", { blocks, by: "1", consent: "ask" }]]);
});

test("a client that did not say that it shows forms gets none", async () => {
  for (const [id, elicitation] of [
    [1, undefined],
    [2, null],
    [3, { url: {} }],
  ] as const) {
    const one = new Client();
    await one.request("i", "initialize", { protocolVersion: 1, clientCapabilities: { elicitation } });
    await one.request("n", "session/new", { cwd: "/", mcpServers: [] });
    const session = one.troupe.sessions[0];
    if (session === undefined) throw new Error("no session");
    session.onMissing = { workflow: "demo", inputs: [TASK] };
    session.onPrompt = async () => {
      session.write({ type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } });
      setImmediate(() => session.deliver());
      return { turn: "t" };
    };
    expect(await one.prompt(id, "/demo")).toMatchObject(END);
    expect(one.heard.some(({ method }) => method === "elicitation/create")).toBe(false);
    await one.hangUp();
  }
});

test("a cancel while the form is open ends the prompt, and nothing was begun", async () => {
  const session = await ready(FORMS);
  const answer = client.prompt(1, "/demo");
  await form();
  client.notify("session/cancel", { sessionId: "s1" });
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(session.calls).toEqual([["cancel"]]);
  session.onMissing = null;
  expect(await client.prompt(2, "/demo")).toMatchObject(END);
});

test.each(["close", "delete"])("a %s while the form is open ends the prompt, and is answered", async (how) => {
  await ready(FORMS);
  const answer = client.prompt(1, "/demo");
  await form();
  const ended = client.request("d", `session/${how}`, { sessionId: "s1" });
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(await ended).toMatchObject({ result: {} });
});
