/**
 * A user works, or opens an editor, in a folder below the root of a repository: its workflows are found there too.
 *
 * B1. By every face: `run`, `acp`, `serve`, `mcp`. A run begins in the folder that has the workflows.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Anything, Api } from "../support/api.ts";
import { type House, openHouse, PROGRAM, storedRows, storedSessions } from "../support/house.ts";
import { McpHost } from "../support/mcp-host.ts";
import { SdkEditor } from "../support/sdk-editor.ts";
import { startServer } from "../support/server.ts";
import { Started } from "../support/started.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
let below: string;
let started: Started[];
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  below = join(house.cwd, "packages", "app");
  mkdirSync(below, { recursive: true });
  mkdirSync(join(house.cwd, ".git"));
  writeFileSync(join(house.cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
  started = [];
});
afterEach(async () => {
  for (const one of started) one.kill();
  await Promise.all(started.map(({ ended }) => ended));
  await house.leave();
});

const there = (args: readonly string[], env: { [name: string]: string } = {}): Started => {
  const one = new Started([process.execPath, PROGRAM, ...args], { cwd: below, env: { ...house.env, ...env } });
  started.push(one);
  return one;
};
const opened = () =>
  storedSessions(house.store).flatMap((id) =>
    storedRows(house.store, id).flatMap((row) => (row.type === "session.opened" ? [row.payload.cwd] : [])),
  );
const ends = () =>
  storedSessions(house.store).flatMap((id) =>
    storedRows(house.store, id).flatMap((row) => (row.type === "run.completed" ? [row.payload.status] : [])),
  );

test("an editor's session and the terminal find them (B1)", async () => {
  const editor = await SdkEditor.onPipes(there(["acp"], TRUST));
  expect(await editor.prompt(await editor.open(below), "/hello")).toEqual({ stopReason: "end_turn" });
  const run = there(["run", "hello", "--trust"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(opened()).toEqual([house.cwd, house.cwd]);
  expect(ends()).toEqual(["completed", "completed"]);
});

test("a file that a run is to write is meant from there", async () => {
  const run = there(["run", "hello", "--trust", "--profile=why.cpuprofile"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.stderr).toContain(`profile: ${join(below, "why.cpuprofile")}\n`);
  expect(readdirSync(below)).toEqual(["why.cpuprofile"]);
});

test("the API of a server that was started there finds them (B1)", async () => {
  const api = new Api(await startServer({ ...house, troupe: there }, [], TRUST));
  const { body } = await api.get("/api/workflows");
  expect((body as Anything).workflows.map(({ id }: Anything) => id)).toContain("hello");
  const { run } = await api.start("hello");
  await api.whole(run);
  expect([opened(), ends()]).toEqual([[house.cwd], ["completed"]]);
});

test("an MCP host that names the folder finds them (B1)", async () => {
  const trusted = there(["trust", "add", house.cwd]);
  await trusted.ended;
  const host = await McpHost.start(house, { args: ["--cwd", below] });
  expect(await host.tools()).toContain("hello");
  await host.leave();
});
