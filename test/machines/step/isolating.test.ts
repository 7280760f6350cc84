/** Covers `isolating.ts`: a step in a tree of its own, from the first git step to the last. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { CANCELLED, COMPLETED, type Outcome } from "../../../machines/model.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import { YES } from "../../../machines/worktree/progress.ts";
import { BAD, command, OK, retry, stepBirth, worked } from "../../support/documents.ts";
import { cancel, resume, Solo } from "../../support/machine.ts";
import { ISOLATION, LEFT, MADE, MERGEABLE, planOf, readyOf } from "../../support/trees.ts";

const PLAN = planOf("work");
const READY = readyOf("work");
const BROKEN = { code: "X", message: "broken" };
const LIMIT_MS = 60_000;

const begun = () =>
  new Solo(stepMachine, "step/1", stepBirth(command("work", { isolation: ISOLATION, timeoutMs: LIMIT_MS })));
/** Its work runs, in the tree. */
const working = () => {
  const solo = begun();
  for (const [key, value] of Object.entries(READY)) solo.done("tree", { [key]: value });
  return solo;
};
const done = () => {
  const solo = working();
  solo.done("work", worked(OK, "out"));
  return solo;
};
/** What it has left could be merged, and a person is asked. */
const asked = () => {
  const solo = done();
  solo.done("tree", { left: LEFT });
  solo.done("tree", { weighed: MERGEABLE });
  return solo;
};
const gitStep = (solo: Solo) => solo.input("tree");
const asks = (deed: string, tree: object) => expect.objectContaining({ do: deed, tree });
const ended = ({ status, exitCode, error }: Outcome): Row => ({
  type: "step.completed",
  run: "r1",
  step: "work",
  payload: { name: "work", kind: "command", status, exitCode, ...(error === undefined ? {} : { error }) },
});
const LEFT_AS_IT_IS: Row = {
  type: "notice",
  run: "r1",
  step: "work",
  payload: { severity: "warning", code: "X", message: 'the tree of "work" is left as it is: broken' },
};
/** How it ended, what it reports of its work, and its last row. */
const endOf = (solo: Solo) => {
  const { outcome, states } = solo.output as {
    outcome: Outcome;
    states: { work?: { Output: string; Status: string } };
  };
  return [outcome, states.work?.Output, states.work?.Status, solo.rows.at(-1)];
};

describe("a step in a tree of its own", () => {
  it("has each git step recorded before the next one begins (I1)", () => {
    const solo = begun();
    expect(gitStep(solo)).toEqual(asks("plan", {}));
    expect(solo.done("tree", { plan: PLAN })).toEqual(["spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("add", { plan: PLAN }));
    expect(solo.done("tree", { made: MADE })).toEqual(["spawn tree tree"]);
    expect(solo.done("tree", { filled: true })).toEqual(["spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("set up", { plan: PLAN, made: MADE, filled: true }));
    expect(solo.done("tree", { ready: true })).toEqual(["row notice", "spawn work work"]);
    expect(solo.done("work", worked(OK, "out"))).toEqual(["untimer limit", "spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("collect", READY));
    expect(solo.done("tree", { left: LEFT })).toEqual(["row notice", "spawn tree tree"]);
    expect(solo.done("tree", { weighed: MERGEABLE })).toEqual(["spawn permission permission"]);
    expect(solo.done("permission", { outcome: "selected", option: YES })).toEqual(["spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("apply", { ...READY, left: LEFT, weighed: MERGEABLE, agreed: true }));
    expect(solo.done("tree", { merged: true, end: "merged" })).toEqual(["row notice", "row step.completed"]);
    expect(endOf(solo)).toEqual([COMPLETED, "out", "completed", ended(COMPLETED)]);
  });

  it("does no work where its tree cannot be made", () => {
    const solo = begun();
    expect(solo.fail("tree", BROKEN)).toEqual(["untimer limit", "row step.completed"]);
    expect(solo.rows.at(-1)).toEqual(ended({ status: "failed", exitCode: 1, error: BROKEN }));
  });

  it("asks again for a git step that a crash cut off, once it is resumed (I1)", () => {
    const before = begun();
    before.done("tree", { plan: PLAN });
    expect(before.fail("tree")).toEqual([]);
    expect(before.tell(resume("rerun"))).toEqual([`timer ${LIMIT_MS}`, "spawn tree tree"]);
    expect(gitStep(before)).toEqual(asks("add", { plan: PLAN }));
    const after = done();
    expect(after.fail("tree")).toEqual([]);
    expect([after.tell(resume("rerun")), gitStep(after)]).toEqual([["spawn tree tree"], asks("collect", READY)]);
  });

  it("sees to what was begun of its tree when it is cancelled after a crash", () => {
    const untouched = begun();
    untouched.fail("tree");
    expect(untouched.tell(cancel)).toEqual(["untimer limit", "row step.completed"]);
    expect(untouched.rows.at(-1)).toEqual(ended(CANCELLED));
    const planned = begun();
    planned.done("tree", { plan: PLAN });
    planned.fail("tree");
    expect(planned.tell(cancel)).toEqual(["untimer limit", "spawn tree tree"]);
    expect(gitStep(planned)).toEqual(asks("clear", { plan: PLAN }));
    expect(planned.done("tree", { end: "unchanged" })).toEqual(["row step.completed"]);
    expect(planned.rows.at(-1)).toEqual(ended(CANCELLED));
    const after = done();
    after.fail("tree");
    expect([after.tell(cancel), gitStep(after)]).toEqual([["spawn tree tree"], asks("collect", READY)]);
    expect(after.done("tree", { left: LEFT })).toEqual(["row notice", "row step.completed"]);
    expect(endOf(after)).toEqual([CANCELLED, "out", "cancelled", ended(CANCELLED)]);
  });

  it("sees to its tree when it is cancelled between two attempts, or after a crash in one", () => {
    const step = command("work", {
      isolation: ISOLATION,
      recover: "ask",
      retry: retry({ maxAttempts: 2, initialDelayMs: 9 }),
    });
    const ready = () => {
      const solo = new Solo(stepMachine, "step/1", stepBirth(step));
      for (const [key, value] of Object.entries(READY)) solo.done("tree", { [key]: value });
      return solo;
    };
    const waiting = ready();
    waiting.done("work", worked(BAD));
    const held = ready();
    held.done("work", worked(BAD));
    held.tell({ type: "owner.lost" });
    const interrupted = ready();
    interrupted.fail("work");
    expect([waiting.value, held.value, interrupted.value]).toEqual(["backing off", "held", "interrupted"]);
    for (const solo of [waiting, held, interrupted]) {
      expect(solo.tell(cancel).at(-1)).toBe("spawn tree tree");
      expect(gitStep(solo)).toEqual(asks("collect", READY));
      solo.done("tree", { left: { ...LEFT, changed: [], commits: [] } });
      expect(solo.done("tree", { end: "unchanged" })).toEqual(["row step.completed"]);
      expect(solo.rows.at(-1)).toEqual(ended(CANCELLED));
    }
  });

  it("clears what a git step has made that a cancel or the time limit came upon", () => {
    const cancelled = begun();
    expect(cancelled.tell(cancel)).toEqual(["untimer limit", "tell all cancel.requested", "timer 10000"]);
    const late = begun();
    late.fire("limit");
    for (const solo of [cancelled, late]) {
      expect(solo.done("tree", { plan: PLAN }).at(-1)).toBe("spawn tree tree");
      expect(gitStep(solo)).toEqual(asks("clear", { plan: PLAN }));
      expect(solo.done("tree", { end: "unchanged" })).toEqual(["row step.completed"]);
    }
  });

  it("ends as its work did, whatever becomes of its tree after that (I2)", () => {
    const settling = done();
    expect(settling.fail("tree", BROKEN)).toEqual(["row notice", "row step.completed"]);
    expect(settling.rows.slice(-2)).toEqual([LEFT_AS_IT_IS, ended(COMPLETED)]);
    const offering = asked();
    expect(offering.fail("permission", BROKEN)).toEqual(["row notice", "row step.completed"]);
    expect(offering.rows.slice(-2)).toEqual([LEFT_AS_IT_IS, ended(COMPLETED)]);
    const kept = asked();
    expect(kept.done("permission", { outcome: "cancelled" })).toEqual(["row step.completed"]);
    expect(endOf(kept)).toEqual([COMPLETED, "out", "completed", ended(COMPLETED)]);
  });

  it("is cancelled while its tree is settled: the git step comes to its end first", () => {
    const solo = done();
    expect(solo.tell(cancel)).toEqual([]);
    expect(solo.done("tree", { left: LEFT })).toEqual(["row notice", "row step.completed"]);
    expect(endOf(solo)).toEqual([CANCELLED, "out", "cancelled", ended(CANCELLED)]);
  });

  it("hands on to its question who left, who resumes and who cancels", () => {
    const solo = asked();
    expect([solo.tell(resume("rerun")), solo.tell({ type: "owner.lost" }), solo.tell(cancel)]).toEqual([
      ["tell all resume.requested"],
      ["tell all owner.lost"],
      ["tell all cancel.requested"],
    ]);
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual(["row step.completed"]);
    expect(endOf(solo)).toEqual([CANCELLED, "out", "cancelled", ended(CANCELLED)]);
  });
});
