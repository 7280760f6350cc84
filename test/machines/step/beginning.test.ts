import { describe, expect, it } from "vitest";
import type { PermissionInput, StepInput } from "../../../machines/contracts.ts";
import { CANCEL_LIMIT_MS } from "../../../machines/step/context.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import {
  BAD,
  command,
  forEach,
  OK,
  ORIGIN,
  result,
  SCOPE,
  STOPPED,
  settled,
  stepBirth,
  worked,
} from "../../support/documents.ts";
import { brief, CRASH, cancel, resume, Solo } from "../../support/machine.ts";

const step = (node: StepNode, more: Partial<StepInput> = {}) => new Solo(stepMachine, "step/1", stepBirth(node, more));
const all = (solo: Solo) => solo.effects.map(brief);
type OnDeny = "skip" | "error" | "abort";
const approval = (onDeny: OnDeny = "error", message: string | null = null, timeoutMs: number | null = null) => ({
  message,
  onDeny,
  timeoutMs,
});
const prepared = (message: string | null = null, does: { [name: string]: string } = {}) => ({
  ...{ type: "approval", message },
  does,
});
/** A step whose question has been put. */
const put = (node: StepNode): Solo => {
  const solo = step(node);
  solo.done("prepare", prepared());
  return solo;
};
const HOOKS = { pre: [{ log: "before" }], post: [{ log: "after" }] };
const ALLOW = { outcome: "selected", option: "allow" };
const DENIED = { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" };

describe("depends_on", () => {
  const node = command("work", { dependsOn: ["a", "b", "constructor"], approval: approval(), hooks: HOOKS });
  const states = { a: result(OK), b: result(OK), constructor: result(OK) };

  it("lets a step begin when all steps that it names have completed", () => {
    expect(all(step(node, { scope: { ...SCOPE, states } }))).toEqual(["row step.started", "spawn prepare prepare"]);
  });

  it.each([
    ["not run", { a: result(OK), constructor: result(OK) }],
    ["failed", { ...states, b: result(BAD) }],
    ["been skipped", { ...states, b: { ...result(OK), Status: "skipped" as const } }],
  ])("fails it without a question or a hook when one has %s (I1)", (_, states) => {
    const solo = step(node, { scope: { ...SCOPE, states } });
    expect(all(solo)).toEqual(["row step.started", "row step.completed"]);
    const error = {
      code: "EXECUTION.STEP.DEPENDENCY",
      message: 'step "work" depends on "b", which has not completed',
    };
    expect(solo.rows[1]?.payload).toEqual({ name: "work", kind: "command", status: "failed", exitCode: 1, error });
    expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 1, error } });
  });

  it("names every step that has not completed, also one named like a property of every object", () => {
    const solo = step(node);
    expect(solo.output).toMatchObject({
      outcome: { error: { message: 'step "work" depends on "a", "b", "constructor", which has not completed' } },
    });
  });
});

describe("approval", () => {
  it("is asked before anything of the step runs; once it is given, the work begins", () => {
    const solo = step(command("work", { approval: approval("error", null, 60_000), hooks: HOOKS }));
    solo.done("prepare", prepared(null, { command: "make deploy" }));
    expect(solo.value).toEqual({ beginning: "approving" });
    expect(solo.input("permission")).toEqual({
      run: "r1",
      step: "work",
      title: 'Run step "work"?',
      kind: "execute",
      message: 'The workflow asks before it runs step "work".',
      options: [
        { id: "allow", name: "Run it", kind: "allow_once" },
        { id: "deny", name: "Do not run it", kind: "reject_once" },
      ],
      input: { step: "work", kind: "command", command: "make deploy" },
      timeoutMs: 60_000,
    } satisfies PermissionInput);
    solo.done("permission", ALLOW);
    solo.done("hooks", { fault: null });
    solo.done("work", worked(OK));
    solo.done("hooks", { fault: null });
    expect(all(solo)).toEqual([
      "row step.started",
      "spawn prepare prepare",
      "spawn permission permission",
      "spawn hooks hooks",
      "spawn work work",
      "untimer limit",
      "spawn hooks hooks",
      "row step.completed",
    ]);
    expect(solo.output).toEqual(settled(OK, { work: result(OK) }));
  });

  it("renders its message first, or asks with the description", () => {
    const node = command("work", { approval: approval("error", "Deploy {{.inputs.x}}?") });
    const solo = step(node);
    expect(all(solo)).toEqual(["row step.started", "spawn prepare prepare"]);
    expect(solo.input("prepare")).toEqual({ origin: ORIGIN, node, scope: SCOPE, purpose: "approve" });
    expect(solo.done("prepare", prepared("Deploy 1?"))).toEqual(["spawn permission permission"]);
    expect(solo.input("permission")).toMatchObject({ message: "Deploy 1?" });

    const described = put(command("work", { approval: approval(), description: "The work" }));
    expect(described.input("permission")).toMatchObject({ message: "The work" });
  });

  it("comes before the items of a container are prepared", () => {
    const solo = put(forEach("each", [], { approval: approval() }));
    expect(solo.done("permission", ALLOW)).toEqual(["spawn prepare prepare"]);
    expect(solo.input("prepare")).toMatchObject({ purpose: "begin" });
  });

  it("that cannot be rendered or asked fails the step without a hook (I1)", () => {
    const fault = { code: "WORKFLOW.TEMPLATE.RENDERING", message: "no x" };
    for (const child of ["prepare", "permission"]) {
      const node = command("work", { approval: approval("skip"), hooks: HOOKS });
      const solo = child === "prepare" ? step(node) : put(node);
      expect(solo.fail(child, fault)).toEqual(["row step.completed"]);
      expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 1, error: fault } });
    }
  });

  // A question that reached its time limit, or whose asker left, ends as cancelled: it was not allowed.
  describe.each([
    ["denied", { outcome: "selected", option: "deny" }],
    ["not answered", { outcome: "cancelled" }],
  ])("%s", (_, answer) => {
    it.each([
      ["skip", { status: "skipped", exitCode: 0, error: DENIED }, "skipped", DENIED],
      ["error", { status: "failed", exitCode: 1, error: DENIED }, "failed", DENIED],
      ["abort", { status: "cancelled", exitCode: 130, error: DENIED }, "cancelled", DENIED],
    ] as const)("with on_deny: %s ends the step without a hook (I1)", (onDeny, outcome, status, error) => {
      const solo = put(command("work", { approval: approval(onDeny), hooks: HOOKS }));
      expect(solo.done("permission", answer)).toEqual(["row step.completed"]);
      expect(solo.rows[1]?.payload).toEqual({
        name: "work",
        kind: "command",
        status,
        exitCode: outcome.exitCode,
        error,
      });
      expect(solo.output).toEqual(
        settled(outcome, {
          work: {
            Output: "",
            Stderr: status === "skipped" ? "" : error.message,
            ExitCode: outcome.exitCode,
            Status: status,
          },
        }),
      );
    });
  });

  it("stays open over a crash: the question itself asks again when the run is resumed", () => {
    const solo = put(command("work", { approval: approval() }));
    expect(solo.tell({ type: "owner.lost" })).toEqual(["tell all owner.lost"]);
    expect(solo.tell(resume("ask"))).toEqual(["tell all resume.requested"]);
    expect(solo.value).toEqual({ beginning: "approving" });
    expect(solo.done("permission", ALLOW)).toEqual(["spawn work work"]);
  });
});

describe("hooks before", () => {
  const hooking = () => put(command("work", { approval: approval(), hooks: HOOKS }));
  const begun = () => {
    const solo = hooking();
    solo.done("permission", ALLOW);
    return solo;
  };

  it("run in the order of the document, and a failure only warns", () => {
    for (const fault of [null, { code: "EXECUTION.HOOK.FAILED", message: "no" }]) {
      const solo = begun();
      expect(solo.input("hooks")).toEqual({ origin: ORIGIN, hooks: HOOKS.pre, scope: SCOPE, stopAtFailure: false });
      expect(solo.done("hooks", { fault })).toEqual(["spawn work work"]);
    }
    expect(begun().fail("hooks", { code: "SYSTEM.IO.WRITE_FAILED", message: "full" })).toEqual(["spawn work work"]);
  });

  it("run once, before the first attempt", () => {
    const solo = begun();
    solo.done("hooks", { fault: null });
    solo.fail("work", CRASH);
    expect(solo.tell(resume("rerun"))).toEqual(["row step.retrying", "spawn work work"]);
  });

  it("that a crash cut off run again on a resume, without another question (I2)", () => {
    const solo = begun();
    expect(solo.fail("hooks", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ beginning: "unhooked" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    expect(solo.done("hooks", { fault: null })).toEqual(["spawn work work"]);
  });
});

describe("an approval's message that a crash cut off", () => {
  it("is rendered again on a resume", () => {
    const solo = step(command("work", { approval: approval("error", "Sure?") }));
    expect(solo.fail("prepare", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ beginning: "unrendered" });
    expect(solo.tell(resume("fail"))).toEqual(["spawn prepare prepare"]);
    expect(solo.input("prepare")).toMatchObject({ purpose: "approve" });
  });
});

describe("cancel before the first attempt", () => {
  const rendering = () => step(command("work", { approval: approval("skip", "Sure?"), hooks: HOOKS }));
  const approving = () => put(command("work", { approval: approval("skip"), hooks: HOOKS }));
  const hooking = () => step(command("work", { hooks: HOOKS }));
  const stopping = ["tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`];

  it.each([
    ["rendering", rendering, "prepare", prepared("Sure?")],
    ["approving", approving, "permission", { outcome: "cancelled" }],
    ["approving", approving, "permission", ALLOW],
    ["hooking", hooking, "hooks", { fault: null }],
  ] as const)("in %s waits for what runs", (state, make, child, answer) => {
    const solo = make();
    expect(solo.value).toEqual({ beginning: state });
    expect(solo.tell(cancel)).toEqual(stopping);
    expect(solo.done(child, answer)).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toEqual(settled(STOPPED, { work: result(STOPPED) }));
  });

  it.each([
    ["unrendered", rendering, "prepare"],
    ["unhooked", hooking, "hooks"],
  ] as const)("in %s ends at once: nothing runs", (state, make, child) => {
    const solo = make();
    solo.fail(child, CRASH);
    expect(solo.value).toEqual({ beginning: state });
    expect(solo.tell(cancel)).toEqual(["row step.completed"]);
    expect(solo.output).toEqual(settled(STOPPED, { work: result(STOPPED) }));
  });
});
