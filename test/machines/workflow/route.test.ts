import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../machines/model.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import { freshOf, route } from "../../../machines/workflow/route.ts";
import { BAD, command, forEach, OK, result, SCOPE, whileNode } from "../../support/documents.ts";

const scope = { ...SCOPE, states: { a: result(BAD, "x") } };
const when = (text: string, goto: string) => ({ when: text, goto });
const every = { onSuccess: "good", onFailure: "bad" };

describe("where control goes (I1)", () => {
  const cases: [string, StepNode, Outcome, string | null, string | null][] = [
    [
      "the target of the child comes first",
      command("a", { transitions: [{ goto: "t" }], ...every }),
      OK,
      "left",
      "left",
    ],
    [
      "then a transition, also after a failure",
      command("a", { transitions: [{ goto: "t" }], ...every }),
      BAD,
      null,
      "t",
    ],
    [
      "the first one that holds",
      command("a", { transitions: [when("false", "t"), when("states.a.ExitCode == 3", "u"), { goto: "v" }] }),
      OK,
      null,
      "u",
    ],
    [
      "without one that holds: the state's own target",
      command("a", { transitions: [when("false", "t")], ...every }),
      OK,
      null,
      "good",
    ],
    [
      "a name that is missing does not hold",
      command("a", { transitions: [when("states.nobody.ExitCode == 0", "t")], ...every }),
      OK,
      null,
      "good",
    ],
    ["on_success", command("a", every), OK, null, "good"],
    ["on_failure", command("a", every), BAD, null, "bad"],
    ["continue_on_error before on_failure", command("a", { ...every, continueOnError: true }), BAD, null, "good"],
    [
      "continue_on_error takes the way of success",
      command("a", { onSuccess: "good", continueOnError: true }),
      BAD,
      null,
      "good",
    ],
    ["on_complete of a for_each", forEach("a", [], { onComplete: "over", ...every }), OK, null, "over"],
    ["on_complete of a while", whileNode("a", "true", [], { onComplete: "over", ...every }), OK, null, "over"],
    ["on_complete is for success", forEach("a", [], { onComplete: "over", ...every }), BAD, null, "bad"],
    ["on_success of a loop without on_complete", forEach("a", [], every), OK, null, "good"],
    ["without any target", command("a"), OK, null, null],
    ["without a target for a failure", command("a", { onSuccess: "good" }), BAD, null, null],
  ];
  const SKIP: Outcome = { status: "skipped", exitCode: 0 };
  const skips: typeof cases = [
    ["after a no, on_success does not count", command("a", every), SKIP, null, null],
    ["continue_on_error is about failures", command("a", { ...every, continueOnError: true }), SKIP, null, null],
    ["on_skip counts after a no", command("a", { ...every, onSkip: "later" }), SKIP, null, "later"],
    [
      "a transition that does not name it does not count",
      command("a", { transitions: [when("true", "t"), { goto: "u" }] }),
      SKIP,
      null,
      null,
    ],
    [
      "a transition that names it counts, before on_skip",
      command("a", { transitions: [when("'skipped' == \"skipped\"", "t")], onSkip: "later" }),
      SKIP,
      null,
      "t",
    ],
    [
      "a transition that names it in backticks counts",
      command("a", { transitions: [when("'skipped' == `skipped`", "t")], onSkip: "later" }),
      SKIP,
      null,
      "t",
    ],
    ["on_skip counts after a no only", command("a", { onSkip: "later" }), BAD, null, null],
  ];
  it.each([...cases, ...skips])("%s", (_, node, outcome, left, goto) =>
    expect(route(node, outcome, left, scope)).toMatchObject({ goto }),
  );

  it("warns of a state that has not run, once a condition", () => {
    const text = "states.b.ExitCode == 0 or states.b.Output == 'x' or states.a.ExitCode == 3";
    const node = command("a", { transitions: [when(text, "t")], ...every });
    const warnings = [`in "${text}": state "b" has not run, so the comparison with it is false`];
    expect(route(node, OK, null, scope)).toEqual({ goto: "t", warnings });
    expect(freshOf(warnings, [])).toEqual({ fresh: warnings, given: warnings });
    expect(freshOf(warnings, warnings)).toEqual({ fresh: [], given: warnings });
  });

  it("warns of an output that was cut", () => {
    const text = "states.a.Output contains 'x' and states.a.Truncated";
    const cut = { ...scope, states: { a: { ...result(BAD, "x"), Truncated: true } } };
    const node = command("a", { transitions: [when(text, "t")], ...every });
    expect(route(node, OK, null, cut)).toEqual({
      goto: "t",
      warnings: [`in "${text}": the output of "a" was cut at its limit; states.a.Truncated tells`],
    });
  });

  it("sees the state that has just ended, and its tokens", () => {
    const here = when("workflow.CurrentState == 'a' and states.a.TokensUsed == 0", "t");
    expect(route(command("a", { transitions: [here], ...every }), OK, null, scope)).toEqual({
      goto: "t",
      warnings: [],
    });
  });

  it("a condition of the wrong type is a fault", () => {
    const node = command("a", { transitions: [when("1 < 'a'", "t")], ...every });
    expect(route(node, OK, null, scope)).toMatchObject({ fault: { code: "WORKFLOW.EXPRESSION.EVALUATION" } });
  });
  it("a condition that is no expression is a fault", () => {
    const node = command("a", { transitions: [when("1 +", "t")], ...every });
    expect(route(node, OK, null, scope)).toMatchObject({ fault: { code: "WORKFLOW.VALIDATION.BAD_EXPRESSION" } });
  });
});
