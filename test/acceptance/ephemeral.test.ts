/**
 * `--ephemeral`: everything works as usual while the process lives, and nothing is left of it.
 *
 * P1. The store's folder is neither made nor needed.
 * P2. A question that no one can answer any more is cancelled, with a message that says so.
 * P3. Sessions are listed, loaded, forked and deleted as usual. Another process knows none of them.
 */
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, saidIn, updatesOf } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml"]);
});
afterEach(async () => {
  expect(existsSync(house.store)).toBe(false);
  await house.leave();
});

/** Rows without the fields that differ from run to run. */
const kinds = (lines: readonly string[]): unknown[] =>
  lines.map((line) => {
    const { seq, type, step } = JSON.parse(line) as { [name: string]: unknown };
    return [seq, type, step];
  });

const PARKED = { stopReason: "end_turn", _meta: { "troupe/state": "parked" } };

test("a run writes the same rows as one that is kept, where there can be no store (P1)", async () => {
  const run = ["run", "hello", "--trust", "--format", "json"];
  writeFileSync(dirname(house.store), "not a folder");
  const ephemeral = house.troupe([...run, "--ephemeral"]);
  expect(await ephemeral.ended).toEqual({ code: 0, signal: null });
  const other = openHouse(["acceptance/hello.yaml"]);
  try {
    const kept = other.troupe(run);
    expect(await kept.ended).toEqual({ code: 0, signal: null });
    expect(kinds(ephemeral.lines)).toEqual(kinds(kept.lines));
    expect(existsSync(other.store)).toBe(true);
  } finally {
    await other.leave();
  }
});

test("a run that parks where no one can be asked is cancelled (P2)", async () => {
  const run = house.troupe(["run", "talk", "--trust", "--ephemeral", "--format", "json"]);
  expect(await run.ended).toEqual({ code: 130, signal: null });
  expect(run.stderr).toBe(
    "troupe: cancelled: it waits for an answer, which no one can give here, and --ephemeral keeps nothing\n",
  );
  const completed = run.lines.map((line) => JSON.parse(line)).find(({ type }) => type === "run.completed");
  expect(completed.payload).toMatchObject({ status: "cancelled" });
  expect(existsSync(dirname(house.store))).toBe(false);
});

test("a run that fails suggests no command that could not find it (P2)", async () => {
  const file = join(house.cwd, ".troupe", "workflows", "broken.yaml");
  writeFileSync(
    file,
    "name: broken\nstates:\n  initial: a\n  a: {type: step, command: exit 7, on_success: done}\n  done: {type: terminal}\n",
  );
  const said = async (...flags: string[]): Promise<string> => {
    const run = house.troupe(
      ["run", "broken", "--trust", ...flags],
      flags.length > 0 ? {} : { TROUPE_HOME: house.root },
    );
    expect((await run.ended).code).toBe(3);
    return run.lines.join("\n");
  };
  expect(await said("--ephemeral")).not.toContain("troupe logs");
  expect(await said()).toContain("troupe logs");
});

async function enter(...flags: string[]): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp", ...flags], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  return editor;
}
const listed = async (editor: Editor): Promise<unknown[]> =>
  ((await editor.request("session/list", {})).result as { sessions: { sessionId: string }[] }).sessions;

test("an editor's session parks, is listed, loaded, answered and deleted, and is gone with its process (P1, P3)", async () => {
  const editor = await enter("--ephemeral");
  const session = await editor.open(house.cwd);
  const at = { sessionId: session, cwd: house.cwd, mcpServers: [] };
  expect((await editor.prompt(session, "/talk")).result).toEqual(PARKED);
  expect(await listed(editor)).toMatchObject([{ sessionId: session, _meta: { "troupe/state": "parked" } }]);
  expect((await editor.prompt(session, "")).result).toEqual({ stopReason: "end_turn" });
  const before = editor.trace.length;
  await editor.request("session/close", { sessionId: session });
  await editor.request("session/load", at);
  expect(saidIn(editor.trace.slice(before))).toContain("Who are you?");
  const again = await editor.open(house.cwd);
  expect((await editor.prompt(again, "/hello")).result).toEqual({ stopReason: "end_turn" });
  expect(await listed(editor)).toHaveLength(2);
  await editor.request("session/delete", { sessionId: again });
  expect(await listed(editor)).toMatchObject([{ sessionId: session }]);
  expect(updatesOf(editor.trace).length).toBeGreaterThan(0);
  expect(existsSync(dirname(house.store))).toBe(false);

  const other = await enter("--ephemeral");
  expect(await listed(other)).toEqual([]);
  expect((await other.request("session/load", at)).error).toMatchObject({
    code: -32002,
    data: { sessionId: session },
  });
  for (const one of [editor, other]) expect(await one.leave()).toMatchObject({ code: 0 });
  expect(existsSync(dirname(house.store))).toBe(false);
});
