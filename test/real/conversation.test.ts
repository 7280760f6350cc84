/**
 * A conversation with the real Claude Code through `troupe acp`: it parks after each turn, and the next prompt
 * continues it.
 *
 * C1. Between turns and after the last one there is no new process, timer or file.
 * C2. `kill -9` while it is parked: the same conversation continues in another process, with any face that answers.
 * C3. `kill -9` while the agent streams: what it had said is shown, and the same conversation continues.
 */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { scanProcesses } from "../../actors/process/table.ts";
import { Editor, saidIn } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { childrenOf, type House, openHouse, storedRows } from "../support/house.ts";
import { ModelServer, saidTo } from "../support/model-server/model-server.ts";
import { AT_REST, storedHolds, storedStates } from "../support/stored.ts";
import { claudeEnvironment } from "./subjects/claude.ts";

let server: ModelServer;
let house: House;
let editors: Editor[];
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  editors = [];
  house = openHouse(["real/talks.yaml"]);
  await server.reset();
});
afterEach(async () => {
  await house.leave();
  expect(editors.flatMap(({ trace }) => faultsOf(trace))).toEqual([]);
});

const environment = () => ({ ...claudeEnvironment(server, house.env["HOME"] ?? ""), TROUPE_TRUST: "1" });
async function enter(): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], environment()));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
/** Another process, which loads the session and continues. */
async function enterAgain(session: string): Promise<Editor> {
  const editor = await enter();
  await editor.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  return editor;
}
async function die({ agent }: Editor): Promise<void> {
  agent.kill();
  await agent.ended;
}
const END = { result: { stopReason: "end_turn" } };
/** All files except those in the homes, which hold the agent's own history and the store. Folders may stay. */
/** Claude Code leaves these itself. */
const PROBE = /^claude-[0-9]+\/fswatch-probe-/;
const files = (): string[] =>
  readdirSync(house.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(house.root, join(parentPath, name)))
    .filter((path) => !path.startsWith("home") && !PROBE.test(path));
/** Every process of this user that runs in the house, with any parent. */
const running = (): number[] => editors.flatMap(({ agent }) => childrenOf(agent.owner));
const expectParked = (session: string): void => {
  const states = storedStates(house.store, session);
  expect(states[`session/${session}`]).toBe("parked");
  expect(Object.values(states)).toContain("waiting");
  expect(storedHolds(house.store, session)).toEqual(AT_REST);
  expect(running()).toEqual([]);
};
/** How many turns the model's last request held, and whether it held the first words. */
async function lastHeard(): Promise<{ turns: number; text: string }> {
  const last = (await server.requests()).at(-1);
  if (last === undefined) throw new Error("nothing was asked of the model");
  return { turns: (last.body.messages ?? []).filter(({ role }) => role === "user").length, text: saidTo(last) };
}

it("of five turns leaves nothing behind (C1)", async () => {
  const before = files();
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await editor.prompt(session, '/talks prompt="token=ALPHA"')).toMatchObject(END);
  expectParked(session);
  for (let turn = 2; turn <= 5; turn++) {
    expect(await editor.prompt(session, `word ${turn}`)).toMatchObject(END);
    expect(saidIn(editor.trace)).toContain(`turn ${turn}. You said: word ${turn}. First prompt was: token=ALPHA`);
    expectParked(session);
  }
  expect(await lastHeard()).toMatchObject({ turns: 5, text: expect.stringContaining("word 3") });
  expect(await editor.prompt(session, "")).toMatchObject(END);
  expect(saidIn(editor.trace)).toContain("The talk is over.");
  // The run's results stay, for a rerun.
  const { run } = storedRows(house.store, session).find(({ type }) => type === "run.started") ?? {};
  expect(storedStates(house.store, session)).toEqual({ [`session/${session}`]: "idle", [`run/${run}`]: "ended" });
  expect(storedHolds(house.store, session)).toEqual(AT_REST);
  expect(await editor.leave()).toEqual({ code: 0, signal: null }); // no timer and no listener holds it
  expect(running()).toEqual([]);
  expect(scanProcesses(null).filter(({ owner }) => owner === editor.agent.owner)).toEqual([]);
  expect(files()).toEqual(before);
  const runs = storedRows(house.store, session).filter(({ type }) => type.startsWith("run."));
  expect(runs.map(({ type, run }) => [type, run])).toEqual([
    ["run.started", runs[0]?.run],
    ["run.completed", runs[0]?.run],
  ]);
});

it("continues in another process after a kill while it is parked (C2)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  expect(await first.prompt(session, '/talks prompt="token=BETA"')).toMatchObject(END);
  await die(first);
  expectParked(session);

  const second = await enterAgain(session);
  expect(saidIn(second.trace)).toBe(saidIn(first.trace));
  expect(await second.prompt(session, "word 2")).toMatchObject(END);
  expect(saidIn(second.trace)).toContain("turn 2. You said: word 2. First prompt was: token=BETA");
  await die(second);
  expectParked(session);

  const run = storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";
  const third = house.troupe(["resume", run, "--answer", "word 3"], environment());
  expect(await third.ended).toEqual({ code: 0, signal: null });
  expect(third.lines.join("\n")).toContain("turn 3. You said: word 3. First prompt was: token=BETA");
  expectParked(session);
  expect(await lastHeard()).toMatchObject({ turns: 3, text: expect.stringContaining("word 2") });
});

it("continues in another process after a kill while it streams (C3)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  expect(await first.prompt(session, '/talks prompt="token=GAMMA"')).toMatchObject(END);
  const second = await enterAgain(session);
  void first.prompt(session, "[[delay:1000]] word 2").catch(() => undefined);
  await second.sees(() => saidIn(second.trace).endsWith("Hello from the ")); // it is in the log
  await die(first);

  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  // That the first process died may have been told before the load was read.
  expect(saidIn(second.trace)).toMatch(
    /First prompt was: token=GAMMAHello from the (\n\nThe run of "talks" was interrupted\.[^\n]*?A command runs nothing until then\.)?Hello from the stub model, turn 1\./,
  );
  second.decide = ({ options }) => options.find(({ optionId }) => optionId === "rerun")?.optionId ?? null;
  expect(await second.prompt(session, "go on")).toMatchObject(END);
  expect(saidIn(second.trace)).toContain("You said: word 2. First prompt was: token=GAMMA");
  expectParked(session);
  expect(await second.prompt(session, "word 3")).toMatchObject(END);
  expect(saidIn(second.trace)).toContain("You said: word 3. First prompt was: token=GAMMA");
  expect(childrenOf(first.agent.owner)).toEqual([]);
});
