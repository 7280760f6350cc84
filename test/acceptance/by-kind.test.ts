/**
 * Words that come by kind (`updateOrder`), where no turn ends behind them: real processes.
 *
 * K1. A load ends with the words of a run that was cut off, before how to resume it.
 * K2. A run that is cancelled while nobody's prompt is open says so at once.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, saidIn } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/cut-off.yaml", "sessions/talk.yaml"]);
  const file = join(house.root, "home", ".config", "troupe", "acp.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ compat: { updateOrder: "by kind" } }));
});
afterEach(() => house.leave());

async function enter(): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  return editor;
}

test("a run that was cut off (K1, K2)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  void first.prompt(session, "/cut-off");
  await first.hears("Look it up");
  first.agent.kill();
  await first.agent.ended;

  const second = await enter();
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect(saidIn(second.trace)).toMatch(/^Once upon a time\. [\s\S]*The run of "cut-off" was interrupted/);
  second.notify("session/cancel", { sessionId: session });
  await second.hears('Workflow \\"cut-off\\" was cancelled.');
});

test("a run that waits for an answer (K2)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  await editor.prompt(session, "/talk");
  editor.notify("session/cancel", { sessionId: session });
  await editor.hears("was cancelled.");
});
