/** A crash while a step whose work was ended sees to its tree: what comes next has that done, whatever stands around the step. */
import { expect, test } from "vitest";
import type { PrepareInput, TreeInput } from "../../machines/contracts.ts";
import { idOf } from "../../machines/model.ts";
import type { Node, Workflow } from "../../machines/workflow/document.ts";
import {
  CONTEXT,
  call,
  command,
  forEach,
  parallel,
  STOPPED,
  terminal,
  whileNode,
  worked,
  workflow,
} from "../support/documents.ts";
import { Stage, type Work } from "../support/stage.ts";
import { ISOLATION, LEFT, MADE, planOf } from "../support/trees.ts";

const INSIDE = command("inside", { isolation: { ...ISOLATION, merge: "keep" } });
const CALLED = workflow([{ ...INSIDE, onSuccess: "done" }, terminal("done")], { name: "called" });
const of = (...nodes: Node[]): Workflow => workflow([...nodes, terminal("done")]);
const LIMITED = { timeoutMs: 1_000, onSuccess: "done" } as const;
const AROUND: { readonly [around: string]: Workflow } = {
  nothing: of({ ...INSIDE, ...LIMITED }),
  "a parallel": of(parallel("around", ["inside"], LIMITED), INSIDE),
  "a for_each": of(forEach("around", ["inside"], LIMITED), INSIDE),
  "a while": of(whileNode("around", "1 == 1", ["inside"], LIMITED), INSIDE),
  "a call": of(call("around", LIMITED)),
};
const NEWS = {
  ...{ plan: { plan: planOf("inside") }, add: { made: MADE }, fill: { filled: true }, "set up": { ready: true } },
  ...{ collect: { left: LEFT } },
} as const;

function result({ src, key, nonce, input }: Work): unknown {
  if (src === "tree") return NEWS[(input as TreeInput).do as keyof typeof NEWS];
  if (src === "work") return worked(STOPPED);
  const { node } = input as PrepareInput;
  if (node.type === "call_workflow")
    return { type: "call", run: `${idOf(key)}.${nonce}`, workflow: CALLED, inputs: {}, env: {} };
  return { type: "loop", items: node.type === "for_each" ? [1] : null, maxIterations: 1 };
}
/** Finishes work until one of these is asked for, or none is left. */
function finishUntil(stage: Stage, isIt: (work: Work) => boolean = () => false): void {
  stage.settle();
  for (let [work] = stage.work; work !== undefined && !isIt(work); [work] = stage.work) {
    stage.finish(work, { output: result(work) });
    stage.settle();
  }
}
const collects = ({ src, input }: Work): boolean => src === "tree" && (input as TreeInput).do === "collect";

const ENDINGS: { readonly [how: string]: (stage: Stage) => void } = {
  cancel: (stage) => stage.post("session/s1", { type: "cancel.requested" }),
  "time limit": (stage) => stage.ring(),
};
const NEXT = {
  cancel: { type: "cancel.requested" },
  resume: { type: "prompt.received", turn: "t2", blocks: [], asks: { type: "resume", recover: "rerun" } },
} as const;

test.each(
  Object.keys(AROUND).flatMap((around) =>
    Object.keys(ENDINGS).flatMap((ending) => Object.keys(NEXT).map((next) => [ending, next, around] as const)),
  ),
)("after a %s and a crash, a %s brings the run to its end, with %s around the step", (ending, next, around) => {
  const stage = new Stage();
  stage.create("session/s1", { cwd: "/project", principal: "u" });
  const given = { inputs: {}, env: {}, context: CONTEXT, trust: "trusted" };
  const asks = { type: "run", run: "r1", workflow: AROUND[around], ...given };
  stage.post("session/s1", { type: "prompt.received", turn: "t1", blocks: [], asks } as never);
  finishUntil(stage, ({ src }) => src === "work");
  ENDINGS[ending]?.(stage);
  finishUntil(stage, collects);
  expect(stage.work).toMatchObject([{ src: "tree" }]);
  stage.crash("session/s1");
  stage.settle();
  expect([stage.work, stage.state("session/s1")]).toEqual([[], "interrupted"]);

  stage.post("session/s1", NEXT[next as keyof typeof NEXT] as never);
  finishUntil(stage);
  expect([stage.alive, stage.state("session/s1")]).toEqual([["session/s1"], "idle"]);
  const status = ending === "cancel" || next === "cancel" ? "cancelled" : "failed";
  const end = stage.rows.findLast(({ type, run }) => type === "run.completed" && run === "r1");
  expect(end).toMatchObject({ payload: { status } });
});
