/**
 * T13 of consent and of answers for good: a secret of an agent's environment, in what it asks to run and in what it would
 * write, is sought in what is kept of both and in all that lists them. Without the masker the same search finds it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { disguises, spellings } from "../actors/masking/support.ts";
import { Editor } from "../support/acp-editor.ts";
import { filesBelow } from "../support/files-below.ts";
import { type House, openHouse } from "../support/house.ts";
import { Started } from "../support/started.ts";

vi.setConfig({ testTimeout: 120_000 });

const UNMASKED = fileURLToPath(new URL("programs/unmasked.ts", import.meta.url));
const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const KEY = "consent-canary-7f3a9d/c2b1+e5";

let house: House;
beforeEach(() => {
  house = openHouse([]);
  Object.assign(house.env, { CANARY_API_KEY: KEY, TROUPE_TRUST: "1" });
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  const env = { CANARY_API_KEY: { from_env: "CANARY_API_KEY" } };
  const mine = { command: process.execPath, args: [AGENT], files: "write", env };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify({ agents: { acp: { mine } } }));
  const file = join(house.cwd, "keys.txt");
  writeFileSync(file, `the key is ${KEY}\n`);
  const step = { type: "agent", agent: "mine", prompt: `ask echo {{.env.CANARY_API_KEY}}\nwrite ${file}` };
  const states = { initial: "first", first: { ...step, on_success: "done" }, done: { type: "terminal" } };
  writeFileSync(join(house.cwd, ".troupe", "workflows", "it.yaml"), JSON.stringify({ name: "it", states }));
});
afterEach(() => house.leave());

type Start = (args: readonly string[]) => Started;
const real: Start = (args) => house.troupe(args);
const unmasked: Start = (args) =>
  new Started([process.execPath, UNMASKED, ...args], { cwd: house.cwd, env: house.env });

/** Where the secret was found, of all that is kept, sent and listed. */
async function found(start: Start): Promise<string[]> {
  const editor = new Editor(start(["acp"]));
  const asked: string[] = [];
  editor.decide = ({ toolCall, options }) => {
    asked.push(String(toolCall["title"]));
    return options.find(({ kind }) => kind === "allow_always")?.optionId ?? null;
  };
  await editor.initialize();
  await editor.prompt(await editor.open(house.cwd), "/it");
  await editor.leave();
  // Consent, what it would run, what it would write.
  expect(asked).toHaveLength(3);
  const listed: string[] = [];
  for (const args of [
    ["trust", "list"],
    ["trust", "list", "--format", "json"],
    ["agents", "show", "mine"],
  ]) {
    const one = start(args);
    await one.ended;
    listed.push(one.lines.join("\n") + one.stderr);
  }
  expect(listed[1]).toContain("May the agent use");
  const kept = Object.entries(filesBelow(house.root)).filter(([place]) => !place.startsWith(house.cwd));
  const places = [...kept, ["frames", editor.agent.lines.join("\n")], ["listed", listed.join("\n")]] as const;
  const sought = [...spellings(KEY), ...Object.values(disguises(KEY))];
  return places.flatMap(([place, text]) => (sought.some((one) => text.includes(one)) ? [place] : []));
}

test("T13 nothing that is kept or listed of consent and of answers holds the secret, in any form", async () => {
  expect(await found(real)).toEqual([]);
});

test("T13 without the masker the same search finds it where it is kept, sent and listed", async () => {
  const places = await found(unmasked);
  expect(places).toEqual(expect.arrayContaining(["frames", "listed"]));
  expect(places.some((place) => place.includes("troupe.db"))).toBe(true);
});
