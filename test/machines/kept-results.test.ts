/** Covers I1 and I2 of `kept-results.ts`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  added,
  allOf,
  keepsResults,
  PORTION,
  pickOf,
  type Results,
  resultsIn,
  withResults,
} from "../../machines/kept-results.ts";
import type { StateResults } from "../../machines/model.ts";
import { OK, result } from "../support/documents.ts";

const NONE: Results = { states: {} };
const portionsOf = ({ filled = [], states }: Results): StateResults[] => [...filled, states];

describe("results of states", () => {
  it("are those that were added, in order, also where some were replaced", () => {
    const name = fc.oneof(
      fc.constantFrom("a", "constructor", "__x", "toString"),
      fc.string({ minLength: 1 }).map((s) => `s${s}`),
    );
    const steps = fc.array(fc.tuple(fc.array(name, { maxLength: 3 }), fc.nat(2)), { maxLength: 400 });
    fc.assert(
      fc.property(steps, (more) => {
        const expected = new Map<string, StateResults[string]>();
        let results = NONE;
        for (const [names, text] of more) {
          const before = JSON.stringify(results);
          const states = Object.fromEntries(names.map((each) => [each, result(OK, String(text))]));
          const next = added(results, states);
          expect(JSON.stringify(results)).toBe(before);
          results = next;
          for (const each of Object.keys(states)) expected.set(each, states[each] as StateResults[string]);
        }
        const all = Object.fromEntries(expected);
        expect(allOf(results)).toEqual(all);
        expect(Object.keys(allOf(results))).toEqual([...expected.keys()]);
        const [some] = more.at(-1) ?? [[]];
        expect(pickOf(results, some)).toEqual(Object.fromEntries(some.map((each) => [each, all[each]])));
        expect(pickOf(results, "all")).toEqual(all);
      }),
      { numRuns: 50 },
    );
  });

  it("share every portion except the one that grows", () => {
    let results = NONE;
    for (let at = 0; at < 5 * PORTION; at++) {
      const before = new Set(portionsOf(results));
      results = added(results, { [`s${at}`]: result(OK) });
      expect(portionsOf(results).filter((portion) => !before.has(portion))).toHaveLength(1);
    }
    expect(Math.max(...portionsOf(results).map((portion) => Object.keys(portion).length))).toBe(PORTION);
  });

  it("stay the same portions when nothing new is added", () => {
    const known = result(OK);
    const results = added(NONE, { a: known });
    expect(added(results, { a: known }).states).toBe(results.states);
    expect(added(results, {}).states).toBe(results.states);
  });
});

describe("a result of a full portion", () => {
  const names = Array.from({ length: PORTION + 1 }, (_, at) => `s${at}`);
  const two = names.reduce((results, name) => added(results, { [name]: result(OK, name) }), NONE);
  it("takes the place of the one before, in its portion", () => {
    const next = added(two, { s3: result(OK, "again") });
    expect(next.states).toBe(two.states);
    expect(next.filled).toEqual([{ ...two.filled?.[0], s3: result(OK, "again") }]);
    expect(Object.keys(allOf(next))).toEqual(names);
    expect(pickOf(next, ["s3", "s64"])).toEqual({ s3: result(OK, "again"), s64: result(OK, "s64") });
  });
  it("is left alone where it is the same", () => {
    const known = two.filled?.[0]?.["s3"];
    if (known === undefined) throw new Error("the portion is full");
    expect(added(two, { s3: known }).filled).toBe(two.filled);
  });
});

describe("a context", () => {
  const [states, more] = [{ a: result(OK) }, { b: result(OK) }];
  it("of a run or a loop keeps them in its position, that of a parallel by itself", () => {
    for (const kind of ["run", "loop"] as const) {
      const context = { name: "n", position: { next: 1, filled: [states], states: more } };
      expect(resultsIn(kind, context)).toEqual({ filled: [states], states: more });
      expect(withResults(kind, context, states)).toEqual({ name: "n", position: { next: 1, states } });
      expect(resultsIn(kind, { position: { states } })).toEqual({ states });
      expect(withResults(kind, { name: "n" }, states)).toEqual({ name: "n", position: { states } });
    }
    const context = { name: "n", filled: [states], states: more };
    expect(resultsIn("parallel", context)).toEqual({ filled: [states], states: more });
    expect(withResults("parallel", context, states)).toEqual({ name: "n", states });
  });
  it("of a version without them, or of another machine, keeps none", () => {
    const context = { name: "n", states };
    expect(resultsIn("run", context)).toBeUndefined();
    expect(resultsIn("parallel", { name: "n" })).toBeUndefined();
    expect(resultsIn("step", context)).toBeUndefined();
    expect(withResults("step", context, more)).toBe(context);
    expect((["run", "loop", "parallel", "step", "turn"] as const).map(keepsResults)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
