/**
 * The order in which an editor hears of many sessions, and of one whose log has a hole.
 *
 * O1 and O2 are those of `order.test.ts`.
 * O5. A log that lacks rows is an error with a code, never a session with a hole.
 */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, type Message } from "../support/acp-editor.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/talkative.yaml", "acceptance/hello.yaml"]);
});
afterEach(async () => {
  await house.leave();
});

test("no message of fifty sessions at once comes before the answer that names its session (O1, O2)", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const sessions = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const id = await editor.open(house.cwd);
      if (index % 10 === 0) expect((await editor.prompt(id, "/hello")).result).toEqual({ stopReason: "end_turn" });
      return id;
    }),
  );
  await Promise.all(
    sessions.map((id) =>
      editor.sees(({ message }) => {
        const { sessionId, update } = (message["params"] ?? {}) as { sessionId?: string; update?: Message };
        return sessionId === id && update?.["sessionUpdate"] === "available_commands_update";
      }),
    ),
  );
  await editor.leave();
  const { trace } = editor;
  for (const id of sessions) {
    const opened = trace.findIndex(({ message }) => (message["result"] as { sessionId?: string })?.sessionId === id);
    const spoken = trace.findIndex(
      ({ from, message }) => from === "agent" && (message["params"] as { sessionId?: string })?.sessionId === id,
    );
    expect(opened).toBeGreaterThan(0);
    expect(spoken).toBeGreaterThan(opened);
  }
});

test("a session whose log lacks a row is not loaded as if it were complete; others are served (O5)", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const [sessionId, other] = [await editor.open(house.cwd), await editor.open(house.cwd)];
  expect((await editor.prompt(sessionId, "/hello")).result).toEqual({ stopReason: "end_turn" });
  const { length } = storedRows(house.store, sessionId);
  const database = new DatabaseSync(house.store);
  database
    .prepare("delete from log where session=(select n from session where id=?) and seq=?")
    .run(`session/${sessionId}`, length - 1);
  database.close();
  expect((await editor.request("session/load", { sessionId, cwd: house.cwd, mcpServers: [] })).error).toEqual({
    code: -32603,
    message: "Internal error: SYSTEM.LOG.OUT_OF_ORDER",
    data: {
      code: "SYSTEM.LOG.OUT_OF_ORDER",
      details: expect.stringContaining(`lacks rows ${length - 1} to ${length - 1}`),
    },
  });
  expect((await editor.prompt(other, "/hello")).result).toEqual({ stopReason: "end_turn" });
  await editor.leave();
});
