/**
 * The first start of an agent of one's own, in every face. H7, H10, H19–H21.
 *
 * F1. Where nobody can be asked it does not start: exit code 5, whatever is trusted; `--trust-agent` lets it.
 * F2. The question is a permission like others: an editor shows all of it, and an answer for good holds for every face.
 * F3. What has changed is asked again; a new name has not changed it; another machine has agreed to nothing.
 * F4. What was agreed to is listed, and taken back.
 * F5. A name of `--trust-agent` that means no agent does not wait for that agent's start to be noticed.
 */
import { appendFileSync, copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe } from "../../actors/troupe.ts";
import { withoutTrust } from "../../transports/cli/commands/mcp.ts";
import { type Asked, Editor } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";
import { nobodyAnswers } from "../support/nobody.ts";
import { startServer } from "../support/server.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const WORKFLOW = `name: talk
states:
  initial: first
  first: {type: agent, provider: mine, prompt: say one, on_success: second}
  second: {type: agent, provider: mine, prompt: say two, on_success: done}
  done: {type: terminal}
`;

let house: House;
let script: string;
beforeEach(async () => {
  house = openHouse([]);
  script = join(house.root, "agent.mjs");
  copyFileSync(AGENT, script);
  // The packages that it needs.
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(house.root, "node_modules"));
  writeFileSync(join(house.cwd, ".troupe", "workflows", "talk.yaml"), WORKFLOW);
  await say(
    "agents",
    "add",
    "mine",
    "--env",
    `AGENT_LOG=${join(house.root, "log")}`,
    "--",
    process.execPath,
    script,
    "--acp",
  );
});
afterEach(() => house.leave());

const starts = (): number =>
  existsSync(join(house.root, "log"))
    ? (readFileSync(join(house.root, "log"), "utf8").match(/^start /gm)?.length ?? 0)
    : 0;
async function say(...args: string[]) {
  const said = house.troupe(args, { TROUPE_TRUST: "1" });
  const { code } = await said.ended;
  return { code, lines: said.lines, told: said.stderr + said.lines.join("\n") };
}
async function answered(option: string, ...flags: string[]): Promise<Asked[]> {
  const editor = new Editor(house.troupe(["acp", ...flags], { TROUPE_TRUST: "1" }));
  const asked: Asked[] = [];
  editor.decide = (one) => {
    asked.push(one);
    return option;
  };
  await editor.initialize();
  const session = await editor.open(house.cwd);
  await editor.prompt(session, "/talk");
  await editor.leave();
  return asked;
}

test("where nobody can be asked it does not start, and --trust-agent lets it (F1)", async () => {
  const refused = await say("run", "talk", "--trust");
  expect([refused.code, refused.told]).toEqual([5, expect.stringContaining("USER.AGENT.CONSENT_REQUIRED")]);
  expect(refused.told).toContain(
    "agree beforehand with troupe agents trust mine, or let it start with --trust-agent mine",
  );
  expect(starts()).toBe(0);
  expect(await say("run", "talk", "--trust-agent", "mine")).toMatchObject({ code: 0 });
  expect(starts()).toBe(1);
  expect(await say("run", "talk")).toMatchObject({ code: 5 });

  // The same of what serves others; nothing of it is kept.
  expect(await answered("refuse", "--trust-agent", "mine")).toEqual([]);
  const connect = async (...flags: string[]) => {
    const { url, process } = await startServer(house, flags, { TROUPE_TRUST: "1" });
    const { code } = await say("acp", "connect", url, "-p", "/talk");
    process.kill();
    return code;
  };
  expect(await connect("--trust-agent", "mine")).toBe(0);
  expect(starts()).toBe(3);
  expect(await connect()).not.toBe(0);
  expect(starts()).toBe(3);
  // The command line of an MCP server may come from a repository.
  expect(withoutTrust({ TROUPE_TRUST: "1", TROUPE_TRUST_AGENTS: "mine", OTHER: "1" })).toEqual({ OTHER: "1" });
  expect(await say("mcp", "--trust-agent", "mine")).toMatchObject({ code: 1 });
});

test("a name that means no agent is refused before anything begins, and told by what serves (F5)", async () => {
  const slip = await say("run", "talk", "--trust-agent", "mime");
  expect(slip).toMatchObject({
    code: 1,
    told: expect.stringContaining('there is no agent "mime"; did you mean "mine"?'),
  });
  const left = await say("run", "talk", "--detach", "--trust-agent", "mime");
  expect(left).toMatchObject({ code: 1, told: expect.stringContaining("USER.AGENT.UNKNOWN") });
  await say("agents", "rename", "mine", "yours");
  const former = await say("resume", "--trust-agent", "mine");
  expect(former).toMatchObject({
    code: 1,
    told: expect.stringContaining('is called "yours" now: --trust-agent yours'),
  });
  expect((await say("history", "--format", "json")).told).toBe("[]");
  expect(starts()).toBe(0);

  // An agent may come later to what serves: it goes on.
  const editor = new Editor(house.troupe(["acp", "--trust-agent", "other"]));
  await editor.initialize();
  await editor.open(house.cwd);
  expect(editor.agent.stderr).toContain('--trust-agent: there is no agent "other"');
  await editor.leave();
});

test("an editor is asked once a run, with all of it, and a no starts nothing (F2)", async () => {
  expect(await answered("refuse")).toHaveLength(1);
  expect(starts()).toBe(0);
  const [asked, ...more] = await answered("once");
  expect(more).toEqual([]);
  const shown = JSON.stringify(asked);
  for (const part of [process.execPath, script, "--acp", "AGENT_LOG", house.cwd, "with your rights", "sha256"])
    expect(shown).toContain(part);
  expect(shown).not.toContain(join(house.root, "log"));
  expect(starts()).toBe(1);
  expect(await say("run", "talk")).toMatchObject({ code: 5 });
});

test("an answer for good holds in every face, until something changes; a name is nothing (F2, F3, F4)", async () => {
  expect(await answered("always")).toHaveLength(1);
  expect(await say("run", "talk")).toMatchObject({ code: 0 });
  await say("agents", "rename", "mine", "yours");
  expect(await say("run", "talk")).toMatchObject({ code: 0 });

  const troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" }, machine: "another" });
  const run = await troupe.run({ cwd: house.cwd, workflow: "talk", inputs: {}, consent: "yes" });
  nobodyAnswers(run);
  expect((await run.done).outcome).toMatchObject({ status: "failed", error: { code: "USER.AGENT.CONSENT_REQUIRED" } });
  await troupe.close();

  appendFileSync(script, "// changed\n");
  expect(await say("run", "talk")).toMatchObject({ code: 5 });
  const [asked] = await answered("always");
  expect(JSON.stringify(asked)).toContain("this has changed: files");
  expect(await say("run", "talk")).toMatchObject({ code: 0 });

  const listed = await say("trust", "list");
  expect(listed.told).toContain(`yours  ${house.cwd}`);
  expect((await say("agents", "revoke", "yours")).lines).toEqual([
    `yours no longer starts in ${house.cwd} without a question.`,
  ]);
  expect(await say("run", "talk")).toMatchObject({ code: 5 });
});
