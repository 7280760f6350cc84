/**
 * What a client is told of a prompt's state where `executionState` is switched on: real processes.
 *
 * S1. A prompt that was said to wait is said to have ended, whatever came of it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, type Message } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/asleep.yaml", "acceptance/hello.yaml", "acceptance/blind.yaml"]);
  const file = join(house.root, "home", ".config", "troupe", "acp.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ compat: { executionState: "notification" } }));
});
afterEach(() => house.leave());

async function enter(clientCapabilities: object = {}): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities });
  return editor;
}
const isState = ({ method }: Message): boolean => method === "_troupe/execution_state";
const statesOf = ({ trace }: Editor): unknown[] =>
  trace.flatMap(({ message }) => (isState(message) ? [(message["params"] as Message)["state"]] : []));

test("a prompt of a session that another process runs has failed (S1)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  const asleep = first.prompt(session, "/asleep");
  await first.sees(({ message }) => JSON.stringify(message).includes('"running"'));

  const second = await enter();
  await second.request("session/resume", { sessionId: session, cwd: house.cwd });
  expect((await second.prompt(session, "/hello")).error).toMatchObject({
    data: { code: "USER.SESSION.BUSY_ELSEWHERE" },
  });
  expect(statesOf(second)).toEqual(["queued", "failed"]);
  first.notify("session/cancel", { sessionId: session });
  await asleep;
  expect(statesOf(first)).toEqual(["queued", "running", "cancelled"]);
});

test("a prompt that is cancelled while its inputs are asked for is cancelled (S1)", async () => {
  const editor = await enter({ elicitation: { form: {} } });
  const session = await editor.open(house.cwd);
  const answer = editor.prompt(session, "/blind");
  await editor.sees(({ message }) => message["method"] === "elicitation/create");
  editor.notify("session/cancel", { sessionId: session });
  expect((await answer).result).toMatchObject({ stopReason: "cancelled" });
  expect(statesOf(editor)).toEqual(["queued", "cancelled"]);
});
