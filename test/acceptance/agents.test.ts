/**
 * `troupe agents` as a user has it. H1–H3, H5, H13, H14.
 *
 * O1. An added agent runs as it was given. A list shows no value of a variable.
 * O2. A new name keeps the id: what uses the old name continues to work, conversations too.
 * O3. A removed agent no longer starts, and every face that needs it says that it was removed.
 * O4. An agent that a project proposes is shown; the user takes it into a file of their own, or not.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const WORKFLOW = `name: talk
states:
  initial: first
  first: {type: agent, provider: mine, prompt: say one, conversation: {}, on_success: second}
  second: {type: agent, provider: mine, prompt: say two, conversation: {continue_from: first}, on_success: done}
  done: {type: terminal}
`;

let house: House;
beforeEach(() => {
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "talk.yaml"), WORKFLOW);
});
afterEach(() => house.leave());

async function say(...args: string[]) {
  const said = house.troupe(args, { TROUPE_TRUST_AGENTS: "mine,yours", SECRET_OF_MINE: "s3cret-value-of-mine" });
  const { code } = await said.ended;
  return { code, lines: said.lines, stderr: said.stderr, json: () => JSON.parse(said.lines.join("\n")) };
}
const add = (...more: string[]) =>
  say(
    "agents",
    "add",
    "mine",
    ...more,
    "--env",
    "KEY=from_env:SECRET_OF_MINE",
    "--env",
    `AGENT_LOG=${join(house.root, "log")}`,
    "--",
    process.execPath,
    AGENT,
    "a b",
    "$HOME",
  );

test("an agent is added, shown and run, with its arguments as they are and none of its values shown (O1)", async () => {
  expect((await say("agents", "list")).lines).toEqual([
    "You have no agents. troupe agents presets shows the known ones; troupe agents add adds one.",
  ]);
  expect((await add()).lines[1]).toBe("In a workflow: provider: mine. Back: troupe agents remove mine");
  const { agents, removed, warnings } = (await say("agents", "list", "--format", "json")).json();
  expect(agents).toEqual([
    expect.objectContaining({
      slug: "mine",
      command: process.execPath,
      path: process.execPath,
      args: [AGENT, "a b", "$HOME"],
      env: ["AGENT_LOG", "KEY"],
      state: "ready",
    }),
  ]);
  expect([removed, warnings]).toEqual([[], []]);
  const shown = await say("agents", "show", "mine");
  expect(shown.lines).toContain("variables  AGENT_LOG, KEY");
  const file = readFileSync(join(house.env["HOME"] ?? "", ".config", "troupe", "agents.yaml"), "utf8");
  expect([file, shown.lines.join("\n")].filter((text) => text.includes("s3cret"))).toEqual([]);
  expect(await say("run", "talk", "--trust")).toMatchObject({ code: 0 });
});

test("a slug that is none says what one is, and a new name alone leaves the slug", async () => {
  await add();
  const wrong = await say("agents", "rename", "mine", "a b");
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('"a b" is no slug (expected ') });
  expect((await say("agents", "rename", "mine", "mine", "--name", "Mine")).lines).toEqual([
    "It is mine now. Sessions, answers and consent stay.",
  ]);
});

test("a renamed agent is the same one: its old name and its conversations still work (O2)", async () => {
  await add();
  const { agents } = (await say("agents", "list", "--format", "json")).json();
  expect((await say("agents", "rename", "mine", "yours")).lines).toEqual([
    "It is yours now; mine still names it. Sessions, answers and consent stay.",
  ]);
  expect((await say("agents", "show", "mine", "--format", "json")).json()).toMatchObject({
    id: agents[0].id,
    slug: "yours",
    formerly: ["mine"],
  });
  expect(await say("run", "talk", "--trust")).toMatchObject({ code: 0 });
});

test("a disabled agent does not start, and a removed one says so; with its id it is the same again (O3)", async () => {
  await add();
  expect((await say("agents", "disable", "mine")).lines).toEqual(["mine is disabled: no step starts it."]);
  const disabled = await say("run", "talk", "--trust");
  expect([disabled.code, disabled.stderr + disabled.lines.join("\n")]).toEqual([
    2,
    expect.stringContaining('the agent "mine" is disabled'),
  ]);
  await say("agents", "enable", "mine");
  const { id } = (await say("agents", "show", "mine", "--format", "json")).json();
  const gone = await say("agents", "remove", "mine");
  expect(gone.lines[1]).toBe(`To continue them, add it again with --id ${id}`);
  const refused = await say("run", "talk", "--trust");
  expect(refused.stderr + refused.lines.join("\n")).toContain('the agent "mine" was removed');
  expect((await say("agents", "list")).lines.join("\n")).toContain("mine was removed");
  expect(existsSync(join(house.root, "log"))).toBe(false);
  await add("--id", id);
  expect((await say("agents", "list", "--format", "json")).json()).toMatchObject({ agents: [{ id }], removed: [] });
  expect(await say("run", "talk", "--trust")).toMatchObject({ code: 0 });
});

test("an old slug of a removed agent says so too, and names it again once it is back (O3)", async () => {
  await add();
  const { id } = (await say("agents", "show", "mine", "--format", "json")).json();
  await say("agents", "rename", "mine", "other");
  await say("agents", "remove", "other");
  const refused = await say("run", "talk", "--trust");
  expect(refused.stderr + refused.lines.join("\n")).toContain('the agent "other" was removed');
  expect((await say("agents", "show", "mine")).stderr).toContain('the agent "other" was removed');
  await say("agents", "add", "mine", "--as", "third", "--id", id, "--", process.execPath, AGENT);
  expect((await say("agents", "show", "mine", "--format", "json")).json()).toMatchObject({ id, slug: "third" });
});

test("known agents and those of a registry are added with exact versions, and a value that looks like a secret causes a warning", async () => {
  expect((await say("agents", "presets", "--format", "json")).json()).toHaveLength(7);
  expect((await say("agents", "add", "gemini")).lines[0]).toBe(
    "gemini-acp is added: npx -y @google/gemini-cli@0.61.0 --acp",
  );
  expect((await say("agents", "add", "gemini")).stderr).toContain("USER.AGENT.EXISTS");
  expect((await say("agents", "add", "gemeni")).stderr).toContain('did you mean "gemini"?');
  const registry = join(house.root, "registry.json");
  const entry = (version: string) => ({
    id: "goose",
    name: "goose",
    version: "1.2.3",
    distribution: { npx: { package: `goose@${version}` } },
  });
  writeFileSync(registry, JSON.stringify({ agents: [entry("latest")] }));
  expect(await say("agents", "add", "goose", "--registry", registry)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("without an exact version"),
  });
  writeFileSync(registry, JSON.stringify({ agents: [entry("1.2.3")] }));
  const digits = ["--registry", registry, "--fetch", "--sha256", "0".repeat(64)];
  expect((await say("agents", "add", "goose", ...digits)).stderr).toContain("no archive is fetched for this machine");
  expect((await say("agents", "add", "goose", "--registry", registry, "--env", "TOKEN=abcd1234")).lines.at(-1)).toMatch(
    /^warning: .*agents\.yaml:\d+:\d+: the value of TOKEN looks like a secret that is written out \(expected \{from_env: TOKEN\}\)$/,
  );
});

test("the doctor starts an agent, says what it is, and sends no prompt (H55)", async () => {
  await add();
  const found = await say("agents", "doctor", "mine", "--format", "json");
  expect([found.code, found.json()]).toEqual([
    0,
    expect.objectContaining({
      ok: true,
      program: process.execPath,
      protocolVersion: 1,
      signIn: "not needed",
      knownFaults: [],
    }),
  ]);
  expect(found.json().sha256).toMatch(/^[0-9a-f]{64}$/);
  const log = readFileSync(join(house.root, "log"), "utf8");
  expect(log).toMatch(/^start /);
  expect(log).not.toContain("prompt");
  await say("agents", "add", "gone", "--", "/no/such/program");
  expect(await say("agents", "doctor", "gone")).toMatchObject({ code: 3 });
});

test("a project proposes, the user takes it or not, and nothing runs for it (O4, H6)", async () => {
  const file = join(house.cwd, ".troupe", "agents.yaml");
  const propose = (args: string) =>
    writeFileSync(
      file,
      `version: 1\npropose:\n  - {slug: mine, why: Talks, command: ${process.execPath}, args: [${args}], env: {AGENT_LOG: ${join(house.root, "log")}}}\nrestrict: {mine: {terminal: false}}\npermissions: {deny: [{kind: execute}]}\n`,
    );
  propose(AGENT);
  const shown = await say("agents", "proposals");
  expect(shown.lines[0]).toBe(`mine, proposed by ${file}: Talks`);
  expect(shown.lines.join("\n")).toContain(AGENT);
  expect(await say("run", "talk", "--trust")).toMatchObject({ code: 2 });
  expect((await say("agents", "accept", "mine")).stderr).toContain("USER.AGENT.CONSENT_REQUIRED");
  expect((await say("agents", "accept", "other", "--yes")).stderr).toContain("USER.AGENT.UNKNOWN");
  expect((await say("agents", "list", "--format", "json")).json().agents).toEqual([]);
  expect(existsSync(join(house.root, "log"))).toBe(false);

  expect(await say("agents", "accept", "mine", "--yes")).toMatchObject({ code: 0 });
  expect(existsSync(join(house.root, "log"))).toBe(false);
  expect(await say("run", "talk", "--trust")).toMatchObject({ code: 0 });
  // A later proposal is another proposal: the user's file stays.
  propose("/evil");
  const { agents } = (await say("agents", "list", "--format", "json")).json();
  expect(agents).toMatchObject([{ slug: "mine", args: [AGENT] }]);
  writeFileSync(file, "version: 1\npermissions: {allow: [{kind: execute}]}\n");
  expect((await say("run", "talk", "--trust")).lines.join("\n")).toContain("USER.CONFIG.INVALID");
});
