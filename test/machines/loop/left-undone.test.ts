/** A loop that an earlier run has left undone, with rounds at once. */
import { describe, expect, it } from "vitest";
import { loopMachine } from "../../../machines/loop-machine.ts";
import type { Json } from "../../../machines/model.ts";
import { BAD, OK, result, STOPPED, settled } from "../../support/documents.ts";
import { cancel, Solo } from "../../support/machine.ts";
import { all, fan, input, type More } from "./fanned.ts";

describe("a loop that an earlier run has left undone", () => {
  const rest = { items: ["a", "b", "c", "d"], next: 4, again: [1], states: {} };
  const left = (Index: number, Item: string) => ({ ...result(OK, Item), Item, Index });
  const earlier = { rest, rounds: [left(0, "a"), left(2, "c"), left(3, "d")] };
  const again = (items: Json[], more: More = {}) =>
    new Solo(loopMachine, "loop/1", { ...input({ items, keep: ["each"], max: 16, ...more }), earlier });

  it("runs only the rounds that did not end well, and has the results of all", () => {
    const solo = again(["a", "b", "c", "d"]);
    expect(all(solo)).toEqual(["spawn step each/1.one"]);
    solo.done("each/1.one", settled(OK, { one: result(OK, "B") }));
    const { rounds } = solo.output as { rounds: { Item: string; Output: string; Index: number }[] };
    expect(rounds.map(({ Item, Output, Index }) => [Index, Item, Output])).toEqual([
      ...[
        [0, "a", "a"],
        [1, "b", "B"],
        [2, "c", "c"],
        [3, "d", "d"],
      ],
    ]);
  });
  it("runs them also where one that was taken over would be enough, and it is where they fail", () => {
    const solo = again(["a", "b", "c", "d"], { fanned: { strategy: "any_succeed", maxConcurrent: 1 } });
    expect(all(solo)).toEqual(["spawn step each/1.one"]);
    solo.done("each/1.one", settled(BAD));
    expect(solo.output).toMatchObject({ outcome: OK });
  });
  it("knows rounds by their items, in whatever order these are now", () => {
    const solo = again(["d", "new", "b", "a", "a"]);
    expect(all(solo)).toEqual(["spawn step each/1.one", "spawn step each/2.one", "spawn step each/4.one"]);
  });
  it("reports what it leaves undone itself, also when it is cancelled", () => {
    const solo = again(["a", "b", "c", "d", "e"], { max: 1 });
    solo.done("each/1.one", settled(BAD));
    expect(solo.output).toMatchObject({ outcome: { status: "failed" }, rest: { next: 5, again: [1, 4] } });
    const fresh = fan({ items: ["x", "y", "z"] });
    fresh.tell(cancel);
    fresh.done("each/0.one", settled(OK));
    fresh.done("each/1.one", settled(STOPPED));
    expect(fresh.output).toMatchObject({ outcome: STOPPED, rest: { next: 2, again: [1] } });
  });
  it("leaves no round undone that it did not want: after a break, or where one was enough", () => {
    const broken = fan({ items: ["x", "y", "z"], max: 1, breakWhen: "states.one.Output == 'X'" });
    broken.done("each/0.one", settled(OK, { one: result(OK, "X") }));
    const enough = fan({ items: ["x", "y", "z"], fanned: { strategy: "any_succeed", maxConcurrent: 2 } });
    enough.done("each/0.one", settled(BAD));
    enough.done("each/1.one", settled(OK));
    enough.done("each/2.one", settled(STOPPED));
    for (const { output } of [broken, enough]) {
      expect(output).toMatchObject({ outcome: OK });
      expect(output).not.toHaveProperty("rest");
    }
    const some = fan({
      ...{ items: ["x", "y", "z"], fanned: { strategy: "best_effort", maxConcurrent: 1 } },
      breakWhen: "states.one.Output == 'Y'",
    });
    some.done("each/0.one", settled(BAD));
    some.done("each/1.one", settled(OK, { one: result(OK, "Y") }));
    expect(some.output).toMatchObject({ outcome: OK, rest: { next: 3, again: [0] } });
  });
});
