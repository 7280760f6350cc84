/** Rounds at once: their beginning, their results, and the verdict of the loop. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepInput } from "../../../machines/contracts.ts";
import { begin, settle } from "../../../machines/loop/walk.ts";
import type { Outcome } from "../../../machines/model.ts";
import type { ForEachNode } from "../../../machines/workflow/document.ts";
import { BAD, command, OK, result, STOPPED, settled } from "../../support/documents.ts";
import { cancel } from "../../support/machine.ts";
import { all, fan, input } from "./fanned.ts";

const NO: Outcome = { status: "skipped", exitCode: 0 };

const strategy = (of: NonNullable<ForEachNode["fanned"]>["strategy"], max = 2) => ({
  fanned: { strategy: of, maxConcurrent: max },
});

describe("rounds at once", () => {
  it("begin in order, as many as may run at once, each labelled and in a card of its own", () => {
    const solo = fan();
    expect(all(solo)).toEqual(["spawn step each/0.one", "spawn step each/1.one"]);
    const birth = solo.input("each/1.one") as StepInput;
    expect([birth.round, birth.origin.parallel, birth.scope.loop]).toEqual([
      { item: "y", of: 3 },
      true,
      { Item: "y", Index: 1, Index1: 2, First: false, Last: false, Length: 3, Parent: null },
    ]);
    expect(solo.done("each/1.one", settled(OK))).toEqual(["spawn step each/2.one"]);
    expect(solo.done("each/2.one", settled(OK))).toEqual([]);
    expect(solo.done("each/0.one", settled(OK))).toEqual([]);
    expect(solo.output).toEqual({ ...settled(OK), rounds: [] });
  });

  it("see the results of their own states, and nothing of each other (I2)", () => {
    const nodes = [
      command("one"),
      command("two", { transitions: [{ when: "states.one.Output == 'b'", goto: "one" }] }),
    ];
    const solo = fan({ nodes, keep: ["one"] });
    solo.done("each/0.one", settled(OK, { one: result(OK, "a") }));
    solo.done("each/1.one", settled(OK, { one: result(OK, "b") }));
    expect((solo.input("each/0.two") as StepInput).scope.loop?.Item).toBe("x");
    expect(solo.done("each/0.two", settled(OK))).toEqual(["spawn step each/2.one"]);
    expect(solo.done("each/1.two", settled(OK))).toEqual(["spawn step each/1.one#2"]);
    expect((solo.input("each/2.one") as StepInput).scope.states).toEqual({});
  });

  it("keep their results in the order of the items, where something reads them (I1)", () => {
    const solo = fan({ max: 0, keep: ["each"], ...strategy("best_effort", 0) });
    solo.done("each/2.one", settled(OK, { one: result(OK, "c") }));
    solo.done("each/0.one", settled(BAD, { one: result(BAD, "a") }));
    solo.fail("each/1.one", { code: "X", message: "broken" });
    expect(solo.output).toMatchObject({
      outcome: OK,
      states: {},
      rounds: [
        { Item: "x", Index: 0, Status: "failed", Output: "a", ExitCode: BAD.exitCode },
        { Item: "y", Index: 1, Status: "failed", Output: "" },
        { Item: "z", Index: 2, Status: "completed", Output: "c" },
      ],
    });
  });

  it("are told which others have changed the same files in trees of their own, by what those are called", () => {
    const solo = fan({ max: 0, keep: ["each"], items: ["x", "a\nb", "z", "w"] });
    const tree = (...changed: string[]) => ({
      ...result(OK, ""),
      Worktree: {
        branch: "b",
        path: "/p",
        changed,
        commits: ["1"],
        merged: false,
        conflicts: [],
        onto: "main",
        base: "0",
      },
    });
    const files = [["one.ts", "all.ts"], ["all.ts", "one.ts"], ["all.ts"], ["two.ts"]];
    for (const [index, of] of files.entries()) solo.done(`each/${index}.one`, settled(OK, { one: tree(...of) }));
    const { rounds = [] } = solo.output as { rounds?: { Worktree: { overlaps?: object } }[] };
    expect(rounds.map(({ Worktree }) => Worktree.overlaps)).toEqual([
      [
        { file: "one.ts", with: ["2"] },
        { file: "all.ts", with: ["2", "z"] },
      ],
      [
        { file: "one.ts", with: ["x"] },
        { file: "all.ts", with: ["x", "z"] },
      ],
      [{ file: "all.ts", with: ["x", "2"] }],
      undefined,
    ]);
  });

  it("end where the body leads out, after a success", () => {
    const solo = fan({ max: 1, items: ["x"], nodes: [command("one", { onSuccess: "done" }), command("two")] });
    solo.done("each/0.one", settled(OK));
    expect(solo.output).toMatchObject({ outcome: OK, left: null });
  });

  it("are over at once when there is no item, under any strategy", () => {
    for (const each of ["all_succeed", "any_succeed", "best_effort"] as const)
      expect(fan({ items: [], ...strategy(each) }).output).toMatchObject({ outcome: OK });
  });

  it("run to their end after break_when holds, and no other begins (I4)", () => {
    const solo = fan({ breakWhen: "states.one.Output == 'stop'", keep: ["one"] });
    expect(solo.done("each/0.one", settled(OK, { one: result(OK, "stop") }))).toEqual([]);
    expect(solo.output).toBeUndefined();
    solo.done("each/1.one", settled(OK));
    expect(solo.output).toMatchObject({ outcome: OK });
  });

  it("take no more room, however many rounds went well (I5)", () => {
    const items = Array.from({ length: 500 }, (_, index) => index);
    const of = input({ items, max: 16 });
    let { position } = begin(of);
    let most = 0;
    for (const index of items) {
      position = settle(of, position, `each/${index}.one`, settled(OK, { one: result(OK, "x".repeat(100)) })).position;
      most = Math.max(most, JSON.stringify(position).length);
    }
    expect(most).toBeLessThan(1_500);
  });
});

describe("the verdict", () => {
  it("all_succeed ends with the first failure, names it, and waits for what runs (I3)", () => {
    const solo = fan();
    expect(solo.done("each/1.one", settled(BAD))).toEqual(["tell all cancel.requested"]);
    expect(solo.output).toBeUndefined();
    solo.done("each/0.one", settled(STOPPED));
    expect(solo.output).toMatchObject({
      outcome: {
        status: "failed",
        exitCode: 1,
        error: { code: "EXECUTION.LOOP.PARTIAL_FAILURE", message: '1 of 3 rounds of "each" failed: y' },
      },
    });
  });
  it("any_succeed ends with the first success", () => {
    const solo = fan(strategy("any_succeed"));
    expect(solo.done("each/0.one", settled(BAD))).toEqual(["spawn step each/2.one"]);
    expect(solo.done("each/1.one", settled(OK))).toEqual(["tell all cancel.requested"]);
    solo.done("each/2.one", settled(OK));
    expect(solo.output).toMatchObject({ outcome: OK });
  });
  it("any_succeed fails when no round succeeds", () => {
    const solo = fan({ items: ["x", "y"], ...strategy("any_succeed") });
    solo.done("each/1.one", settled(BAD));
    solo.done("each/0.one", settled(BAD));
    expect(solo.output).toMatchObject({
      outcome: { status: "failed", error: { message: '2 of 2 rounds of "each" failed: x, y' } },
    });
  });
  it("a round that was not approved skips the whole loop where all have to succeed", () => {
    const solo = fan({ items: ["x", "y"] });
    solo.done("each/1.one", settled(NO));
    solo.done("each/0.one", settled(OK));
    expect(solo.output).toMatchObject({ outcome: { status: "skipped", exitCode: 3 } });
  });
  it("a round that cancels itself cancels the whole loop", () => {
    const solo = fan(strategy("best_effort"));
    expect(solo.done("each/0.one", settled(STOPPED))).toEqual(["tell all cancel.requested"]);
    solo.done("each/1.one", settled(OK));
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });
  it("a cancel from outside changes it, and a round that ends later does not", () => {
    const solo = fan();
    solo.done("each/1.one", settled(BAD));
    solo.tell(cancel);
    solo.done("each/0.one", settled(OK));
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });
});

it("in any order of ends, no more rounds run at once than may, each runs once, and all are reported in order", () => {
  const OUTCOMES = [OK, OK, OK, BAD, NO];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("all_succeed" as const, "any_succeed" as const, "best_effort" as const),
      fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }),
      (many, max, of, draws) => {
        const items = Array.from({ length: many }, (_, index) => `i${index}`);
        const solo = fan({ items, keep: ["each"], ...strategy(of, max) });
        const open: string[] = [];
        const begun: string[] = [];
        const see = (effects: readonly string[]) => {
          for (const effect of effects)
            if (effect.startsWith("spawn step ")) {
              open.push(effect.slice("spawn step ".length));
              begun.push(effect);
            }
        };
        see(all(solo));
        let ended = 0;
        for (let at = 0; open.length > 0; at++) {
          expect(open.length).toBeLessThanOrEqual(max);
          const [path = ""] = open.splice((draws[at % 40] ?? 0) % open.length, 1);
          see(solo.done(path, settled(OUTCOMES[(draws[(at + 7) % 40] ?? 0) % OUTCOMES.length] ?? OK)));
          ended += 1;
        }
        expect(begun).toEqual(begun.map((_, index) => `spawn step each/${index}.one`));
        const { rounds } = solo.output as { rounds: { Index: number; Item: string }[] };
        expect(rounds.map(({ Index, Item }) => [Index, Item])).toEqual(
          Array.from({ length: ended }, (_, index) => [index, `i${index}`]),
        );
        if (of === "best_effort") expect(ended).toBe(many);
      },
    ),
  );
});
