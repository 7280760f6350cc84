import fc from "fast-check";
import { expect, it } from "vitest";
import { type EnteredStates, hasEntered, withEntered } from "../../../machines/run/entered.ts";
import { command, nodesOf } from "../../support/documents.ts";

const names = Array.from({ length: 100 }, (_, at) => `s${at}`);
const states = nodesOf(...names.map((name) => command(name)));

it("exactly the states that were entered are known to be, in any order and number", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names)), (entered) => {
      const after = entered.reduce<EnteredStates>((known, name) => withEntered(known, states, name), []);
      const stored = JSON.parse(JSON.stringify(after)) as EnteredStates;
      expect(names.filter((name) => hasEntered(stored, states, name))).toEqual(
        names.filter((name) => entered.includes(name)),
      );
    }),
  );
});

it("what was known before is not changed", () => {
  const before = withEntered([], states, "s3");
  expect(withEntered(before, states, "s70")).toHaveLength(3);
  expect([before, hasEntered(before, states, "s70")]).toEqual([[8], false]);
});

// A run writes this down with every step.
it("as many states as a long run has take little room", () => {
  const many = nodesOf(...Array.from({ length: 1_600 }, (_, at) => command(`s${at}`)));
  const all = Object.keys(many).reduce<EnteredStates>((known, name) => withEntered(known, many, name), []);
  expect(all).toHaveLength(50);
});
