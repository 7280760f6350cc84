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

test("those behind the prompt's own are begun by forms, and no words of the client stand before them", () => {
  const turns = new OwnTurns();
  turns.send();
  expect(turns.isOfForm("own")).toBe(false);
  turns.sent("own");
  turns.send();
  expect(turns.isOfForm("answer")).toBe(true);
  turns.sent("answer");
  expect([turns.isOfForm("own"), turns.isOfForm("answer"), turns.isOfForm("other")]).toEqual([false, true, false]);
});

test("an answered prompt has none, also where what it sent was refused", () => {
  const turns = new OwnTurns();
  turns.send();
  turns.sent("own");
  turns.send();
  turns.forget();
  expect([turns.has("own"), turns.has("other")]).toEqual([false, false]);
});
