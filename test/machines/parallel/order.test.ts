import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOT_BEGUN, nextBranches, type Order, withEnded } from "../../../machines/parallel/order.ts";
import { command, nodesOf, parallel } from "../../support/documents.ts";

const of = (needs: { [name: string]: string[] }) => ({
  node: parallel("fan", Object.keys(needs)),
  nodes: nodesOf(...Object.entries(needs).map(([name, dependsOn]) => command(name, { dependsOn }))),
});
const names = (begin: { name: string }[]) => begin.map(({ name }) => name);

describe("the order of branches", () => {
  it("a branch begins after what it depends on has ended (I1)", () => {
    const fan = of({ late: ["early"], early: [], other: [] });
    const first = nextBranches(fan, NOT_BEGUN, 3, 0);
    expect(first.begin).toEqual([
      { name: "early", passedOver: false },
      { name: "other", passedOver: false },
    ]);
    const meanwhile = nextBranches(fan, withEnded(fan, first.order, "other", true), 2, 1);
    expect(meanwhile.begin).toEqual([]);
    const last = nextBranches(fan, withEnded(fan, meanwhile.order, "early", true), 3, 0);
    expect(last.begin).toEqual([{ name: "late", passedOver: false }]);
    expect(last.order).toEqual({ begun: 3, held: [], ended: { early: true } });
  });

  it("is passed over where that one has not completed, and so is every branch that depends on it", () => {
    const fan = of({ a: [], b: ["a"], c: ["b"] });
    const first = nextBranches(fan, NOT_BEGUN, 3, 0).order;
    const second = nextBranches(fan, withEnded(fan, first, "a", false), 3, 0);
    expect(second.begin).toEqual([{ name: "b", passedOver: true }]);
    const third = nextBranches(fan, withEnded(fan, second.order, "b", false), 3, 0);
    expect(third.begin).toEqual([{ name: "c", passedOver: true }]);
  });

  it("a name that is no branch is left to the step, also a name of Object.prototype", () => {
    const fan = of({ a: ["elsewhere", "constructor"] });
    expect(nextBranches(fan, NOT_BEGUN, 1, 0).begin).toEqual([{ name: "a", passedOver: false }]);
  });

  it("branches that wait for each other begin when nothing else is left (I3)", () => {
    const fan = of({ a: ["b"], b: ["a"], c: [] });
    const first = nextBranches(fan, NOT_BEGUN, 3, 0);
    expect(names(first.begin)).toEqual(["c"]);
    const second = nextBranches(fan, withEnded(fan, first.order, "c", true), 3, 0);
    expect(second.begin).toEqual([
      { name: "a", passedOver: false },
      { name: "b", passedOver: false },
    ]);
  });

  it("every branch begins once, none before what it depends on, and never more at once than may run", () => {
    const graph = fc.integer({ min: 1, max: 8 }).chain((size) =>
      fc.record({
        needs: fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 3 }), { minLength: size, maxLength: size }),
        order: fc.shuffledSubarray(
          Array.from({ length: size }, (_, at) => at),
          { minLength: size },
        ),
        room: fc.integer({ min: 1, max: 4 }),
      }),
    );
    fc.assert(
      fc.property(graph, ({ needs, order: shuffled, room }) => {
        // A branch needs earlier ones only, and the document lists them in any order: no circles.
        const entries = shuffled.map((at) => [
          `b${at}`,
          (needs[at] ?? []).filter((each) => each < at).map((each) => `b${each}`),
        ]);
        const wanted = Object.fromEntries(entries) as { [name: string]: string[] };
        const fan = of(wanted);
        const begun: string[] = [];
        const ended: string[] = [];
        let order: Order = NOT_BEGUN;
        for (;;) {
          const active = begun.length - ended.length;
          const next = nextBranches(fan, order, room - active, active);
          order = next.order;
          for (const { name } of next.begin) {
            expect(wanted[name]?.every((each) => ended.includes(each))).toBe(true);
            begun.push(name);
          }
          expect(begun.length - ended.length).toBeLessThanOrEqual(room);
          const end = begun[ended.length];
          if (end === undefined) break;
          ended.push(end);
          order = withEnded(fan, order, end, true);
        }
        expect(begun.toSorted()).toEqual(Object.keys(wanted).toSorted());
      }),
    );
  });
});
