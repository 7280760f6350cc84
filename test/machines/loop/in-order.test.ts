/** Where a loop in order begins that an earlier run has left undone. */
import { expect, test } from "vitest";
import type { LoopInput } from "../../../machines/contracts.ts";
import { goOnFrom, restOf } from "../../../machines/loop/in-order.ts";
import { OUTSIDE, type Position } from "../../../machines/loop/position.ts";
import { COMPLETED, type Json, type LoopRest } from "../../../machines/model.ts";
import { BAD, OK, result } from "../../support/documents.ts";

const of = (items: Json[] | null) => ({ items }) as unknown as LoopInput;
const STATES = { one: result(OK) };
const rest = (more: Partial<LoopRest>): { rest: LoopRest; rounds: [] } => ({
  rest: { items: ["a", "b", "c"], next: 2, again: [], states: STATES, ...more },
  rounds: [],
});
const began = (items: Json[] | null, more: Partial<LoopRest> = {}) => goOnFrom(of(items), rest(more));
const AT = (next: number): Position => ({ ...OUTSIDE, next, states: STATES });

test("a loop goes on at the round that did not end well, with what those before it have left", () => {
  expect(began(["a", "b", "c"])).toEqual(AT(2));
  expect(began(["a", "b", "c"], { again: [1] })).toEqual(AT(1));
  expect(began(null, { items: null })).toEqual(AT(2));
});

test("over other items it begins anew", () => {
  expect(began(["a", "b"])).toEqual(OUTSIDE);
  expect(began(["a", "x", "c"])).toEqual(OUTSIDE);
});

test("where items were not kept, those of the rounds before are known by their names", () => {
  const known = { items: null, labels: ["a", "b"] };
  expect(began(["a", "b", "whatever"], known)).toEqual(AT(2));
  expect(began(["a", "x", "whatever"], known)).toEqual(OUTSIDE);
  expect(began(["a"], known)).toEqual(OUTSIDE);
  expect(began(null, known)).toEqual(OUTSIDE);
  expect(began(["a", "", "c"], { items: null, labels: ["a", null] })).toEqual(OUTSIDE);
});

test("what is left undone is told of a loop that a round has ended, and of no other", () => {
  const over = (outcome: typeof COMPLETED | typeof BAD, more: Partial<Position> = {}): Position => ({
    ...OUTSIDE,
    stage: { is: "over", outcome, left: null },
    ...more,
  });
  const stopped = { index: 1, before: STATES };
  expect(restOf(of(["a", "b"]), over(BAD, { stopped }))).toEqual({
    items: ["a", "b"],
    next: 1,
    again: [],
    states: STATES,
  });
  expect(restOf(of(["a"]), over(COMPLETED, { stopped }))).toBeNull();
  expect(restOf(of(["a"]), over(BAD))).toBeNull();
  expect(restOf(of(["a"]), { ...OUTSIDE, stopped })).toBeNull();
});
