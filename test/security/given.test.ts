/**
 * T13: what the user and the author configure for programs (variables of agents, `{from_env}`, a step's `options.env`,
 * headers and variables of MCP servers) is printed by each of these programs, and searched for in all that is left or
 * sent.
 */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WITH_TOOLS } from "../soak/sessions/inside.ts";
import { Editor } from "../support/acp-editor.ts";
import { filesBelow } from "../support/files-below.ts";
import { type House, openHouse } from "../support/house.ts";
import { SocketClient, startServer } from "../support/server.ts";
import { Started } from "../support/started.ts";

vi.setConfig({ testTimeout: 120_000 });

const TELLER = fileURLToPath(new URL("programs/teller.mjs", import.meta.url));
const WITHOUT = fileURLToPath(new URL("programs/without.mjs", import.meta.url));
const MAIN = fileURLToPath(new URL("../../transports/cli/main.ts", import.meta.url));
const PROGRAMS = ["claude", "codex", "gemini", "copilot", "opencode", "vibe"];
const FROM_ENV = "ware-two-from-env-33bb";
const FIVE = "ware-five-of-env-99ff";
const SOUGHT = [
  "ware-one-in-config-11aa",
  FROM_ENV,
  `ware-three-${FIVE}`,
  "ware-four-literal-55cc",
  FIVE,
  "ware-six-written-77aa",
  "ware-seven-config-header",
  "ware-eight-config-mcp-env",
  "ware-nine-editor-header",
  "ware-ten-editor-env",
  ...["claude", "codex", "gemini", "copilot", "opencode", "vibe"].map((name) => `ware-${name}-1`),
];

let house: House;
let environment: { [name: string]: string };
const extra: Started[] = [];
beforeEach(() => {
  house = openHouse(["security/given.yaml"]);
  const bin = join(house.root, "bin");
  mkdirSync(bin);
  for (const name of PROGRAMS) {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${join(bin, `${name}.mjs`)}" "$@"\n`);
    chmodSync(file, 0o755);
    writeFileSync(join(bin, `${name}.mjs`), readFileSync(TELLER));
  }
  symlinkSync(TELLER, join(bin, "teller.mjs"));
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  const config = {
    agents: {
      acp: {
        teller: {
          command: process.execPath,
          args: [TELLER],
          env: { WARE_ONE: SOUGHT[0], WARE_TWO: { from_env: "SOME_WARE" } },
          // It is handed what others keep: it tells all that it has.
          mcp_servers: { allow: PASSED, forward_secrets: PASSED },
        },
      },
    },
    mcp_servers: {
      web: { type: "http", url: "http://127.0.0.1:2/mcp", headers: { "X-Ware": "ware-seven-config-header" } },
      tool: { command: "true", env: { WARE: "ware-eight-config-mcp-env" } },
    },
  };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  environment = {
    TROUPE_TRUST: "1",
    TROUPE_TRUST_AGENTS: "teller",
    SOME_WARE: FROM_ENV,
    WARE_FIVE: FIVE,
    PATH: `${bin}:${house.env["PATH"] ?? ""}`,
  };
});
afterEach(async () => {
  for (const one of extra.splice(0)) {
    one.kill();
    await one.ended;
  }
  await house.leave();
});

type Start = (args: readonly string[]) => Started;
const real: Start = (args) => house.troupe(args, environment);
/** The program from its sources, with one of them changed. */
const changed =
  (file: string, from: string, to: string): Start =>
  (args) => {
    const one = new Started([process.execPath, ...WITH_TOOLS, "--import", WITHOUT, MAIN, ...args], {
      cwd: house.cwd,
      env: { ...house.env, ...environment, TROUPE_WITHOUT: JSON.stringify([{ file, from, to }]) },
    });
    extra.push(one);
    return one;
  };

const PASSED = ["written", "web", "tool", "brought", "local"];

function search(places: { readonly [place: string]: string }): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    SOUGHT.flatMap((one) => (text.includes(one) ? [`${place}: ${one}`] : [])),
  );
}
/** Everything below the house but what the user wrote there. */
const left = (folder: string): { [place: string]: string } =>
  Object.fromEntries(Object.entries(filesBelow(folder)).filter(([place]) => !/\/(?:given|config)\.yaml$/.test(place)));

const BROUGHT = [
  {
    type: "http",
    name: "brought",
    url: "http://127.0.0.1:2/x",
    headers: [{ name: "X-Any", value: "ware-nine-editor-header" }],
  },
  { name: "local", command: "true", args: [], env: [{ name: "ANY", value: "ware-ten-editor-env" }] },
];

async function overAcp(start: Start): Promise<string[]> {
  const editor = new Editor(start(["acp"]));
  await editor.initialize();
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers: BROUGHT });
  const { sessionId } = result as { sessionId: string };
  const answer = await editor.prompt(sessionId, "/given");
  const during = left(house.root);
  await editor.request("_troupe/session/export", { sessionId });
  await editor.leave();
  const frames = editor.agent.lines.join("\n");
  expect(frames).toContain("Use ");
  return search({
    ...during,
    ...left(house.root),
    frames,
    answer: JSON.stringify(answer),
    stderr: editor.agent.stderr,
  });
}
async function onCommandLine(start: Start): Promise<string[]> {
  const run = start(["run", "given"]);
  expect((await run.ended).code).toBe(7);
  const id = /run (\w+)/.exec(run.lines.join("\n"))?.[1] ?? "";
  const record = start(["record", id, "--step", "teller"]);
  const status = start(["status", id, "--format", "json"]);
  const history = start(["history", "--format", "json"]);
  const json = start(["run", "given", "--format", "json"]);
  await Promise.all([record, status, history, json].map((one) => one.ended));
  const of = (one: Started): string => one.lines.join("\n") + one.stderr;
  return search({
    ...left(house.root),
    output: of(run),
    record: of(record),
    status: of(status),
    history: of(history),
    json: of(json),
  });
}

test("no trace of it is left over ACP, in the store, its journal or a file", async () => {
  expect(await overAcp(real)).toEqual([]);
});
test("no trace of it is left on the command line, in a record or in the history", async () => {
  expect(await onCommandLine(real)).toEqual([]);
});
test("no trace of it goes over WebSocket, HTTP or its events", async () => {
  const server = await startServer(house, [], environment);
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  await client.prompt(session, "/given");
  await client.leave();
  const base = server.url.replace("ws", "http").replace(/\/acp$/, "");
  const started = await fetch(`${base}/api/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ workflow: "given", cwd: house.cwd }),
  });
  const { run, events } = (await started.json()) as { run: string; events: string };
  const told = await (await fetch(`${base}${events}`)).text();
  expect(told).toContain("Use ");
  const state = await (await fetch(`${base}/api/runs/${run}`)).text();
  const frames = JSON.stringify(client.trace);
  expect(frames).toContain("Use ");
  expect(search({ ...left(house.root), frames, told, state, stderr: server.process.stderr })).toEqual([]);
});

const LEARN = "for (const [name, value] of Object.entries(values)) {";
test("without what is learned the same search finds every one of them", async () => {
  const found = (await overAcp(changed("actors/masking/given.ts", LEARN, LEARN.replace("values)", "{})")))).join("\n");
  for (const one of SOUGHT) expect(found).toContain(`: ${one}`);
  for (const place of ["troupe.db: ", "troupe.db-wal: ", "frames: "]) expect(found).toContain(place);
});
