/**
 * MCP servers that an editor brings with its session, used by an agent step: real processes, a scripted model server.
 *
 * E1. The agent of a step is offered the tools of these servers, and each gets what the editor set for it.
 * E2. Values that are secrets are masked in all that is told and written.
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

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "ping.yaml"), WORKFLOW);
  const config = join(house.root, "home", ".config", "troupe", "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, "permissions: {default: allow}\n");
});
afterAll(async () => {
  await house.leave();
  await server.stop();
});

it("reach the agent with their secrets (E1), which nobody else sees (E2)", async () => {
  const env = { TROUPE_TRUST: "1", OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-local" };
  const editor = new Editor(house.troupe(["acp"], env));
  await editor.initialize();
  // The tool tells its variable MCP_MARK, which here holds the secret too.
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
  for (const name of readdirSync(state)) expect(readFileSync(join(state, name), "latin1")).not.toContain(CANARY);
});
