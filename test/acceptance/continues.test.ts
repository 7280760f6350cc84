/**
 * A run that goes on, or a conversation that does, is let go on as it was let begin. H51.
 *
 * G1. While the directory whose trust let a run begin is not trusted, it neither resumes nor takes an answer, in any face;
 *     it stays as it is, and goes on once the directory is trusted again.
 * G2. What was let run without trust for good goes on: that was consent to the run.
 * G3. A run whose directory is gone does not go on.
 * G4. An agent's conversation goes on only as its start was agreed to: a program that changed is asked about again.
 */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe } from "../../actors/troupe.ts";
import { Editor, saidIn } from "../support/acp-editor.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));

const FOOTPRINT = `name: footprint
states:
  initial: step
  step: {type: step, command: touch footprint, on_success: done}
  done: {type: terminal}
`;

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/talk.yaml"]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "footprint.yaml"), FOOTPRINT);
});
afterEach(() => house.leave());

async function say(...args: string[]) {
  const said = house.troupe(args);
  const { code } = await said.ended;
  return { code, told: said.stderr + said.lines.join("\n") };
}
const rowsOf = (session: string | undefined) => storedRows(house.store, session ?? "");
const runIn = (session: string | undefined): string =>
  rowsOf(session).find(({ type }) => type === "run.started")?.run ?? "";
const wasRun = (): boolean => existsSync(join(house.cwd, "footprint"));
/** A run of the trusted directory that its process left in the middle. */
async function cutOff(): Promise<string> {
  await say("trust", "add");
  await house.troupe(["run", "footprint"], { TROUPE_FAILPOINT: "work.before" }).ended;
  expect(wasRun()).toBe(false);
  return runIn(storedSessions(house.store).at(-1));
}

test("a parked run takes no answer while its directory is not trusted (G1)", async () => {
  await say("trust", "add");
  expect(await say("run", "talk")).toMatchObject({ code: 0 });
  const [session] = storedSessions(house.store);
  const run = runIn(session);
  await say("trust", "revoke", ".");
  const before = rowsOf(session);
  const refused = await say("resume", run, "--answer", "");
  expect([refused.code, refused.told]).toEqual([5, expect.stringContaining("USER.TRUST.REQUIRED")]);
  expect(refused.told).toContain(`troupe trust add ${house.cwd}`);
  expect(rowsOf(session)).toEqual(before);
  await say("trust", "add");
  expect(await say("resume", run, "--answer", "")).toMatchObject({ code: 0 });
  expect(rowsOf(session).at(-1)).toMatchObject({ type: "turn.completed" });
});

test("a run that was cut off does not go on there, for a terminal or an editor, until it is trusted again (G1)", async () => {
  const run = await cutOff();
  const [session] = storedSessions(house.store);
  await say("trust", "revoke", ".");
  expect(await say("resume", run, "--recover", "rerun")).toMatchObject({ code: 5 });
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  await editor.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  const answer = await editor.prompt(session ?? "", "go on");
  expect(answer.result).toMatchObject({ _meta: { "troupe/error": { code: "USER.TRUST.REQUIRED" } } });
  expect(saidIn(editor.trace)).toContain("is not trusted any more");
  await editor.leave();
  expect(wasRun()).toBe(false);
  expect(await say("resume", run, "--recover", "rerun", "--trust")).toMatchObject({ code: 0 });
  expect(wasRun()).toBe(true);
});

test("consent to one run is consent to its going on (G2)", async () => {
  await house.troupe(["run", "footprint", "--trust"], { TROUPE_FAILPOINT: "work.before" }).ended;
  expect(await say("resume", runIn(storedSessions(house.store)[0]), "--recover", "rerun")).toMatchObject({ code: 0 });
  expect(wasRun()).toBe(true);
});

test("a run whose directory is gone stays as it is (G3)", async () => {
  const run = await cutOff();
  renameSync(house.cwd, `${house.cwd}-moved`);
  const troupe = createTroupe({ environment: house.env });
  await expect(troupe.resume(run, { recover: "rerun" })).rejects.toMatchObject({ code: "USER.SESSION.CWD" });
  await troupe.close();
  renameSync(`${house.cwd}-moved`, house.cwd);
  expect(await say("resume", run, "--recover", "rerun")).toMatchObject({ code: 0 });
});

test("a conversation goes on with the program that was agreed to, and no other (G4)", async () => {
  const script = join(house.root, "agent.mjs");
  copyFileSync(AGENT, script);
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(house.root, "node_modules"));
  const log = join(house.root, "log");
  const env = ["--env", `AGENT_LOG=${log}`, "--env", `AGENT_MEMORY=${join(house.root, "memory")}`];
  await say("agents", "add", "mine", ...env, "--", process.execPath, script);
  await say("agents", "trust", "mine", "--yes");
  const starts = (): number => readFileSync(log, "utf8").match(/^start /gm)?.length ?? 0;
  expect(await say("chat", "mine", "-p", "say one")).toMatchObject({ code: 0 });
  expect(await say("chat", "--resume", "-p", "say two")).toMatchObject({ code: 0 });
  expect(starts()).toBe(2);
  appendFileSync(script, "// changed\n");
  const refused = await say("chat", "--resume", "-p", "say three");
  expect([refused.code, refused.told]).toEqual([5, expect.stringContaining("USER.AGENT.CONSENT_REQUIRED")]);
  expect(starts()).toBe(2);
});
