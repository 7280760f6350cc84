/** What a step makes of its child's answer, and tells its owner: `machines/step/attempts.ts`. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../machines/model.ts";
import { judged, settledOf } from "../../../machines/step/attempts.ts";
import { BAD, call, command, forEach, OK, result, STOPPED, settled, stepBirth } from "../../support/documents.ts";

describe("a child's answer as the step's judgement", () => {
  const state = result(OK, "said");

  it("work leaves what it has said, and its own draw", () => {
    const more = { repair: "again", shown: true, limited: true } as const;
    expect(judged(command("a"), { outcome: OK, state, draw: 0.25 })).toStrictEqual({
      outcome: OK,
      left: null,
      states: { a: state },
      draw: 0.25,
    });
    expect(judged(command("a"), { outcome: OK, state, draw: 0.25, ...more })).toStrictEqual({
      outcome: OK,
      left: null,
      states: { a: state },
      draw: 0.25,
      ...more,
    });
  });

  it("a container leaves its states and its own, the way that it was left, and what is to be done again", () => {
    const rest = { again: [1] } as never;
    const answer = { ...settled(BAD, { in: state }, "out"), rounds: 3, rest };
    const own = { Output: "", Stderr: BAD.error?.message, ExitCode: BAD.exitCode, Status: BAD.status };
    expect(judged(forEach("a", []), answer)).toStrictEqual({
      outcome: BAD,
      left: "out",
      states: { in: state, a: { ...own, Rounds: 3 } },
      rest,
      draw: 0.5,
    });
    const undone = { ...settled(BAD, {}, null), rounds: undefined, rest: undefined };
    expect(judged(forEach("a", []), undone)).toStrictEqual({ outcome: BAD, left: null, states: { a: own }, draw: 0.5 });
  });

  it("a called run leaves its outputs, by the names that its caller has for them, which no other step has", () => {
    const outputs = { x: "1" };
    const own = { Stderr: "", ExitCode: 0, Status: "completed" };
    const answer = { outcome: OK, outputs };
    expect(judged(call("a"), answer)).toStrictEqual({
      outcome: OK,
      left: null,
      states: { a: { ...own, Output: '{"x":"1"}', Response: outputs, JSON: outputs } },
      draw: 0.5,
    });
    const all = { plain: "1", said: "2", left: "3" };
    const renamed = { plain: "1", here: "2", said: "3" };
    expect(
      judged({ ...call("a"), outputs: { said: "here", left: "said", none: "plain" } }, { outcome: OK, outputs: all })
        .states,
    ).toStrictEqual({ a: { ...own, Output: JSON.stringify(renamed), Response: renamed, JSON: renamed } });
    const taken = { b: "1" };
    expect(judged({ ...call("a"), outputs: { a: "b" } }, { outcome: OK, outputs: { a: "1", b: "2" } }).states).toEqual({
      a: { ...own, Output: JSON.stringify(taken), Response: taken, JSON: taken },
    });
    for (const [node, what] of [
      [forEach("a", []), answer],
      [call("a"), { outcome: OK }],
    ] as const)
      expect(judged(node, what).states).toStrictEqual({ a: { ...own, Output: "" } });
  });
});

describe("what the owner of a step hears", () => {
  const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 } as const;
  const judgement = { outcome: OK, left: null, states: { work: result(OK, "said") }, draw: 0.5 };

  it("the states that it left, and its way", () => {
    expect(settledOf({ birth, judgement })).toStrictEqual({ outcome: OK, left: null, states: judgement.states });
    const rest = { again: [1] } as never;
    const left = settledOf({ birth, judgement: { ...judgement, left: "out", rest } });
    expect(left).toStrictEqual({ outcome: OK, left: "out", states: judgement.states, rest });
  });

  it("a step that was cut short leaves a result of its own, and no way", () => {
    const cut = (outcome: Outcome) =>
      settledOf({ birth, judgement: { ...judgement, outcome, left: "out", states: {} } });
    const state = { Output: "", ExitCode: STOPPED.exitCode, Status: "cancelled" };
    expect(cut(STOPPED)).toStrictEqual({ outcome: STOPPED, left: null, states: { work: { ...state, Stderr: "" } } });
    const failed = { status: "failed", exitCode: 3, error: { code: "A.B", message: "why" } } as const;
    expect(cut(failed).states).toStrictEqual({ work: { Output: "", Stderr: "why", ExitCode: 3, Status: "failed" } });
  });
});
