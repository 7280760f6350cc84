/**
 * Sessions that are deleted, by their own process and by another one.
 *
 * E5. A deleted session is gone for every client, with its runs, and no process of it is left.
 */
import { expect, test } from "vitest";
import { childrenOf, storedRows } from "../support/house.ts";
import { at, die, enter, furnishOutliving, house, listed } from "./outliving.ts";

furnishOutliving();

test("a session is deleted while it runs: its prompt is answered, nothing is left (E5)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  const answer = editor.prompt(session, "/stubborn");
  await editor.hears("second up");
  expect(childrenOf(editor.agent.owner)).not.toEqual([]);
  const onlooker = await enter();
  const { error } = await onlooker.request("session/delete", { sessionId: session });
  expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("another troupe process") });

  const deleted = editor.request("session/delete", { sessionId: session });
  expect((await answer).result).toMatchObject({ stopReason: "cancelled" });
  expect((await deleted).result).toEqual({});
  expect(childrenOf(editor.agent.owner)).toEqual([]);
  expect(storedRows(house.store, session)).toEqual([]);
  expect(await listed(onlooker)).toEqual([]);
  expect((await onlooker.request("session/load", at(session))).error).toMatchObject({ code: -32002 });
  expect((await editor.prompt(session, "/hello")).error).toMatchObject({ code: -32002 });
  expect((await editor.request("session/delete", { sessionId: session })).result).toEqual({});
  const history = house.troupe(["history"]);
  await history.ended;
  expect(history.lines.join()).not.toContain("stubborn");
});

test.each(["parked", "interrupted"])("a %s session is deleted by another process (E5)", async (state) => {
  const first = await enter();
  const session = await first.open(house.cwd);
  if (state === "parked") await first.prompt(session, "/talk");
  else {
    void first.prompt(session, "/cut-off");
    await first.hears("Look it up");
  }
  await die(first);
  const second = await enter();
  expect(await listed(second)).toMatchObject([{ _meta: { "troupe/state": state } }]);
  expect((await second.request("session/delete", { sessionId: session })).result).toEqual({});
  expect(await listed(second)).toEqual([]);
  expect(storedRows(house.store, session)).toEqual([]);
});
