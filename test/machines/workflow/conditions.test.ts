import { describe, expect, it, vi } from "vitest";
import type { Scope } from "../../../machines/scope.ts";
import { judge } from "../../../machines/workflow/conditions.ts";
import { OK, result, SCOPE } from "../../support/documents.ts";

const scope: Scope = { ...SCOPE, states: { a: result(OK, "x"), long: { ...result(OK, "head"), Truncated: true } } };
const evaluation = (message: string) => ({ code: "WORKFLOW.EXPRESSION.EVALUATION", message });
const notRun = (text: string, state: string) =>
  `in "${text}": state "${state}" has not run, so the comparison with it is false`;

describe("a condition", () => {
  it.each([
    ['states.a.Output == "x"', true],
    ['states.a.Output == "y"', false],
    ["states.a.ExitCode + 1 > 1", false],
    ["workflow.StartedAt == '1970-01-01T00:00:00Z' and workflow.started_at startsWith '1970'", true],
    ["workflow.ID == 'r1' and 'ID' in workflow", true],
  ])("%s: %s", (text, holds) => {
    expect(judge(text, scope)).toEqual({ ok: true, holds, warnings: [] });
  });

  it("that is no expression is a fault, which names it", () => {
    expect(judge("1 +", scope)).toEqual({
      ok: false,
      fault: {
        code: "WORKFLOW.VALIDATION.BAD_EXPRESSION",
        message: 'in "1 +": expected a value, found the end',
      },
      warnings: [],
    });
  });

  it("that is neither true nor false is a fault, beside what was to be said before", () => {
    const text = "states.no.ExitCode == 0 or 7";
    expect(judge(text, scope)).toEqual({
      ok: false,
      fault: evaluation(`in "${text}": "or" joins what is true or false, but 7 is the number 7`),
      warnings: [notRun(text, "no")],
    });
  });

  it("says of each state once that it has not run", () => {
    const text = 'states.no.ExitCode == 0 or states.no.ExitCode == 1 or states.neither.Output != "x"';
    expect(judge(text, scope)).toEqual({
      ok: true,
      holds: false,
      warnings: [notRun(text, "no"), notRun(text, "neither")],
    });
  });

  it("says that it read an output which was cut", () => {
    const text = 'states.long.Output == "head"';
    expect(judge(text, scope)).toEqual({
      ok: true,
      holds: true,
      warnings: [`in "${text}": the output of "long" was cut at its limit; states.long.Truncated tells`],
    });
  });

  it("is parsed once, and so are a thousand; then all are forgotten", async () => {
    vi.resetModules();
    const fresh = await import("../../../machines/workflow/conditions.ts");
    const faultOf = (text: string) => {
      const judged = fresh.judge(text, scope);
      return judged.ok ? null : judged.fault;
    };
    const first = faultOf("+");
    for (let number = 1; number < 1_000; number += 1) faultOf(`${number} +`);
    expect(faultOf("+")).toBe(first);
    faultOf("1000 +");
    expect(faultOf("+")).not.toBe(first);
    expect(faultOf("+")).toEqual(first);
  });
});
