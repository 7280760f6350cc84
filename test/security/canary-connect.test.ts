import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../transports/client/connect.ts";
import { filesBelow } from "../support/files-below.ts";
import { type House, openHouse } from "../support/house.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const ARGUMENT = "argument-canary-7f3a9d";
const HEADER = "header-canary-c2b1e5";
const SERVER = "server-canary-91ab04";

let house: House;
beforeEach(() => {
  house = openHouse([]);
});
afterEach(() => house.leave());

async function say(...args: string[]) {
  const said = house.troupe(args);
  const { code } = await said.ended;
  return { code, told: said.stderr + said.lines.join("\n") };
}

test("T13 what an agent repeats of its arguments is not shown by troupe acp connect, whole or in pieces", async () => {
  const words = [`say ${ARGUMENT.slice(0, 9)}`, `say ${ARGUMENT.slice(9)}`, "env", `ask echo ${ARGUMENT}`].join("\n");
  const argv = ["--api-key", ARGUMENT, "--header", `Authorization: Bearer ${HEADER}`];
  const { told } = await say("acp", "connect", "-p", words, "--", process.execPath, AGENT, ...argv);
  expect(told).toContain("argv");
  expect(told).toContain("***");
  for (const secret of [ARGUMENT, HEADER]) expect(told).not.toContain(secret);
});

test("T13 nothing that a conversation or a run shows and keeps has a secret of the agent's arguments", async () => {
  house.env["TROUPE_TRUST"] = "1";
  await say("agents", "add", "mine", "--", process.execPath, AGENT, `--token=${ARGUMENT}`);
  const words = [`say ${ARGUMENT.slice(0, 9)}`, `say ${ARGUMENT.slice(9)}`, "env", "die"].join("\n");
  const chatted = await say("chat", "mine", "--trust-agent", "mine", "-p", words);
  const listed = await say("agents", "show", "mine");
  const shown = await say("sessions", "show", "@last");
  expect(chatted.told).toContain("argv");
  // Three asterisks are one in Markdown.
  expect(shown.told).toContain("--token=*");
  for (const { told } of [chatted, listed, shown]) expect(told).not.toContain(ARGUMENT);
  const kept = Object.entries(filesBelow(house.root));
  const holding = kept.filter(([, text]) => text.includes(ARGUMENT)).map(([file]) => file);
  // The user's own file, where they have written it.
  expect(holding.filter((file) => !file.endsWith("agents.yaml"))).toEqual([]);
});

test("T13 what an agent fails with leaves no secret of its arguments in what is kept of the run", async () => {
  house.env["TROUPE_TRUST"] = "1";
  await say("agents", "add", "mine", "--", process.execPath, AGENT, `--token=${ARGUMENT}`);
  const states = `{initial: a, a: {type: agent, provider: mine, prompt: "fail ${"{{.inputs.a}}{{.inputs.b}}"}", on_success: z}, z: {type: terminal}}`;
  const inputs = `[{name: a, type: string, default: ${ARGUMENT.slice(0, 9)}}, {name: b, type: string, default: ${ARGUMENT.slice(9)}}]`;
  writeFileSync(join(house.cwd, ".troupe/workflows/w.yaml"), `name: w\ninputs: ${inputs}\nstates: ${states}\n`);
  const { code, told } = await say("run", "w", "--trust-agent", "mine");
  expect([code, told.includes("failed: ***")]).toEqual([3, true]);
  const kept = Object.entries(filesBelow(house.root)).filter(([, text]) => text.includes(ARGUMENT));
  expect(kept.map(([file]) => file).filter((file) => !file.endsWith("agents.yaml"))).toEqual([]);
});

test("T13 what the client library throws has no secret that it was given", async () => {
  const thrown: unknown[] = [];
  const argv = [AGENT, "--api-key", ARGUMENT];
  const client = await connect({ command: process.execPath, args: argv, onError: (error) => thrown.push(error) });
  const env = [{ name: "ANY", value: SERVER }];
  const session = await client.newSession({ cwd: house.cwd, mcpServers: [{ name: "s", command: "x", args: [], env }] });
  const failed = await session.prompt(`fail ${ARGUMENT} ${SERVER}`).catch((error: unknown) => error);
  await client.close();
  const told = JSON.stringify([failed, (failed as Error).message, thrown]);
  expect(told).toContain("***");
  for (const secret of [ARGUMENT, SERVER]) expect(told).not.toContain(secret);
});
