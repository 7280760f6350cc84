/**
 * MCP servers that an editor brings with its session, used by an agent step: real processes, a scripted model server.
 *
 * E1. The agent of a step is offered the tools of these servers, and each gets what the editor set for it.
 * E2. Secret values are masked in everything that is sent and written.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Editor, saidIn } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";
import { MCP_ECHO, ModelServer, saidTo, toolsOf } from "../support/model-server/model-server.ts";

const CANARY = "canary-5b0e1d7c99";
const WORKFLOW = `name: ping
inputs: [{name: text, type: string, required: true}]
states:
  initial: ask
  ask: {type: agent, provider: openai_compatible, options: {model: m}, prompt: "{{.inputs.text}}", on_success: done}
  done: {type: terminal}
`;
/** The step names the server; only the editor brings it. */
const EXPOSED = WORKFLOW.replace("name: ping", "name: exposed").replace(
  "on_success",
  "mcp_proxy: {enable: true, plugin_tools: [{plugin: stub, expose: [ping]}]}, on_success",
);

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "ping.yaml"), WORKFLOW);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "exposed.yaml"), EXPOSED);
  const config = join(house.root, "home", ".config", "troupe", "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, "permissions: {default: allow}\n");
});
afterAll(async () => {
  await house.leave();
  await server.stop();
});

it("reach the agent with their secrets (E1), which no one else sees (E2)", async () => {
  const env = { TROUPE_TRUST: "1", OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-local" };
  const editor = new Editor(house.troupe(["acp"], env));
  await editor.initialize();
  // The tool prints its variable MCP_MARK, which holds the secret here.
  const variables = [
    { name: "STUB_TOKEN", value: CANARY },
    { name: "MCP_MARK", value: CANARY },
  ];
  const mcpServers = [{ name: "stub", command: process.execPath, args: [MCP_ECHO], env: variables }];
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers });
  const { sessionId } = result as { sessionId: string };
  const prompt = `/ping text='[[call:ping {"note":"n1"}]] Call it'`;
  expect(await editor.prompt(sessionId, prompt)).toMatchObject({ result: { stopReason: "end_turn" } });

  const requests = await server.requests();
  expect(requests.flatMap(toolsOf)).toContain("stub__ping");
  expect(saidTo(requests.at(-1)!)).toContain(`pong from mcp (n1) env=${CANARY}`);

  expect(saidIn(editor.trace)).toContain("pong from mcp (n1) env=***");
  const heard = editor.trace.filter(({ message }) => message["method"] !== "session/new");
  expect(JSON.stringify(heard)).not.toContain(CANARY);
  const state = join(house.root, "home", "troupe");
  const files = readdirSync(state, { withFileTypes: true }).filter((one) => one.isFile());
  for (const { name } of files) expect(readFileSync(join(state, name), "latin1")).not.toContain(CANARY);
});

it("are plugins of Troupe's own tools where a step names them; without the editor the step says what is missing (E1)", async () => {
  await server.reset();
  const env = { TROUPE_TRUST: "1", OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-local" };
  const editor = new Editor(house.troupe(["acp"], env));
  await editor.initialize();
  const mcpServers = [{ name: "stub", command: process.execPath, args: [MCP_ECHO], env: [] }];
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers });
  const { sessionId } = result as { sessionId: string };
  const prompt = `/exposed text='[[call:stub_ping {"note":"n2"}]] Call it'`;
  expect(await editor.prompt(sessionId, prompt)).toMatchObject({ result: { stopReason: "end_turn" } });
  const requests = await server.requests();
  expect(requests.flatMap(toolsOf)).toEqual(expect.arrayContaining(["Read", "stub_ping"]));
  expect(saidTo(requests.at(-1)!)).toContain("pong from mcp (n2)");

  const alone = house.troupe(["run", "exposed", "-i", "text=x"], env);
  expect((await alone.ended).code).toBe(1);
  expect(alone.lines.join("\n")).toContain('states.ask.mcp_proxy.plugin_tools: there is no "stub"');
  expect(alone.lines.join("\n")).toContain("known: ");
});
