/**
 * The questions of an `ask` step in a real program.
 *
 * A1. An editor that shows forms gets a form before its prompt is answered. A form that lacks an answer is shown again
 *     with the answers it has. What is answered elsewhere meanwhile is shown there; its own answers are not repeated.
 * A2. As text, each prompt is one answer. `kill -9` between two answers loses none, and another process asks the rest.
 * A3. Where no one can be asked, defaults answer if every question has one. Otherwise the run parks.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Editor, saidIn, updatesOf } from "../support/acp-editor.ts";
import type { Sent } from "../support/acp-schema.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/asks.yaml"]);
});
afterAll(() => house.leave());

const ran = async (args: string[]): Promise<{ code: number | null; said: string }> => {
  const started = house.troupe(args);
  const { code } = await started.ended;
  return { code, said: `${started.lines.join("\n")}\n${started.stderr}` };
};

test("A1: questions come as a form, which comes back until it is complete", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } });
  const session = await editor.open(house.cwd);
  const ended = editor.prompt(session, "/asks");
  let seen = 0;
  for (const content of [{ bump: "minor" }, { bump: "minor", who: "Ann" }]) {
    const form = await editor.sees(({ message }) => message["method"] === "elicitation/create", seen);
    seen = editor.trace.indexOf(form) + 1;
    expect(form.message).toMatchObject({ params: { mode: "form", requestedSchema: { required: ["who"] } } });
    editor.send({ jsonrpc: "2.0", id: form.message["id"], result: { action: "accept", content } });
  }
  expect(await ended).toMatchObject({ result: { stopReason: "end_turn" } });
  await editor.hears("minor by Ann");
  const asked = editor.prompt(session, "/asks");
  await editor.sees(({ message }) => message["method"] === "elicitation/create", seen);
  editor.notify("session/cancel", { sessionId: session });
  const error = { code: "EXECUTION.RUN.CANCELLED" };
  expect(await asked).toMatchObject({ result: { stopReason: "cancelled", _meta: { "troupe/error": error } } });

  // A prompt that is taken back is answered after its last update.
  const from = editor.trace.length;
  const taken = editor.prompt(session, "/asks");
  await editor.sees(({ message }) => message["method"] === "elicitation/create", from);
  editor.notify("$/cancel_request", { requestId: editor.trace[from]?.message["id"] });
  expect(await taken).toMatchObject({ error: { code: -32800 } });
  expect(saidIn(editor.trace.slice(from))).toMatch(/was cancelled\.$/);
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
});

test("A1: what is answered elsewhere while a form is open is shown, and its own answers are not", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } });
  const session = await editor.open(house.cwd);
  const echoed = () =>
    updatesOf(editor.trace)
      .filter(({ update }) => update["sessionUpdate"] === "user_message_chunk")
      .map(({ update }) => (update["content"] as { text: string }).text);
  const isForm = ({ message }: Sent): boolean => message["method"] === "elicitation/create";
  const own = editor.prompt(session, "/asks");
  const { message } = await editor.sees(isForm);
  const content = { bump: "minor", who: "Ann" };
  editor.send({ jsonrpc: "2.0", id: message["id"], result: { action: "accept", content } });
  expect(await own).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(echoed()).toEqual([]);

  const from = editor.trace.length;
  const asked = editor.prompt(session, "/asks");
  await editor.sees(isForm, from);
  const run = storedRows(house.store, session).findLast(({ type }) => type === "run.started")?.run ?? "";
  const words = '{"bump":"patch","who":"Bob"}';
  expect(await ran(["decide", run, words])).toMatchObject({ code: 0 });
  expect(await asked).toMatchObject({ result: { stopReason: "end_turn" } });
  await editor.hears("patch by Bob");
  expect(echoed()).toEqual([words]);
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
});

test("A2: questions come as text, through a kill -9, and then by `troupe decide`", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  await editor.prompt(session, "/asks");
  expect(await editor.prompt(session, "1")).toMatchObject({ result: { stopReason: "end_turn" } });
  editor.agent.kill();
  await editor.agent.ended;
  const run = storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";
  const shown = await ran(["decide", run, "--format", "json"]);
  expect(JSON.parse(shown.said)).toMatchObject([{ form: { at: 1, answers: { bump: "major" } } }]);
  const { code, said } = await ran(["decide", run, "Bob"]);
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("major by Bob") });
});

test("A3: questions are answered by defaults, or park the run, where no one can be asked", async () => {
  const parked = await ran(["run", "asks", "--trust"]);
  expect(parked).toMatchObject({
    code: 0,
    said: expect.stringMatching(/parked: step "ask" waits[\s\S]*troupe resume/),
  });
  const given = await ran(["run", "asks", "--trust", "--input", "known=Eve"]);
  expect(given).toMatchObject({
    code: 0,
    said: expect.stringMatching(/patch by Eve[\s\S]*each question gets its default/),
  });
});
