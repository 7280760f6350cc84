import { describe, expect, it } from "vitest";
import type { Intent } from "../../../machines/contracts.ts";
import { turnMachine } from "../../../machines/turn-machine.ts";
import { CONTEXT, command, workflow } from "../../support/documents.ts";
import { CRASH, cancel, Solo } from "../../support/machine.ts";

const DEMO = workflow([command("a")]);
type RunAsk = Extract<Intent, { type: "run" }>;
const asks = (trust: RunAsk["trust"], run: string | null = "r1"): RunAsk => ({
  type: "run",
  run,
  workflow: DEMO,
  inputs: {},
  env: {},
  context: CONTEXT,
  trust,
});
const turn = (ask: Intent) =>
  new Solo(turnMachine, "turn/t1", { turn: "t1", blocks: [], ask, session: "s1", cwd: "/project" }, "session/s1");
const selected = (option: string) => ({ outcome: "selected", option });
const lost = { type: "owner.lost" };

const REFUSED = { code: "USER.TRUST.REFUSED", message: "this directory is not trusted: no workflow was run" };
const UNANSWERED = {
  code: "USER.TRUST.REFUSED",
  message:
    "this directory is not trusted, and the question had no answer: no workflow was run. Send the prompt again to be asked again.",
};
const CANCELLED = { code: "EXECUTION.RUN.CANCELLED", message: "the prompt was cancelled: no workflow was run" };
const INTERRUPTED = { code: "SYSTEM.PROCESS.LOST", message: "the process that ran this turn ended" };
const NO_ANSWER = {
  code: "USER.TRUST.REQUIRED",
  message:
    'this directory is not trusted yet, and there is no user to ask: read the workflow, then `troupe trust add .`, or let it run this once by --trust, by TROUPE_TRUST=1, or in a program by consent: "yes"',
};

/** The rows of a turn after its beginning. */
const endOf = (solo: Solo) => solo.rows.slice(2);
/** As a sentence of the conversation. */
const words = (message: string) => ({
  type: "message.assistant",
  payload: { block: "t1#fault", offset: 0, text: message.replace(/^t/, "T") },
});
const completed = (stopReason: string, error: object) => ({
  type: "turn.completed",
  payload: { turn: "t1", stopReason, error },
});
const unbegun = (status: string, exitCode: number, error: object) => ({
  type: "run.completed",
  run: "r1",
  payload: { workflow: "demo", status, exitCode, began: false, error },
});

describe("the question of trust", () => {
  it.each(["ask", "ask or once"] as const)("shows all that the person consents to: %s", (trust) => {
    expect(turn(asks(trust)).input("permission")).toEqual({
      run: "r1",
      step: null,
      title: "Trust /project?",
      kind: "execute",
      message:
        'Workflow "demo" runs commands and agents with your rights in /project. Read it before you trust this directory.',
      options: [
        { id: "trust", name: "Trust this directory", kind: "allow_always" },
        { id: "refuse", name: "Do not run", kind: "reject_once" },
        ...(trust === "ask" ? [] : [{ id: "once", name: "Run this time", kind: "allow_once" }]),
      ],
      input: { cwd: "/project", workflow: "demo" },
      timeoutMs: null,
    });
  });

  it.each([
    ["a no", selected("refuse"), REFUSED],
    ["no answer", { outcome: "cancelled" }, UNANSWERED],
    ["no answer that looks like a yes", { outcome: "cancelled", option: "trust" }, UNANSWERED],
    ["no answer that looks like a once", { outcome: "cancelled", option: "once" }, UNANSWERED],
  ])("%s keeps the run from beginning, in words (I2, I3, I4)", (_, answer, fault) => {
    const solo = turn(asks("ask or once"));
    solo.done("permission", answer);
    expect(endOf(solo)).toEqual([words(fault.message), unbegun("failed", 5, fault), completed("refusal", fault)]);
  });

  it.each([
    ["a cancel", cancel, CANCELLED],
    ["a lost process", lost, INTERRUPTED],
  ])("%s withdraws it, also where the withdrawal fails (I3, I4)", (_, event, fault) => {
    const solo = turn(asks("ask"));
    solo.tell(event);
    solo.fail("permission", CRASH);
    expect(endOf(solo)).toEqual([
      words(fault.message),
      unbegun("cancelled", 130, fault),
      completed("cancelled", fault),
    ]);
  });

  it("is not asked where no one can be asked; the run then has no end of its own", () => {
    const solo = turn(asks("refuse"));
    expect(endOf(solo)).toEqual([words(NO_ANSWER.message), completed("refusal", NO_ANSWER)]);
  });

  it("about a run without an id ends in words alone", () => {
    const solo = turn(asks("ask", null));
    expect(solo.input("permission")).toMatchObject({ run: null });
    solo.done("permission", selected("refuse"));
    expect(endOf(solo)).toEqual([words(REFUSED.message), completed("refusal", REFUSED)]);
  });
});
