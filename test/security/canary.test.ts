/**
 * T13: a canary secret, in the environment and as an input, is used by every kind of step and then sought in all that
 * is left or sent. The same search on the same program without its masker must find it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { filesBelow } from "../support/files-below.ts";
import { childrenOf, type House, openHouse, PROGRAM } from "../support/house.ts";
import { Started } from "../support/started.ts";

vi.setConfig({ testTimeout: 120_000 });

const UNMASKED = fileURLToPath(new URL("programs/unmasked.ts", import.meta.url));
const KEY = 'env-canary/7f"3+a=9d\\c2b1';
const LINES = ["-----BEGIN CANARY-----", "MIIEvCanaryLineOne0123456789", "BAQEFCanaryLineTwo9876543210"];
const TOKEN = "input-canary-5d41402abc4b2a76b9719d911017c592";
/** Half of a secret is one, in whatever form. */
const SOUGHT = [
  KEY,
  JSON.stringify(KEY).slice(1, -1),
  encodeURIComponent(KEY),
  ...[0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(KEY)])
      .toString("base64")
      .slice(4, 28),
  ),
  // Of a line of base64, of digits in lines, behind a colour, behind an escape.
  Buffer.from(`user:${KEY}`).toString("base64").slice(20, 40),
  Buffer.from(KEY).toString("hex"),
  Buffer.from(KEY).toString("hex").toUpperCase().slice(30, 50),
  "\\c2b1",
  ...LINES.slice(1),
  TOKEN,
  TOKEN.slice(0, 24),
  TOKEN.slice(-24),
];

let house: House;
const extra: Started[] = [];
beforeEach(() => {
  house = openHouse(["security/canary.yaml", "security/below.yaml"]);
  execFileSync("mkfifo", [join(house.cwd, "gate")]);
});
afterEach(async () => {
  for (const one of extra.splice(0)) {
    one.kill();
    await one.ended;
    for (const pid of childrenOf(one.owner)) process.kill(pid, "SIGKILL");
  }
  await house.leave();
});

const secrets = { CANARY_API_KEY: KEY, CANARY_PRIVATE_KEY: `${LINES.join("\n")}\n`, TROUPE_TRUST: "1" };
type Start = (args: readonly string[]) => Started;
const real: Start = (args) => house.troupe(args, secrets);
const unmasked: Start = (args) => {
  const env = { ...house.env, ...secrets };
  const one = new Started([process.execPath, UNMASKED, ...args], { cwd: house.cwd, env });
  extra.push(one);
  return one;
};

/** Where a secret was found: the place, and what. */
function search(places: { readonly [place: string]: string }): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    SOUGHT.flatMap((one, index) => (text.includes(one) ? [`${place}: ${index}`] : [])),
  );
}
const cmdlines = (owner: string): string =>
  childrenOf(owner)
    .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, "latin1") : ""))
    .join("\n");

async function acp(start: Start): Promise<string[]> {
  const editor = new Editor(start(["acp"]));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  const answer = editor.prompt(session, `/canary api_token=${TOKEN}`);
  await editor.hears("holding\\n");
  // In the middle: the journal is not yet folded into the database, the children run, files that are passed on exist.
  const during = { ...filesBelow(house.root), "arguments of children": cmdlines(editor.agent.owner) };
  writeFileSync(join(house.cwd, "gate"), "go\n");
  const end = await answer;
  const refused = await editor.prompt(session, `/canary api_token=${TOKEN} count=${TOKEN}`);
  const unknown = await editor.prompt(session, `/canari api_token=${TOKEN}`);
  await editor.leave();
  expect(editor.agent.lines.join("\n")).toContain("holding");
  return search({
    ...during,
    ...filesBelow(house.root),
    frames: editor.agent.lines.join("\n"),
    answers: JSON.stringify([end, refused, unknown]),
    stderr: editor.agent.stderr,
  });
}

async function cli(start: Start): Promise<string[]> {
  const run = start(["run", "canary", "-i", `api_token=${TOKEN}`, "-i", `plain=${TOKEN}`]);
  while (!run.lines.some((line) => line.includes("holding"))) await run.line(run.lines.length + 1);
  writeFileSync(join(house.cwd, "gate"), "go\n");
  expect((await run.ended).code).toBe(7);
  const refused = start(["run", "canary", "-i", `api_token=${TOKEN}`, "-i", `count=${TOKEN}`]);
  expect((await refused.ended).code).toBe(1);
  const history = start(["history", "--format", "json"]);
  await history.ended;
  return search({
    ...filesBelow(house.root),
    output: run.lines.join("\n"),
    stderr: run.stderr,
    "output of a refusal": refused.lines.join("\n") + refused.stderr,
    history: history.lines.join("\n"),
  });
}

test("the program leaves no trace of a secret that it passed on to every step, over ACP", async () => {
  expect(existsSync(PROGRAM)).toBe(true);
  expect(await acp(real)).toEqual([]);
});
test("the program leaves no trace of a secret that it passed on to every step, on the command line", async () => {
  expect(await cli(real)).toEqual([]);
});

test("without the masker the same search finds it, in the store, in its journal and in frames", async () => {
  const found = (await acp(unmasked)).join("\n");
  expect(found).toMatch(/troupe\.db: /);
  expect(found).toMatch(/troupe\.db-wal: /);
  expect(found).toMatch(/frames: /);
});
test("without the masker the same search finds it in the output of the command line", async () => {
  const found = (await cli(unmasked)).join("\n");
  expect(found).toMatch(/output: /);
  expect(found).toMatch(/output of a refusal: /);
});
