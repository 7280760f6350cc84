/** `troupe doctor` as a process: what it says of a machine with nothing, of programs, and of a store that cannot be used. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Check } from "../../../actors/troupe.ts";
import { Place } from "./started.ts";

type Said = { ok: boolean; next: string; checks: Check[] };
let place: Place;
let bin: string;
beforeEach(() => {
  place = new Place();
  bin = join(place.folder, "bin");
  mkdirSync(bin);
});
afterEach(() => place.remove());

async function doctor(): Promise<Said & { code: number | null; of(name: string): Check | undefined }> {
  const { out, code } = await place.run(["doctor", "--json"], { PATH: `${bin}:/bin`, ANTHROPIC_API_KEY: "" });
  const said = JSON.parse(out) as Said;
  return { ...said, code, of: (name) => said.checks.find((check) => check.name === name) };
}

/** A program that writes down how it was called. */
function program(name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" >>"$HOME/${name}.calls"\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}
const calls = (name: string): string[] =>
  readFileSync(join(place.folder, `${name}.calls`), "utf8")
    .trim()
    .split("\n");

it("tells of a machine with nothing what comes first, and makes no store", async () => {
  const said = await doctor();
  expect(said).toMatchObject({ code: 0, ok: true, next: "troupe init" });
  expect(said.of("Claude Code")).toMatchObject({ state: "absent", next: "npm install -g @anthropic-ai/claude-code" });
  expect(said.of("store")?.facts).toMatchObject({ exists: false });
  expect(existsSync(join(place.home, "troupe.db"))).toBe(false);

  await place.run(["init"]);
  const { out } = await place.run(["doctor"], { PATH: `${bin}:/bin` });
  expect(out).toMatch(/✓ workflows +2 can be run here\n\nNext: troupe run demo --dry-run\n$/);
});

it("asks a program for its version and its user's sign-in, and for nothing else", async () => {
  program("claude", 'case "$1" in auth) echo \'{"loggedIn": false}\';; *) echo "9.8.7 (Claude Code)";; esac');
  program("gemini", "echo 0.61.2");
  await place.run(["init"]);
  const said = await doctor();
  expect(said.of("Claude Code")).toMatchObject({ state: "warning", facts: { version: "9.8.7", signIn: "no" } });
  expect(said.of("Gemini CLI")).toMatchObject({ state: "warning", facts: { version: "0.61.2", signIn: "not told" } });
  expect(said.of("Gemini CLI")?.facts["knownFaults"]).toHaveLength(2);
  expect(calls("claude").sort()).toEqual(["--version", "auth status"]);
  expect(calls("gemini")).toEqual(["--version"]);
});

it("starts no agent of the user's own and no server, and tells which are missing", async () => {
  program("mine", "exit 1");
  program("server", "exit 1");
  const folder = join(place.folder, "config", "troupe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.yaml"),
    "mcp_servers: {here: {command: server}, gone: {command: nowhere}, unset: {command: server, env: {K: {from_env: NO_KEY}}}}\n",
  );
  await place.run(["agents", "add", "mine", "--", "mine"], { PATH: `${bin}:/bin` });
  const said = await doctor();
  expect(said.of("mine")).toMatchObject({ area: "agents", state: "good", facts: { state: "needs approval" } });
  expect(said.of("configuration")).toMatchObject({ state: "good" });
  expect(said.of("here")).toMatchObject({ area: "servers", state: "good" });
  expect(said.of("gone")).toMatchObject({ area: "servers", state: "warning" });
  const says = 'the MCP server "unset" needs K from the variable NO_KEY, which is not set';
  expect(said.of("unset")).toMatchObject({ area: "servers", state: "warning", says });
  for (const name of ["mine", "server"]) expect(existsSync(join(place.folder, `${name}.calls`))).toBe(false);
});

it("fails where the store is damaged or was written by a later version, and leaves it as it is", async () => {
  const file = join(place.home, "troupe.db");
  writeFileSync(file, "this is no database, and it is long enough to be looked at as one".repeat(100));
  const damaged = await doctor();
  expect(damaged).toMatchObject({ code: 4, ok: false, next: "troupe error SYSTEM.STORE.DAMAGED" });

  writeFileSync(file, "");
  const db = new DatabaseSync(file);
  db.exec("pragma user_version=999");
  db.close();
  const before = readFileSync(file);
  expect(await doctor()).toMatchObject({ code: 4, ok: false, next: "troupe error SYSTEM.STORE.NEWER" });
  expect(readFileSync(file)).toEqual(before);
});

it("fails where the first run could not make the store", async () => {
  const file = join(place.folder, "file");
  writeFileSync(file, "");
  const { out, code } = await place.run(["doctor", "--json"], { TROUPE_HOME: join(file, "state") });
  const { checks, next } = JSON.parse(out) as Said;
  expect(code).toBe(4);
  expect(checks.find(({ name }) => name === "store")).toMatchObject({
    state: "fault",
    says: `the first run could not make ${join(file, "state", "troupe.db")}: ${file} is no folder`,
  });
  expect(next).toBe("troupe error SYSTEM.STORE.UNUSABLE");
});
