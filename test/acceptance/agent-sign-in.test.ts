/**
 * An agent that wants to be signed in to. H24.
 *
 * W1. In a step a person chooses among the ways that it offers; without a person, or with a no, the step fails with what to
 *     do. A configured way is taken without a question.
 * W2. A way that wants a terminal runs the agent's own program there, and is never asked of the agent.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Asked, Editor, saidIn } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";
import { writeWorkflow } from "../support/house-workflow.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));

let house: House;
beforeEach(() => {
  house = openHouse([]);
  house.env["TROUPE_TRUST"] = "1";
  house.env["TROUPE_TRUST_AGENTS"] = "mine";
  writeWorkflow(house, "talk", {
    initial: "first",
    first: { type: "agent", agent: "mine", prompt: "say hello", on_success: "done" },
    done: { type: "terminal" },
  });
});
afterEach(() => house.leave());

const signedIn = (): string => join(house.root, "signed-in");
const log = (): string => (existsSync(join(house.root, "log")) ? readFileSync(join(house.root, "log"), "utf8") : "");
async function say(...args: string[]) {
  const said = house.troupe(args);
  const { code } = await said.ended;
  return { code, told: said.stderr + said.lines.join("\n") };
}
async function add(ways: string, ...flags: string[]): Promise<void> {
  const env = { AGENT_AUTH: signedIn(), AGENT_WAYS: ways, AGENT_LOG: join(house.root, "log") };
  const given = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  expect(await say("agents", "add", "mine", ...given, ...flags, "--", process.execPath, AGENT)).toMatchObject({
    code: 0,
  });
}
async function prompted(decide: (asked: Asked) => string | null) {
  const editor = new Editor(house.troupe(["acp"]));
  const asked: Asked[] = [];
  editor.decide = (one) => {
    asked.push(one);
    return decide(one);
  };
  await editor.initialize();
  const answer = await editor.prompt(await editor.open(house.cwd), "/talk");
  await editor.leave();
  return { asked, answer: JSON.stringify(answer), said: saidIn(editor.trace) };
}

test("a person chooses in a step, and it goes on (W1)", async () => {
  await add("key,mail,term");
  const { asked, said } = await prompted(({ options }) => options[1]?.optionId ?? null);
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked[0])).toContain("with your mail");
  expect(JSON.stringify(asked[0])).toContain("troupe agents login mine");
  expect(asked[0]?.options).toMatchObject([{ kind: "allow_once" }, { kind: "allow_once" }, { kind: "reject_once" }]);
  expect(said).toContain("hello");
  expect(log()).toContain("authenticate mail");
});

test("without an answer the step fails, and says what to do; a configured way is not asked about (W1)", async () => {
  await add("key,mail");
  const refused = await prompted(({ options }) => options.at(-1)?.optionId ?? null);
  expect(refused.answer).toContain("EXECUTION.AGENT.AUTH");
  const alone = await say("run", "talk");
  expect([alone.code === 0, alone.told]).toEqual([false, expect.stringContaining("troupe agents login mine")]);
  expect(log()).not.toContain("authenticate");
  await say("agents", "remove", "mine");
  await add("key,mail", "--auth", "key");
  expect(await say("run", "talk")).toMatchObject({ code: 0 });
  expect(log()).toContain("authenticate key");
});

test("troupe agents login takes the only way, or the one that is named (W1)", async () => {
  await add("key,mail");
  expect((await say("agents", "login", "mine")).told).toContain("troupe agents login mine <key, mail>");
  expect(await say("agents", "login", "mine", "other")).toMatchObject({ code: 1 });
  expect(existsSync(signedIn())).toBe(false);
  expect(await say("agents", "login", "mine", "mail")).toMatchObject({ code: 0, told: "Signed in to mine by mail." });
  expect(await say("agents", "login", "mine", "mail", "--format", "json")).toMatchObject({
    told: expect.stringContaining('"signIn": "not needed"'),
  });
  expect(log()).not.toContain("prompt");
});

test.each([
  ["open", 0],
  ["shut", 1],
])("a way of a terminal has the terminal to itself: %s (W2)", async (word, code) => {
  await add("term");
  expect((await say("run", "talk")).told).toContain("troupe agents login mine");
  const login = house.troupe(["agents", "login", "mine"]);
  login.child.stdin.end(`${word}\n`);
  expect(await login.ended).toMatchObject({ code });
  expect(login.stderr).toContain('"--login", with AGENT_REALM set');
  expect(login.lines.join("\n")).toContain("token for home:");
  expect(existsSync(signedIn())).toBe(code === 0);
  expect(log()).not.toContain("authenticate");
  if (code === 0) expect(await say("run", "talk")).toMatchObject({ code: 0 });
});
