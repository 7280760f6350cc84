/** A session opens at once, whatever its MCP servers do: they start with the step that uses them, not before. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { childrenOf, type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

test("a server that never answers holds up neither session/new, load, resume nor a prompt without agents", async () => {
  const mark = join(house.root, "started");
  const server = join(house.root, "server.mjs");
  writeFileSync(
    server,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, ""); setInterval(() => {}, 1e6);`,
  );
  const mcpServers = [{ name: "mute", command: process.execPath, args: [server], env: [] }];
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers });
  const { sessionId } = result as { sessionId: string };
  for (const method of ["session/load", "session/resume"])
    expect(await editor.request(method, { sessionId, cwd: house.cwd, mcpServers })).toHaveProperty("result");
  expect(await editor.prompt(sessionId, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect([childrenOf(editor.agent.owner), existsSync(mark)]).toEqual([[], false]);
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
});
