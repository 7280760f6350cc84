/** An initialised agent prepares for its first session, and makes no store where there was none. */
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

/** The files that a process holds open. */
function openFiles(pid: number | undefined): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // closed meanwhile
    }
  });
}

test.skipIf(process.platform !== "linux")("an existing store is open before a session is asked for", async () => {
  expect((await house.troupe(["run", "hello", "--trust"]).ended).code).toBe(0);
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  await expect.poll(() => openFiles(editor.agent.child.pid)).toContain(house.store);
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
});

test("where there is no store, `initialize` makes none and a session makes one", async () => {
  const idle = new Editor(house.troupe(["acp"]));
  await idle.initialize();
  await idle.request("session/load", { sessionId: "none" }); // answered when the agent is ready: its parameters are wrong
  expect(await idle.leave()).toEqual({ code: 0, signal: null });
  expect(existsSync(house.store)).toBe(false);
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  await editor.request("session/new", { cwd: house.cwd, mcpServers: [] });
  expect(existsSync(house.store)).toBe(true);
  await editor.leave();
});
