/** Covers `steps.ts`: which steps have cards, and all that is sent of them. */
import { expect, test } from "vitest";
import type { Exchange, RowOf } from "../../../machines/exchange.ts";
import { Callers } from "../../../projections/acp/callers.ts";
import { Cards } from "../../../projections/acp/cards.ts";
import { Steps } from "../../../projections/acp/steps.ts";
import type { View } from "../../../projections/acp/view.ts";
import type { Causes } from "../../../projections/runs/failures.ts";
import { runCompleted, stepCompleted, stepStarted } from "../terminal/rows.ts";

type Started = Parameters<typeof stepStarted>[1];
type Completed = Parameters<typeof stepCompleted>[1];
/** What is sent, beside the kind of the update; the cards' clock stands. */
function stage() {
  const callers = new Callers();
  const cards = new Cards(null);
  const steps = new Steps(cards, callers);
  const views: View[] = [];
  const sent = () => views.splice(0).flatMap((view) => ("update" in view ? [view.update] : []));
  return {
    callers,
    cards,
    steps,
    start: (step: string, payload: Started = {}, run = "r1") => {
      steps.start(stepStarted(step, payload, run) as RowOf<"step.started">, views);
      return sent();
    },
    end: (step: string, payload: Completed = {}, causes: Causes = null) => {
      steps.end(stepCompleted(step, payload) as RowOf<"step.completed">, causes, views);
      return sent();
    },
    release: (row: object) => {
      steps.release({ seq: 9, at: 9, ...row } as Exchange, views);
      return sent();
    },
    speaker: (step: string, run = "r1") => [steps.speaker(run, step, views)?.id ?? null, ...sent()],
    did: (act: (views: View[]) => unknown) => {
      act(views);
      return sent();
    },
  };
}
const card = (step: string, more: object = {}) => ({
  ...{ sessionUpdate: "tool_call", toolCallId: `r1/${step}`, title: step, kind: "execute", status: "in_progress" },
  ...more,
});
const update = (step: string, more: object) => ({
  sessionUpdate: "tool_call_update",
  toolCallId: `r1/${step}`,
  ...more,
});
const text = (line: string) => ({ content: [{ type: "content", content: { type: "text", text: line } }] });
const FAILED = { status: "failed", exitCode: 2, error: { code: "X", message: "it broke" } } as const;

test("a command has a card from its start to its end; an agent only below a parallel; others none", () => {
  const { start, end } = stage();
  expect(start("a")).toEqual([card("a")]);
  expect(end("a")).toEqual([update("a", { status: "completed" })]);
  const agent = { kind: "agent", title: "Ask\nit" } as const;
  expect([start("b", agent), end("b", { kind: "agent" })]).toEqual([[], []]);
  expect(start("p/b", { ...agent, parallel: true })).toEqual([card("p/b", { title: "Ask it", kind: "other" })]);
  expect(end("p/b", { kind: "agent" })).toEqual([update("p/b", { status: "completed" })]);
  expect([start("p", { kind: "parallel" }), end("p", { kind: "parallel" })]).toEqual([[], []]);
  expect(start("c", { round: { index: 0, item: "x y" } as never })).toMatchObject([{ title: "c [x y]" }]);
});

test("what has none gets one when it is skipped, and when it fails and its run does not say why", () => {
  const { start, end, release } = stage();
  start("p", { kind: "parallel" });
  const skipped = { status: "skipped", kind: "parallel", exitCode: 0, error: { code: "X", message: "no" } } as const;
  expect(end("p", skipped)).toEqual([
    card("p", {
      ...{ title: "p (skipped)", kind: "other", status: "completed", rawOutput: { exitCode: 0, code: "X" } },
      ...text("Skipped: no"),
    }),
  ]);
  expect(end("q", { kind: "parallel", status: "cancelled", exitCode: 130 })).toEqual([]);
  start("l", { kind: "for_each" });
  expect(end("l", { ...FAILED, kind: "for_each" })).toEqual([]);
  expect(release(stepStarted("next"))).toEqual([
    card("l", { kind: "other", status: "failed", rawOutput: { exitCode: 2, code: "X" }, ...text("it broke") }),
  ]);
  expect(end("m", { ...FAILED, kind: "while" })).toEqual([]);
  expect(release(runCompleted({ status: "failed", error: { code: "X", message: "it broke" } }))).toEqual([]);
});

test("I2: the end of a failed step waits for the next row of its run, which says it or does not", () => {
  const raw = { status: "failed", rawOutput: { exitCode: 2, code: "X" } };
  const after = (row: object, step = "p/a") => {
    const { start, end, release } = stage();
    start(step);
    expect(end(step, FAILED)).toEqual([]);
    return release(row);
  };
  const told = [update("p/a", { ...raw, ...text("Failed") })];
  const own = [update("p/a", { ...raw, ...text("it broke") })];
  const error = { code: "X", message: "it broke" };
  expect(after(runCompleted({ status: "failed", error }))).toEqual(told);
  expect(after(stepCompleted("p", { kind: "parallel", status: "failed", error }))).toEqual(told);
  expect(after(stepCompleted("p", { kind: "parallel", status: "completed", error }))).toEqual(own);
  expect(after(stepCompleted("pp", { status: "failed", error }))).toEqual(own);
  expect(after(stepCompleted("a", { status: "failed", error }))).toEqual(own);
  expect(after(runCompleted({ status: "failed", error: { code: "X", message: "another" } }))).toEqual(own);
  expect(after(runCompleted({ status: "failed" }))).toEqual(own);
  expect(after(stepStarted("next"))).toEqual(own);
  expect(after({ type: "turn.completed", payload: {} })).toEqual(own);
  expect(after(stepStarted("next", {}, "r2"))).toEqual([]);
  expect(after({ type: "notice", payload: {} })).toEqual([]);
});

test("one that failed without a reason ends at once; what it failed of is told to programs, twenty at most", () => {
  const { start, end, release } = stage();
  start("a");
  expect(end("a", { status: "failed", exitCode: 1 })).toEqual([
    update("a", { status: "failed", rawOutput: { exitCode: 1 }, ...text("Failed") }),
  ]);
  const causes = Array.from({ length: 21 }, (_, at) => ({ step: `s${at}` })) as unknown as NonNullable<Causes>;
  start("b");
  end("b", FAILED, causes);
  expect(release(stepStarted("next"))).toMatchObject([{ _meta: { "troupe/failed": causes.slice(0, 20) } }]);
  start("c");
  expect(end("c", { status: "cancelled", exitCode: 130 }, causes)[0]?._meta).not.toHaveProperty("troupe/failed");
});

test("what a step has started ends with it", () => {
  const { start, end, cards, did } = stage();
  start("a");
  did((views) => {
    for (const [id, step] of [
      ["r1/a/tool", "a"],
      ["r1/b/tool", "b"],
    ] as const)
      cards.open({ id, run: "r1", step, title: id, kind: "read", fenced: false }, {}, views);
  });
  expect(
    end("a", { status: "cancelled", exitCode: 130 }).map((one) => (one as { toolCallId: string }).toolCallId),
  ).toEqual(["r1/a/tool", "r1/a"]);
  expect(cards.get("r1/b/tool")?.id).toBe("r1/b/tool");
});

test("who speaks: a step with a card in it, one without in the conversation, an unknown one in the conversation", () => {
  const { start, speaker, end, steps } = stage();
  start("a");
  start("b", { kind: "agent" });
  expect([speaker("a"), speaker("b"), speaker("b"), speaker("c"), speaker("b", "r2")]).toEqual([
    ["r1/a"],
    [null],
    [null],
    [null],
    [null],
  ]);
  // The one that spoke last in the conversation is known by its run and its step, until anything begins or ends.
  start("b", { kind: "agent", parallel: true });
  expect(speaker("b")).toEqual(["r1/b"]);
  end("b", { kind: "agent" });
  expect(speaker("b")).toEqual([null]);
  start("a", {}, "r2");
  start("d", { kind: "agent" });
  speaker("d");
  expect([speaker("a")[0], speaker("a", "r2")[0], speaker("d")[0]]).toEqual(["r1/a", "r2/a", null]);
  steps.clear();
  expect(speaker("d")).toEqual([null]);
});

test("a card is opened anew for output and words of a step that began before", () => {
  const { steps, did, start, cards, speaker } = stage();
  expect(did((views) => steps.output("r1", "a\n", views))).toEqual([card("a\n", { title: "a" })]);
  expect(did((views) => steps.output("r1", "a\n", views))).toEqual([]);
  start("b");
  did((views) => cards.close(cards.get("r1/b") as never, { status: "completed" }, views));
  expect(speaker("b")).toEqual(["r1/b", card("b")]);
  did((views) => cards.close(cards.get("r1/b") as never, { status: "completed" }, views));
  start("c", { title: "See" });
  did((views) => cards.close(cards.get("r1/c") as never, { status: "completed" }, views));
  expect(did((views) => steps.output("r1", "c", views))).toEqual([card("c", { title: "See" })]);
});

test("a new attempt is a line of the card, or a thought", () => {
  const { steps, start, did, cards } = stage();
  const retry = (step: string) => ({
    ...{ type: "step.retrying", run: "r1", step },
    payload: { attempt: 2, delayMs: 0, reason: { code: "X", message: "no" } },
  });
  start("a");
  expect(did((views) => steps.retry(retry("a") as never, views))).toEqual([]);
  expect(cards.get("r1/a")?.notes).toEqual(["Attempt 2 failed: no. Trying again."]);
  expect(did((views) => steps.retry(retry("b") as never, views))).toEqual([
    {
      ...{ sessionUpdate: "agent_thought_chunk", messageId: "r1/b@2#retry" },
      content: { type: "text", text: "Attempt 2 failed: no. Trying again." },
    },
  ]);
});

test("a call names the run that it calls; side by side what that run shows says whose it is", () => {
  const { steps, start, did, end } = stage();
  const call = (step: string, childRun: string) => ({
    ...{ type: "step.call_workflow.started", run: "r1", step, childRun },
    payload: { workflow: "w" },
  });
  start("a", { kind: "call_workflow" });
  expect(did((views) => steps.call(call("a", "r2") as never, views))).toEqual([
    update("a", { rawInput: { workflow: "w", run: "r2" } }),
  ]);
  expect(start("x", {}, "r2")).toMatchObject([{ title: "x" }]);
  start("p/b", { kind: "call_workflow", title: "Left", parallel: true });
  did((views) => steps.call(call("p/b", "r3") as never, views));
  expect(start("x", {}, "r3")).toMatchObject([{ title: "Left › x" }]);
  expect(did((views) => steps.call(call("nobody", "r4") as never, views))).toEqual([]);
  expect(end("p/b", { kind: "call_workflow" })).toEqual([update("p/b", { status: "completed" })]);
});
