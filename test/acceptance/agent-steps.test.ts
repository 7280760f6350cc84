/**
 * What a step says of its agent: which one, with which conversation, and what it needs. H2, H52–H54.
 *
 * S1. `agent:` names one by slug or id; a new slug changes nothing.
 * S2. Steps that name a session share its conversation, in order, also after the run was resumed; an isolated step has
 *     one of its own.
 * S3. What a step needs is granted before the first step, or nothing runs.
 * S4. The result names the files that were changed, the tools that were used, and why the turn ended. A file whose edit
 *     failed is not among them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));

let house: House;
beforeEach(async () => {
  house = openHouse([]);
  house.env["TROUPE_TRUST"] = "1";
  for (const name of ["log", "memory"]) house.env[`AGENT_${name.toUpperCase()}`] = join(house.root, name);
  const env = ["LOG", "MEMORY"].flatMap((name) => ["--env", `AGENT_${name}=${house.env[`AGENT_${name}`]}`]);
  const added = ["agents", "add", "scribe", "--files", "write", ...env, "--", process.execPath, AGENT];
  expect(await say(...added)).toMatchObject({ code: 0 });
  house.env["TROUPE_TRUST_AGENTS"] = await id();
});
afterEach(() => house.leave());

async function say(...args: string[]) {
  const said = house.troupe(args);
  const { code } = await said.ended;
  return { code, told: said.stderr + said.lines.join("\n"), lines: said.lines };
}
const id = async (): Promise<string> => JSON.parse((await say("agents", "list", "--format", "json")).told).agents[0].id;
const write = (states: object): void =>
  writeFileSync(
    join(house.cwd, ".troupe", "workflows", "it.yaml"),
    JSON.stringify({ name: "it", states: { ...states, done: { type: "terminal" } } }),
  );
const configure = (config: object): void => {
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
};
const log = (): string[] =>
  readFileSync(join(house.root, "log"), "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("start"));

test("steps that name a session share its conversation, by the agent's id whatever its slug (S1, S2)", async () => {
  const step = (agent: string, session: string | null, next: string) => ({
    ...{ type: "agent", agent, prompt: "say hello", on_success: next },
    ...(session === null ? {} : { session }),
  });
  expect(await say("agents", "rename", "scribe", "writer")).toMatchObject({ code: 0 });
  write({
    initial: "one",
    one: step(await id(), "draft", "two"),
    two: step("scribe", "isolated", "three"),
    three: step("writer", "draft", "stop"),
    // The process that ran the first three is gone when this one continues.
    stop: { type: "step", command: "[ -e go ]", on_success: "four" },
    four: step("writer", "draft", "five"),
    five: step("writer", "other", "done"),
  });
  const first = await say("run", "it");
  expect([first.code, first.told]).toEqual([expect.any(Number), expect.stringContaining("stop")]);
  expect(log()).toEqual(["new s1", "prompt s1", "new s2", "prompt s2", "prompt s1"]);
  writeFileSync(join(house.cwd, "go"), "");
  delete house.env["TROUPE_TRUST_AGENTS"];
  expect(await say("rerun", "@last", "--from", "stop", "--trust-agent", "writer")).toMatchObject({ code: 0 });
  expect(log().slice(5)).toEqual(["resume s1", "prompt s1", "new s3", "prompt s3"]);
});

test.each([
  ["allow", {}, "asked about"],
  ["allow", { deny: [{ kind: "execute", agent: "scribe" }], default: "allow" }, "denied"],
  ["ask", { default: "deny" }, "denied"],
  ["allow", { allow: [{ kind: "execute", agent: "scribe" }] }, null],
  ["ask", {}, null],
])("a step that needs %s, where the user says %j: %s (S3, H53)", async (needed, permissions, why) => {
  configure({ permissions });
  write({
    initial: "first",
    first: { type: "step", command: "touch begun", on_success: "second" },
    second: { type: "agent", agent: "scribe", prompt: "say hello", requires: { execute: needed }, on_success: "done" },
  });
  const { code, told } = await say("run", "it");
  expect(code === 0).toBe(why === null);
  if (why !== null) expect(told).toContain(`here they are ${why}`);
  expect(existsSync(join(house.cwd, "begun"))).toBe(why === null);
});

test("the result names the files that were changed, the tools that were used, and why it ended (S4, H54)", async () => {
  configure({ permissions: { default: "allow" } });
  writeFileSync(join(house.cwd, "old.txt"), "a\nwritten\nb\n");
  const [fresh, old] = ["new.txt", "old.txt"].map((name) => join(house.cwd, name));
  write({
    initial: "first",
    first: { type: "agent", agent: "scribe", prompt: `write ${fresh}\nwrite ${old}`, on_success: "tell" },
    tell: { type: "step", command: "echo {{json .states.first.Edits}}", on_success: "cut" },
    cut: {
      type: "agent",
      agent: "scribe",
      prompt: "ask echo hi\nstop max_tokens",
      on_success: "done",
      on_failure: "why",
    },
    why: {
      type: "step",
      command: "echo why {{.states.first.StopReason}} {{.states.cut.StopReason}} {{json .states.cut.Tools}}",
      on_success: "done",
    },
  });
  const { code, told } = await say("run", "it");
  expect([code, told]).toEqual([0, expect.stringContaining('"Path":')]);
  const tools = JSON.stringify([{ Kind: "execute", Status: "completed", Title: "Just ask" }]);
  expect(told).toContain(`why end_turn max_tokens ${tools}`);
  const edits = JSON.parse(/\[\{"Added".*?\}\]/.exec(told)?.[0] ?? "null");
  expect(edits).toEqual([
    { Path: fresh, New: true, Added: 1, Removed: 0 },
    { Path: old, New: false, Added: 0, Removed: 2 },
  ]);
});
