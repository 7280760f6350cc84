import { describe, expect, it } from "vitest";
import type { Outcome, StateResults } from "../../../machines/model.ts";
import {
  begin,
  MAX_HOPS,
  type Move,
  type Position,
  type RunBirth,
  scopeOf,
  settle,
} from "../../../machines/run/walk.ts";
import type { Node, Workflow } from "../../../machines/workflow/document.ts";
import {
  BAD,
  command,
  forEach,
  OK,
  result,
  runBirth,
  STOPPED,
  settled,
  terminal,
  workflow,
} from "../../support/documents.ts";

const birth = (of: Workflow): RunBirth => ({ ...runBirth(of), self: "run/r1", parent: "session/s1", at: 5 });
const END = [terminal("done"), terminal("lost", { status: "failure", exitCode: 9, message: "gone" })];
const of = (...nodes: Node[]) => workflow([...nodes, ...END]);
const states = (more: StateResults): StateResults => more;
const lost: Outcome = {
  status: "failed",
  exitCode: 9,
  error: { code: "EXECUTION.RUN.FAILED", message: 'the workflow ended in "lost"' },
};
const LET_PASS = "has failed, which continue_on_error lets pass";
const stuck = (name: string, how: string, names = "on_success", tried = ""): Outcome => ({
  status: "failed",
  exitCode: 3,
  error: {
    code: "EXECUTION.RUN.NO_WAY_ON",
    message: `"${name}" ${how}, and there is no way on: ${tried}it names no ${names}`,
  },
});
const endOf = ({ where }: Position): Outcome | null => (where.at === "end" ? where.outcome : null);
const brief = ({ start, position }: Move) => [start?.path ?? null, endOf(position)];

describe("the way through a document", () => {
  it("begins at its initial state", () => {
    expect(brief(begin(of(command("a"))))).toEqual(["a", null]);
    expect(brief(begin(workflow([terminal("done")])))).toEqual([null, OK]);
  });

  it.each([
    ["on_success", command("a", { onSuccess: "b", onFailure: "lost" }), OK, null, ["b", null]],
    ["on_failure", command("a", { onSuccess: "b", onFailure: "lost" }), BAD, null, [null, lost]],
    ["a terminal of success", command("a", { onSuccess: "done" }), OK, null, [null, OK]],
    [
      "the first transition that holds",
      command("a", { transitions: [{ when: "false", goto: "done" }, { goto: "b" }] }),
      BAD,
      null,
      ["b", null],
    ],
    ["a second visit", command("a", { onSuccess: "a" }), OK, null, ["a#2", null]],
    ["on_complete before on_success", forEach("a", [], { onComplete: "b", onSuccess: "done" }), OK, null, ["b", null]],
    ["where a loop was left to", forEach("a", [], { onComplete: "done" }), OK, "b", ["b", null]],
    [
      "continue_on_error: the good way",
      command("a", { onSuccess: "b", continueOnError: true }),
      BAD,
      null,
      ["b", null],
    ],
    [
      "continue_on_error without a way",
      command("a", { continueOnError: true }),
      BAD,
      null,
      [null, stuck("a", LET_PASS)],
    ],
    [
      "continue_on_error before on_failure",
      command("a", { onSuccess: "b", onFailure: "lost", continueOnError: true }),
      BAD,
      null,
      ["b", null],
    ],
    ["no way after success", command("a"), OK, null, [null, stuck("a", "has completed")]],
    [
      "no way out of a loop",
      forEach("a", []),
      OK,
      null,
      [null, stuck("a", "has completed", "on_complete or on_success")],
    ],
    [
      "no transition that holds",
      command("a", { transitions: [{ when: "1 > 2", goto: "b" }] }),
      OK,
      null,
      [null, stuck("a", "has completed", "on_success", '"1 > 2", which leads to "b", does not hold; ')],
    ],
    ["no way after failure", command("a", { onSuccess: "b" }), BAD, null, [null, BAD]],
    ["a cancelled state", command("a", { onSuccess: "b", onFailure: "b" }), STOPPED, null, [null, STOPPED]],
  ] as const)("%s", (_, node, outcome, left, expected) => {
    const document = of(node as Node, command("b"));
    const from = begin(document).position;
    expect(brief(settle(birth(document), from, settled(outcome, {}, left)))).toEqual(expected);
  });

  it("keeps a terminal's message for the end", () => {
    const document = of(command("a", { onSuccess: "lost" }));
    expect(settle(birth(document), begin(document).position, settled(OK)).position.where).toEqual({
      at: "end",
      last: "lost",
      outcome: lost,
      message: "gone",
    });
  });

  it("fails on a condition that cannot be evaluated, and on a name that is not there", () => {
    const wrong = of(command("a", { transitions: [{ when: "1 < 'a'", goto: "done" }] }));
    const missing = of(command("a", { onSuccess: "nowhere" }));
    const codes = [wrong, missing].map(
      (document) => endOf(settle(birth(document), begin(document).position, settled(OK)).position)?.error?.code,
    );
    expect(codes).toEqual(["WORKFLOW.EXPRESSION.EVALUATION", "WORKFLOW.VALIDATION.MISSING_STATE"]);
  });

  it("takes no name of Object.prototype for a state", () => {
    const document = of(command("a", { onSuccess: "constructor" }));
    expect(endOf(settle(birth(document), begin(document).position, settled(OK)).position)?.error?.code).toBe(
      "WORKFLOW.VALIDATION.MISSING_STATE",
    );
  });

  it("counts the states it enters (I2)", () => {
    const document = of(command("a", { onSuccess: "a" }));
    let at: Position = begin(document).position;
    let hops = 0;
    for (; at.where.at === "state"; hops++) at = settle(birth(document), at, settled(OK)).position;
    expect(hops).toBe(MAX_HOPS);
    expect(endOf(at)).toMatchObject({ status: "failed", error: { code: "EXECUTION.RUN.TOO_MANY_TRANSITIONS" } });
  });
});

describe("results", () => {
  it("are kept only where something reads them; transitions see them at once", () => {
    const document = of(
      command("a", { transitions: [{ when: "states.a.ExitCode == 3", goto: "b" }] }),
      command("b", { run: { command: "echo {{.states.kept.Output}}" } }),
    );
    const from = begin(document).position;
    const move = settle(
      birth(document),
      from,
      settled(BAD, states({ a: result(BAD), kept: result(OK), other: result(OK) })),
    );
    expect(brief(move)).toEqual(["b", null]);
    expect(Object.keys(move.position.states)).toEqual(["a", "kept"]);
  });

  it("stand in the scope beside the run's own facts", () => {
    const document = of(command("a"));
    const { position } = begin(document);
    expect(scopeOf(birth(document), position, "all")).toEqual({
      inputs: {},
      states: {},
      workflow: { ID: "r1", Name: "demo", StartedAt: 5 },
      loop: null,
      env: {},
      context: { WorkingDir: "/project", User: "someone", Hostname: "here" },
      file: null,
    });
  });
});
