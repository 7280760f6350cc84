/** Random documents, random outcomes, cancels and crashes at random moments: what the heads of the machines promise. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PrepareInput } from "../../machines/contracts.ts";
import { idOf, type Outcome } from "../../machines/model.ts";
import type { Node, StepNode, Workflow } from "../../machines/workflow/document.ts";
import {
  agent,
  BAD,
  CONTEXT,
  call,
  command,
  forEach,
  OK,
  parallel,
  retry,
  STOPPED,
  terminal,
  whileNode,
  worked,
  workflow,
} from "../support/documents.ts";
import { check } from "../support/order.ts";
import { Stage, type Work } from "../support/stage.ts";

/** After so many moments a document that runs in a circle is cancelled. */
const PATIENCE = 150;
const MAX_MOMENTS = 2_000;
const RUNS = 200;
type Kind = StepNode["type"];

const GATES = fc.record({
  message: fc.constantFrom(null, "Sure?"),
  onDeny: fc.constantFrom("skip" as const, "error" as const, "abort" as const),
  timeoutMs: fc.constantFrom(null, 60_000),
});
/** States `s0`…; a container holds states behind it, so that containers nest and never hold themselves. */
const documents: fc.Arbitrary<Workflow> = fc
  .array(
    fc.record({
      type: fc.constantFrom<Kind>("command", "agent", "agent", "parallel", "for_each", "while", "call_workflow"),
      inside: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
      good: fc.option(fc.nat(9)),
      bad: fc.option(fc.nat(9)),
      soft: fc.boolean(),
      retried: fc.boolean(),
      limited: fc.boolean(),
      recover: fc.constantFrom("rerun" as const, "fail" as const, "ask" as const, null),
      gate: fc.option(GATES, { freq: 2 }),
      before: fc.boolean(),
      after: fc.boolean(),
      needs: fc.option(fc.nat(2), { freq: 1, nil: null }),
      strategy: fc.constantFrom("all_succeed" as const, "any_succeed" as const, "best_effort" as const),
      max: fc.nat(3),
      breaks: fc.constantFrom(null, "states.s2.ExitCode == 3", "1 < 'a'"),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .chain((drafts) =>
    fc.record({ hooked: fc.boolean(), words: fc.boolean() }).map(({ hooked, words }) => {
      const to = (n: number | null) => (n === null ? null : n < drafts.length ? `s${n}` : n % 2 ? "done" : "lost");
      const nodes = drafts.map((draft, index): Node => {
        const inside = draft.inside
          .map((n) => index + n)
          .filter((n) => n < drafts.length)
          .map((n) => `s${n}`);
        const common = {
          onSuccess: to(draft.good),
          onFailure: to(draft.bad),
          continueOnError: draft.soft,
          retry: draft.retried ? retry({ maxAttempts: 2 }) : null,
          timeoutMs: draft.limited ? 5_000 : null,
          recover: draft.recover,
          approval: draft.gate,
          hooks: { pre: draft.before ? [{ log: "b" }] : [], post: draft.after ? [{ log: "a" }] : [] },
          dependsOn: draft.needs === 0 && index > 0 ? ["s0"] : [],
        };
        const name = `s${index}`;
        switch (draft.type) {
          case "parallel":
            return parallel(name, inside, { ...common, strategy: draft.strategy, maxConcurrent: draft.max });
          case "for_each":
            return forEach(name, inside, {
              ...{ ...common, breakWhen: draft.breaks },
              ...(draft.max === 0 ? {} : { fanned: { strategy: draft.strategy, maxConcurrent: draft.max - 1 } }),
            });
          case "while":
            return whileNode(name, "loop.Index < 2", inside, { ...common, breakWhen: draft.breaks });
          case "call_workflow":
            return call(name, common);
          case "agent":
            return agent(name, { ...common, mode: index % 2 ? "single" : "conversation" });
          default:
            return command(name, common);
        }
      });
      const hook = hooked ? [{ log: "x" }] : [];
      return workflow(
        [...nodes, terminal("done"), terminal("lost", { status: "failure", exitCode: 2, message: "m" })],
        {
          hooks: { start: hook, end: hook, error: hook, cancel: hook },
          outputs: words ? { tag: "x" } : {},
        },
      );
    }),
  );

/** What happens next, drawn by number: 8 ends work before messages are delivered, 9 rings a timer first. */
const draws = fc.array(fc.nat(11), { maxLength: 60 });
const CALLED = workflow([command("x", { onSuccess: "done" }), terminal("done")], { name: "called" });

/** The result of a piece of work; cancelled work says so. */
function answer(
  { src, key, nonce, input, cancelled }: Work,
  draw: number,
): { output: unknown } | { error: { code: string; message: string } } {
  const outcome: Outcome = cancelled && draw % 2 === 0 ? STOPPED : draw % 4 === 3 ? BAD : OK;
  switch (src) {
    case "work":
      return { output: worked(outcome) };
    case "prepare": {
      const { node, purpose } = input as PrepareInput;
      if (outcome === BAD) return { error: { code: "WORKFLOW.LOOP.BAD_ITEMS", message: "no list" } };
      if (purpose === "approve") return { output: { type: "approval", message: "Sure?", does: {} } };
      if (node.type === "call_workflow")
        return { output: { type: "call", run: `${idOf(key)}.${nonce}`, workflow: CALLED, inputs: {}, env: {} } };
      return { output: { type: "loop", items: node.type === "for_each" ? [1, 2] : null, maxIterations: 3 } };
    }
    case "hooks":
      return { output: { fault: outcome === BAD ? { code: "EXECUTION.HOOK.FAILED", message: "no" } : null } };
    default:
      return { output: { message: null, outputs: {} } };
  }
}

const RECOVERS = ["rerun", "fail", "ask"] as const;
/** What a person says next: words for a run that waits, or how to resume one that was cut off. */
function prompt(stage: Stage, moment: number, words: string): void {
  const recover = RECOVERS.find((each) => each === words);
  const asks = recover === undefined ? { type: "text", otherwise: null } : { type: "resume", recover };
  const blocks = words === "" ? [] : [{ type: "text", text: words }];
  stage.post("session/s1", { type: "prompt.received", turn: `t${moment}`, blocks, asks } as never);
}

/** Answers an open question, or leaves it open. */
function decide(stage: Stage, draw: number): boolean {
  const key = stage.alive.find((each) => each.startsWith("permission/"));
  if (key === undefined) return false;
  const asked = stage.rows.find((row) => row.type === "permission.requested" && row.payload.permission === idOf(key));
  const options = asked?.type === "permission.requested" ? asked.payload.options : [];
  const option = options[draw % 3]?.id;
  stage.post(key, (option === undefined ? { type: "asker.left" } : { type: "decision.made", option }) as never);
  return true;
}

/** Running work asks a person; every third question is withdrawn at once. */
function wonder(stage: Stage, { key, nonce }: Work, moment: number): void {
  const ask = `${nonce}.${moment}`;
  const options = [{ id: "yes", name: "Yes", kind: "allow_once" }];
  const question = { title: "May I?", kind: "execute", message: "", options, input: {}, timeoutMs: null };
  stage.post(key, { type: "work.asked", ask, question } as never);
  if (moment % 3 === 0) stage.post(key, { type: "work.withdrew", ask } as never);
}

type Plan = { draws: number[]; cancelAt: number; crashAt: number };

/** Plays a session with one prompt to its end. A cycle of a document is cut by a cancel. */
function play(document: Workflow, { draws, cancelAt, crashAt }: Plan): Stage {
  const stage = new Stage();
  stage.create("session/s1", { cwd: "/project", principal: "u" });
  const ask = { type: "run", run: "r1", workflow: document, inputs: {}, env: {}, context: CONTEXT, trust: "trusted" };
  stage.post("session/s1", { type: "prompt.received", turn: "t1", blocks: [], asks: ask } as never);
  for (let moment = 0; stage.hasMail || stage.alive.length > 1; moment++) {
    if (moment > MAX_MOMENTS) throw new Error("does not settle");
    if (moment === cancelAt || moment === PATIENCE) stage.post("session/s1", { type: "cancel.requested" });
    if (moment === crashAt) stage.crash("session/s1");
    const draw = draws[moment] ?? moment % 10;
    const work = stage.work[draw % Math.max(1, stage.work.length)];
    if (work?.src === "work" && draw > 9) wonder(stage, work, moment);
    if (stage.hasMail && (draw !== 8 || work === undefined)) stage.deliver();
    else if (work !== undefined && (draw !== 9 || stage.timers.length === 0)) stage.finish(work, answer(work, draw));
    else if (stage.timers.length > 0 && draw !== 7) stage.ring();
    else if (stage.state("session/s1") === "parked") prompt(stage, moment, draw % 3 === 0 ? "more" : "");
    else if (stage.state("session/s1") === "interrupted") prompt(stage, moment, RECOVERS[draw % 3] ?? "ask");
    else if (decide(stage, draw)) continue;
    else if (stage.timers.length > 0) stage.ring();
    else throw new Error(`stuck: ${stage.alive.map((key) => `${key} ${JSON.stringify(stage.state(key))}`).join(", ")}`);
  }
  return stage;
}

const ends = (stage: Stage) => stage.rows.filter((row) => row.type === "run.completed" && row.run === "r1");
const never = { cancelAt: -1, crashAt: -1 };

describe("any document with any outcomes", () => {
  it("settles, with its rows in order and nothing left", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(documents, draws, (document, draws) => {
        const stage = play(document, { draws, ...never });
        check(stage.rows);
        expect(stage.alive).toEqual(["session/s1"]);
        expect([stage.work, stage.timers, stage.state("session/s1")]).toEqual([[], [], "idle"]);
        expect(ends(stage)).toHaveLength(1);
        // No turn: the run ended while it was parked.
        expect(["turn.completed", "run.completed"]).toContain(stage.rows.at(-1)?.type);
        for (const { type } of stage.rows) seen.add(type);
      }),
      { numRuns: RUNS },
    );
    for (const type of ["permission.resolved", "input.answered", "step.retrying"]) expect(seen).toContain(type);
  });

  it("settles as cancelled when it is cancelled at any moment, and leaves no child", () => {
    let heard = 0;
    fc.assert(
      fc.property(documents, draws, fc.nat(80), (document, draws, cancelAt) => {
        const stage = play(document, { draws, cancelAt, crashAt: -1 });
        check(stage.rows);
        expect([stage.alive, stage.work, stage.timers]).toEqual([["session/s1"], [], []]);
        if (!stage.heard.has("run/r1 cancel.requested")) return;
        heard++;
        expect(ends(stage)).toMatchObject([{ payload: { status: "cancelled", exitCode: 130 } }]);
        const last = stage.rows.at(-1);
        if (last?.type === "turn.completed") expect(last.payload.stopReason).toBe("cancelled");
        else expect(last).toMatchObject({ type: "run.completed", run: "r1" });
      }),
      { numRuns: RUNS },
    );
    expect(heard).toBeGreaterThan(RUNS / 4);
  });

  it("settles after a crash at any moment, once it is resumed", () => {
    fc.assert(
      fc.property(
        documents,
        draws,
        fc.nat(80),
        fc.integer({ min: -1, max: 160 }),
        (document, draws, crashAt, cancelAt) => {
          const stage = play(document, { draws, cancelAt, crashAt });
          check(stage.rows);
          expect([stage.alive, stage.work, stage.timers]).toEqual([["session/s1"], [], []]);
          expect(stage.state("session/s1")).toBe("idle");
        },
      ),
      { numRuns: RUNS },
    );
  });
});
