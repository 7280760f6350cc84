import { expect, test } from "vitest";
import { OwnTurns } from "../../../transports/acp/own-turns.ts";

test("a turn is known by its id; one that begins while ours is sent on is taken for it (I1)", () => {
  const turns = new OwnTurns();
  expect(turns.has("other")).toBe(false);
  turns.send();
  expect(turns.has("own")).toBe(true);
  turns.sent("own");
  expect([turns.has("own"), turns.has("other")]).toEqual([true, false]);
  turns.send();
  turns.sent("answer");
  expect([turns.has("own"), turns.has("answer"), turns.has("other")]).toEqual([true, true, false]);
});

test("where the id is known when it is sent on, one of another client that begins meanwhile is that one's", () => {
  const turns = new OwnTurns();
  turns.send("own");
  expect([turns.has("own"), turns.has("other")]).toEqual([true, false]);
});

test("an answered prompt has none, also where what it sent was refused", () => {
  const turns = new OwnTurns();
  turns.send();
  turns.sent("own");
  turns.send();
  turns.forget();
  expect([turns.has("own"), turns.has("other")]).toEqual([false, false]);
});
