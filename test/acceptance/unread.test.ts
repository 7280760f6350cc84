/** An editor that hangs up, keeps its end of the pipe open and reads nothing any more: `troupe acp` ends nonetheless. */
import { once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/talkative.yaml"]);
});
afterEach(() => house.leave());

test("what nobody reads does not keep the process", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  const { child } = editor.agent;
  const exited = once(child, "exit");
  child.stdout.pause();
  void editor.prompt(session, "/talkative");
  const ended = () => storedRows(house.store, session).some(({ type }) => type === "turn.completed");
  await vi.waitFor(() => expect(ended()).toBe(true), { timeout: 20_000 });
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
  child.stdout.destroy();
}, 30_000);
