/** Covers `isolating.ts`: a run in a tree of its own, from the first git step to the last. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import type { Outcome } from "../../../machines/model.ts";
import { CANCELLED } from "../../../machines/run/rows.ts";
import { runMachine } from "../../../machines/run-machine.ts";
import { YES } from "../../../machines/worktree/progress.ts";
import { WHOLE_RUN } from "../../../machines/worktree/tree.ts";
import { command, OK, runBirth, settled, terminal, workflow } from "../../support/documents.ts";
import { cancel, resume, Solo } from "../../support/machine.ts";
import { ISOLATION, LEFT, MADE, MERGEABLE, planOf, readyOf } from "../../support/trees.ts";

const PLAN = planOf(WHOLE_RUN);
const READY = readyOf(WHOLE_RUN);
const BROKEN = { code: "X", message: "broken" };
const DOCUMENT = workflow([command("a", { onSuccess: "done" }), terminal("done")], { isolation: ISOLATION });

const begun = () => new Solo(runMachine, "run/r1", runBirth(DOCUMENT), "session/s1");
/** Its first state runs, in the tree. */
const working = () => {
  const solo = begun();
  for (const [key, value] of Object.entries(READY)) solo.done("tree", { [key]: value });
  return solo;
};
const worked = () => {
  const solo = working();
  solo.done("a", settled(OK));
  return solo;
};
/** What it has left could be merged, and a person is asked. */
const asked = () => {
  const solo = worked();
  solo.done("tree", { left: LEFT });
  solo.done("tree", { weighed: MERGEABLE });
  return solo;
};
/** What a git step is asked to do, and with what is known by then. */
const gitStep = (solo: Solo) => solo.input("tree");
const asks = (deed: string, tree: object) => expect.objectContaining({ do: deed, tree });
const ended = (end: Outcome): Row => ({
  type: "run.completed",
  run: "r1",
  payload: { workflow: "demo", ...end },
});
const WENT_WELL = ended({ status: "completed", exitCode: 0 });
const WAS_CANCELLED = ended(CANCELLED);
const LEFT_AS_IT_IS: Row = {
  type: "notice",
  run: "r1",
  payload: { severity: "warning", code: "X", message: 'the tree of "demo" is left as it is: broken' },
};

describe("a run in a tree of its own", () => {
  it("has each git step recorded before the next one begins (I1)", () => {
    const solo = begun();
    expect([solo.value, gitStep(solo)]).toEqual([{ starting: "isolating" }, asks("plan", {})]);
    expect(solo.done("tree", { plan: PLAN })).toEqual(["spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("add", { plan: PLAN }));
    expect(solo.done("tree", { made: MADE })).toEqual(["spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("fill", { plan: PLAN, made: MADE }));
    expect(solo.done("tree", { filled: true })).toEqual(["spawn tree tree"]);
    expect(solo.done("tree", { ready: true })).toEqual(["row notice", "spawn step a"]);
    expect(solo.done("a", settled(OK))).toEqual(["spawn tree tree"]);
    expect([solo.value, gitStep(solo)]).toEqual([{ concluding: "settling" }, asks("collect", READY)]);
    expect(solo.done("tree", { left: LEFT })).toEqual(["row notice", "spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("weigh", { ...READY, left: LEFT }));
    expect(solo.done("tree", { weighed: MERGEABLE })).toEqual(["spawn permission permission"]);
    expect(solo.done("permission", { outcome: "selected", option: YES })).toEqual(["spawn tree tree"]);
    expect(gitStep(solo)).toEqual(asks("apply", { ...READY, left: LEFT, weighed: MERGEABLE, agreed: true }));
    expect(solo.done("tree", { merged: true, end: "merged" })).toEqual(["row notice", "row run.completed"]);
    expect(solo.rows.at(-1)).toEqual(WENT_WELL);
  });

  it("does not begin where its tree cannot be made", () => {
    const solo = begun();
    expect(solo.fail("tree", BROKEN)).toEqual(["row run.completed"]);
    expect(solo.rows.at(-1)).toEqual(ended({ status: "failed", exitCode: 1, error: BROKEN }));
  });

  it("asks again for a git step that a crash cut off, once it is resumed (I1)", () => {
    const before = begun();
    before.done("tree", { plan: PLAN });
    expect([before.fail("tree"), before.value]).toEqual([[], { starting: "unmade" }]);
    expect([before.tell(resume("rerun")), gitStep(before)]).toEqual([["spawn tree tree"], asks("add", { plan: PLAN })]);
    const after = worked();
    expect([after.fail("tree"), after.value]).toEqual([[], { concluding: "unsettled" }]);
    expect([after.tell(resume("rerun")), gitStep(after)]).toEqual([["spawn tree tree"], asks("collect", READY)]);
  });

  it("clears what a git step has made that a cancel came upon", () => {
    const solo = begun();
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    expect([solo.done("tree", { plan: PLAN }), gitStep(solo)]).toEqual([
      ["spawn tree tree"],
      asks("clear", { plan: PLAN }),
    ]);
    expect([solo.done("tree", { end: "unchanged" }), solo.rows.at(-1)]).toEqual([["row run.completed"], WAS_CANCELLED]);
  });

  it("sees to what was begun of its tree when it is cancelled after a crash", () => {
    const untouched = begun();
    untouched.fail("tree");
    expect([untouched.tell(cancel), untouched.rows.at(-1)]).toEqual([["row run.completed"], WAS_CANCELLED]);
    const planned = begun();
    planned.done("tree", { plan: PLAN });
    planned.fail("tree");
    expect([planned.tell(cancel), gitStep(planned)]).toEqual([["spawn tree tree"], asks("clear", { plan: PLAN })]);
    expect([planned.done("tree", { end: "unchanged" }), planned.rows.at(-1)]).toEqual([
      ["row run.completed"],
      WAS_CANCELLED,
    ]);
    const settling = worked();
    settling.fail("tree");
    expect([settling.tell(cancel), gitStep(settling)]).toEqual([["spawn tree tree"], asks("collect", READY)]);
    expect([settling.done("tree", { left: LEFT }), settling.rows.at(-1)]).toEqual([
      ["row notice", "row run.completed"],
      WAS_CANCELLED,
    ]);
  });

  it("ends as it did, whatever becomes of its tree after the last state (I2)", () => {
    const settling = worked();
    expect(settling.fail("tree", BROKEN)).toEqual(["row notice", "row run.completed"]);
    expect(settling.rows.slice(-2)).toEqual([LEFT_AS_IT_IS, WENT_WELL]);
    const offering = asked();
    expect(offering.fail("permission", BROKEN)).toEqual(["row notice", "row run.completed"]);
    expect(offering.rows.slice(-2)).toEqual([LEFT_AS_IT_IS, WENT_WELL]);
    const kept = asked();
    expect(kept.done("permission", { outcome: "cancelled" })).toEqual(["row run.completed"]);
    expect(kept.rows.at(-1)).toEqual(WENT_WELL);
  });

  it("is cancelled while its tree is settled: the git step comes to its end first", () => {
    const solo = worked();
    expect([solo.tell(cancel), solo.value]).toEqual([[], { concluding: "settling" }]);
    expect([solo.done("tree", { left: LEFT }), solo.rows.at(-1)]).toEqual([
      ["row notice", "row run.completed"],
      WAS_CANCELLED,
    ]);
  });

  it("hands on to its question who left, who resumes and who cancels", () => {
    const solo = asked();
    expect(solo.value).toEqual({ concluding: "offering" });
    expect([solo.tell(resume("rerun")), solo.tell({ type: "owner.lost" }), solo.tell(cancel)]).toEqual([
      ["tell all resume.requested"],
      ["tell all owner.lost"],
      ["tell all cancel.requested"],
    ]);
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual(["row run.completed"]);
    expect(solo.rows.at(-1)).toEqual(WAS_CANCELLED);
  });
});
