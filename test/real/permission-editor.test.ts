/**
 * The permission questions of the real Claude Code, asked of an editor through `troupe acp`.
 *
 * Q1. An answer for good is asked for once; the tool is used each time.
 * Q2. Cancel while the question is open: the tool is not used, and nothing keeps running.
 * Q3. `kill -9` while it is open: after the next start nothing of the killed process runs, the question is closed, and
 *     the same conversation continues and asks anew.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Asked, Editor, saidIn } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { childrenOf, type House, openHouse, storedRows } from "../support/house.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
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
  house = openHouse(["real/asks.yaml"]);
  await server.reset();
});
afterEach(async () => {
  await house.leave();
  expect(editors.flatMap(({ trace }) => faultsOf(trace))).toEqual([]);
});

async function enter(): Promise<Editor> {
  const environment = { ...claudeEnvironment(server, house.env["HOME"] ?? ""), TROUPE_TRUST: "1" };
  const editor = new Editor(house.troupe(["acp"], environment));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
const touches = (file: string): string => `/asks prompt="[[tool:touch ${file}]] Run it"`;
const made = (file: string): boolean => existsSync(join(house.cwd, file));
const questions = ({ trace }: Editor): Asked[] =>
  trace.flatMap(({ message }) =>
    message["method"] === "session/request_permission" ? [message["params"] as Asked] : [],
  );
const answers = (session: string): unknown[] =>
  storedRows(house.store, session).flatMap((row) =>
    row.type === "permission.resolved" ? [row.payload.option ?? row.payload.outcome] : [],
  );

it("an answer for good is asked for once (Q1)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = () => "allow_always";
  for (let n = 0; n < 2; n++) {
    expect((await editor.prompt(session, touches("a.txt"))).result).toMatchObject({ stopReason: "end_turn" });
    expect(made("a.txt")).toBe(true);
    rmSync(join(house.cwd, "a.txt"));
  }
  expect(questions(editor)).toMatchObject([
    {
      toolCall: {
        title: "May the agent use Bash (execute)? command: touch a.txt",
        rawInput: { command: "touch a.txt" },
      },
    },
  ]);
  editor.decide = () => "reject_once";
  await editor.prompt(session, touches("b.txt"));
  expect([made("b.txt"), questions(editor).length]).toEqual([false, 2]);
  expect(saidIn(editor.trace)).toContain("The tool returned: The user did not allow this use of Bash.");
});

it("a cancel while the question is open uses no tool (Q2)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = () => {
    editor.notify("session/cancel", { sessionId: session });
    return undefined;
  };
  expect((await editor.prompt(session, touches("a.txt"))).result).toMatchObject({ stopReason: "cancelled" });
  expect([made("a.txt"), answers(session), childrenOf(editor.agent.owner)]).toEqual([false, ["cancelled"], []]);
});

it("after a kill while the question is open the conversation asks anew (Q3)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  first.decide = () => {
    first.agent.kill();
    return undefined;
  };
  void first.prompt(session, touches("a.txt")).catch(() => undefined);
  await first.agent.ended;

  const second = await enter();
  second.decide = (asked) => asked.options[0]?.optionId ?? null;
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect((await second.prompt(session, "go on")).result).toMatchObject({ stopReason: "end_turn" });
  expect(answers(session).slice(0, 2)).toEqual(["cancelled", "rerun"]);
  expect(answers(session).slice(2)).toContain("allow_once");
  expect(made("a.txt")).toBe(true);
  expect([...childrenOf(first.agent.owner), ...childrenOf(second.agent.owner)]).toEqual([]);
});
