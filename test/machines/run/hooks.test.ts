/** Hooks of a run: before its first step, after its last, on an error and on a cancel. */
import { describe, expect, it } from "vitest";
import type { HooksInput } from "../../../machines/contracts.ts";
import { BAD, OK, settled } from "../../support/documents.ts";
import { CRASH, cancel, resume, type Solo } from "../../support/machine.ts";
import { all, BROKEN, hooked, hooks, ordered, run } from "./lone-run.ts";

describe("hooks", () => {
  it("run before the first and after the last step", () => {
    const solo = run(hooked());
    expect(all(solo)).toEqual(["row run.started", "spawn hooks hooks"]);
    expect(ordered(solo)).toEqual(hooks.start);
    expect(solo.done("hooks", { fault: null })).toEqual(["spawn step a"]);
    solo.done("a", settled(OK));
    expect(solo.done("b", settled(OK))).toEqual(["spawn hooks hooks"]);
    expect(ordered(solo)).toEqual(hooks.end);
    expect(solo.done("hooks", { fault: null })).toEqual(["row run.completed"]);
  });

  it("after an error may name it", () => {
    const solo = run(hooked());
    solo.done("hooks", { fault: null });
    solo.done("a", settled(BAD));
    expect(ordered(solo)).toEqual(hooks.error);
    expect((solo.input("hooks") as HooksInput).scope.error).toEqual({
      Message: "no",
      State: "a",
      ExitCode: 3,
      Type: "EXECUTION.COMMAND.FAILED",
    });
  });

  it.each([
    ["told as a fault", (solo: Solo) => solo.done("hooks", { fault: BROKEN })],
    ["of the effect itself", (solo: Solo) => solo.fail("hooks", BROKEN)],
  ])("at the start, a failure %s ends the run before its first step", (_, end) => {
    const solo = run(hooked());
    expect(end(solo)).toEqual(["spawn hooks hooks"]);
    expect(ordered(solo)).toEqual(hooks.error);
    solo.done("hooks", { fault: null });
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: BROKEN } });
  });

  it("wait for a resume when they are cut off, at the start and at the end", () => {
    const solo = run(hooked());
    expect(solo.fail("hooks", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ starting: "interrupted" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    solo.done("hooks", { fault: null });
    solo.done("a", settled(BAD));
    expect(solo.fail("hooks", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ concluding: "unhooked" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    expect(solo.done("hooks", { fault: null })).toEqual(["row run.completed"]);
    expect(solo.output).toMatchObject({ outcome: BAD });
  });
  it("of a cancel that are cut off run again on a resume; another cancel passes them over", () => {
    for (const [event, effects] of [
      [resume("ask"), ["spawn hooks hooks"]],
      [cancel, ["row run.completed"]],
    ] as const) {
      const solo = run(hooked());
      solo.fail("hooks", CRASH);
      solo.tell(cancel);
      solo.fail("hooks", CRASH);
      expect(solo.tell(event)).toEqual(effects);
    }
  });
});
