/**
 * `troupe pack` as a user has it: an installed workflow works in every face.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { McpHost } from "../support/mcp-host.ts";
import { startServer } from "../support/server.ts";

let house: House;
let source: string;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  source = join(house.root, "shared");
  mkdirSync(source);
  cpSync(join(house.cwd, ".troupe", "workflows"), join(source, "workflows"), { recursive: true });
  writeFileSync(
    join(source, "manifest.yaml"),
    "name: greet\nversion: 1.0.0\ndescription: Greets\nworkflows: [hello]\n",
  );
});
afterEach(() => house.leave());

async function say(...args: string[]): Promise<{ code: number | null; lines: string[]; stderr: string }> {
  const said = house.troupe(args);
  const { code } = await said.ended;
  return { code, lines: said.lines, stderr: said.stderr };
}

test("an installed pack is run, offered to an editor, an MCP host and the API, and removed", async () => {
  expect((await say("pack", "list")).lines).toEqual([
    "There are no packs here. `troupe pack install <source>` installs one.",
  ]);
  expect((await say("pack", "install", source)).lines).toEqual(["greet 1.0.0 is installed: troupe run greet/hello"]);
  rmSync(source, { recursive: true });
  expect((await say("pack", "list")).lines).toEqual([
    "PACK   VERSION  FOR      WORKFLOWS  DESCRIPTION",
    "greet  1.0.0    project  hello      Greets",
  ]);
  const { lines } = await say("pack", "info", "greet");
  expect(lines).toContain(`lies in    ${join(house.cwd, ".troupe/workflow-packs/greet")}`);

  expect((await say("run", "greet/hello", "--trust")).lines).toContain("Hello was said.");
  expect((await say("trust", "add")).code).toBe(0);
  const host = await McpHost.start(house);
  expect(await host.tools()).toContain("greet_hello");
  await host.leave();
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  expect((await editor.prompt(session, "/greet:hello")).result).toEqual({ stopReason: "end_turn" });
  await editor.leave();

  const api = new Api(await startServer(house));
  const { run } = await api.start("greet/hello");
  await api.whole(run);
  expect(await api.run(run)).toMatchObject({ workflow: "greet/hello", status: "completed" });

  expect((await say("pack", "remove", "greet")).lines).toEqual(["greet 1.0.0 is removed."]);
  expect(await say("run", "greet/hello")).toMatchObject({ code: 1, stderr: expect.stringContaining("greet") });
});

test("another pack of a name: what it takes the place of is said, and which one is left", async () => {
  const other = join(house.root, "other");
  cpSync(source, other, { recursive: true });
  writeFileSync(join(other, "manifest.yaml"), "name: greet\nversion: 0.9.0\ndescription: x\nworkflows: [hello]\n");
  expect((await say("pack", "install", source, "--user")).lines).toHaveLength(1);
  const lines = [];
  for (const from of [source, other, other]) lines.push(...(await say("pack", "install", from)).lines);
  expect(lines).toEqual([
    "greet 1.0.0 is installed: troupe run greet/hello",
    `greet 0.9.0 is installed in place of 1.0.0 from ${source}: troupe run greet/hello`,
    "greet 0.9.0 is installed: troupe run greet/hello",
  ]);
  expect((await say("pack", "remove", "greet")).lines).toEqual([
    "greet 0.9.0 is removed.",
    "greet 1.0.0 is there for every directory of yours, and is what runs now.",
  ]);
  expect((await say("pack", "remove", "greet")).lines).toEqual(["greet 1.0.0 is removed."]);
  const away = await say("pack", "install", "https://127.0.0.1:9/greet.tar.gz", "--sha256", "0".repeat(64));
  expect(away.stderr).toMatch(/cannot be read: ECONN|cannot be read: bad port/);
});

test("each fault of a pack is reported with its code", async () => {
  const refused = await say("pack", "install", "nowhere", "--format", "json");
  expect([refused.code, JSON.parse(refused.lines.join(""))]).toMatchObject([
    1,
    { error: { code: "USER.PACK.SOURCE" } },
  ]);
  expect((await say("pack", "search")).code).toBe(1);
});
