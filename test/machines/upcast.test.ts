/** Snapshots of earlier versions: they come to their end, and keep what they knew. */
import { describe, expect, it } from "vitest";
import { born, moved, restored, stored, withChildren } from "../../actors/host/interpret.ts";
import { success } from "../../actors/host/workers.ts";
import { inputMachine } from "../../machines/input-machine.ts";
import { loopMachine } from "../../machines/loop-machine.ts";
import { parallelMachine } from "../../machines/parallel-machine.ts";
import { permissionMachine } from "../../machines/permission-machine.ts";
import { runMachine } from "../../machines/run-machine.ts";
import { sessionMachine } from "../../machines/session-machine.ts";
import { stepMachine } from "../../machines/step-machine.ts";
import { turnMachine } from "../../machines/turn-machine.ts";
import { upcast } from "../../machines/upcast.ts";
import {
  BAD,
  CONTEXT,
  call,
  command,
  forEach,
  nodesOf,
  OK,
  ORIGIN,
  parallel,
  result,
  SCOPE,
  STOPPED,
  settled,
  stepBirth,
  worked,
  workflow,
} from "../support/documents.ts";

// A snapshot is read by its name and version: a machine may change its own only together with a way from the old one.
it("every durable machine stores its snapshots under the name by which they are read", () => {
  const machines = [
    inputMachine,
    loopMachine,
    parallelMachine,
    permissionMachine,
    runMachine,
    sessionMachine,
    stepMachine,
    turnMachine,
  ];
  expect(machines.map(({ id, version }) => `${id}.v${version}`)).toEqual([
    "input.v1",
    "loop.v4",
    "parallel.v4",
    "permission.v1",
    "run.v5",
    "session.v3",
    "step.v5",
    "turn.v2",
  ]);
});

describe("a snapshot of an earlier version", () => {
  it("of a step without questions comes to its end", () => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
    const children = { work: { src: "work", nonce: 1, key: null } };
    const snap = stored(stepMachine, born(stepMachine, birth).snapshot, children, 1);
    const { asks: _, ...context } = snap.context as { asks: unknown };
    const old = restored(stepMachine, { ...snap, v: "step.v1", context }, birth);
    const { snapshot } = moved(stepMachine, withChildren(old, new Map()), success("work", worked(OK)));
    expect([snapshot.status, snapshot.output]).toMatchObject(["done", { outcome: OK }]);
  });

  it("of a call that had not named its run ends without a row for that run", () => {
    const birth = { ...stepBirth(call("sub")), self: "step/1", parent: null, at: 0 };
    const children = { prepare: { src: "prepare", nonce: 1, key: null } };
    const begun = withChildren(born(stepMachine, birth).snapshot, new Map(Object.entries(children)));
    const prepared = { type: "call", run: "r2", workflow: workflow([command("x")]), inputs: {}, env: {} };
    const { snapshot } = moved(stepMachine, begun, success("prepare", prepared));
    const { called: _, ...context } = snapshot.context as { called: unknown };
    const snap = { ...stored(stepMachine, snapshot, { child: { src: "run", nonce: 2, key: "run/r2" } }, 2), context };
    const old = restored(stepMachine, { ...snap, v: "step.v2" }, birth);
    const ended = moved(stepMachine, withChildren(old, new Map()), success("child", { outcome: OK, outputs: {} }));
    expect(ended.effects.flatMap((effect) => (effect.do === "append" ? [effect.row.type] : []))).toEqual([
      "step.completed",
    ]);
  });

  it("of a session without a memory can be asked", () => {
    const birth = { cwd: "/", principal: "u", self: "session/s1", parent: null, at: 0 };
    const snap = stored(sessionMachine, born(sessionMachine, birth).snapshot, {}, 0);
    const { memory: _, ...context } = snap.context as { memory: unknown };
    const old = restored(sessionMachine, { ...snap, v: "session.v1", context }, birth);
    const wanted = { type: "memory.wanted", from: "permission/p1", digest: "d", at: 1 };
    expect(moved(sessionMachine, old, wanted).effects).toEqual([
      { do: "send", to: "permission/p1", event: { type: "memory.told", kind: null } },
    ]);
  });

  it("of a session whose answers never expired keeps them", () => {
    const birth = { cwd: "/", principal: "u", self: "session/s1", parent: null, at: 0 };
    const snap = stored(sessionMachine, born(sessionMachine, birth).snapshot, {}, 0);
    const context = { ...(snap.context as object), memory: { d: "reject_always" } };
    const old = restored(sessionMachine, { ...snap, v: "session.v2", context }, birth);
    const wanted = { type: "memory.wanted", from: "permission/p1", digest: "d", at: 1 };
    expect(moved(sessionMachine, old, wanted).effects).toEqual([
      { do: "send", to: "permission/p1", event: { type: "memory.told", kind: "reject_always" } },
    ]);
  });

  it("of a turn that named no files still asks for trust", () => {
    const ask = { type: "run", run: "r1", workflow: workflow([command("a")]), inputs: {}, env: {}, context: CONTEXT };
    const input = { turn: "t1", blocks: [], ask: { ...ask, trust: "ask" }, session: "s1", cwd: "/project" };
    const birth = { ...input, self: "turn/t1", parent: "session/s1", at: 0 };
    const snap = stored(turnMachine, born(turnMachine, birth).snapshot, {}, 1);
    const { files: _, asked: __, ...context } = snap.context as { files: unknown; asked: unknown };
    const old = restored(turnMachine, { ...snap, v: "turn.v1", context }, birth);
    const yes = moved(turnMachine, old, success("permission", { outcome: "selected", option: "trust" }));
    expect(yes.effects).toMatchObject([{ do: "spawn", id: "trust", input: { files: [], directories: ["/project"] } }]);
    const changed = { outcome: "changed", files: [{ path: "/project/a.sh", digest: "1" }] };
    const { effects } = moved(turnMachine, yes.snapshot, success("trust", changed));
    expect(effects).toMatchObject([{ do: "spawn", id: "permission" }]);
  });

  it("of a parallel without an order starts the branches that had not begun", () => {
    const node = parallel("fan", ["a", "b"], { maxConcurrent: 1 });
    const nodes = nodesOf(command("a"), command("b"));
    const input = { origin: ORIGIN, node, nodes, scope: SCOPE, keep: "all" as const };
    const birth = { ...input, self: "parallel/1", parent: null, at: 0 };
    const children = { a: { src: "step", nonce: 1, key: "step/a" as const } };
    const snap = stored(parallelMachine, born(parallelMachine, birth).snapshot, children, 1);
    const { order: _, ...kept } = snap.context as { order: unknown };
    const context = { ...kept, started: 1, verdict: null };
    const old = restored(parallelMachine, { ...snap, v: "parallel.v1", context }, birth);
    const { effects } = moved(parallelMachine, withChildren(old, new Map()), success("a", settled(OK)));
    expect(effects).toMatchObject([{ do: "spawn", id: "b" }]);
  });

  it("of a parallel that did not count unapproved branches comes to its end", () => {
    const node = parallel("fan", ["a"]);
    const input = { origin: ORIGIN, node, nodes: nodesOf(command("a")), scope: SCOPE, keep: "all" as const };
    const birth = { ...input, self: "parallel/1", parent: null, at: 0 };
    const children = { a: { src: "step", nonce: 1, key: "step/a" as const } };
    const snap = stored(parallelMachine, born(parallelMachine, birth).snapshot, children, 1);
    const { skipped: _, ...kept } = snap.context as { skipped: unknown };
    const context = { ...kept, verdict: null };
    const old = restored(parallelMachine, { ...snap, v: "parallel.v2", context }, birth);
    const { snapshot } = moved(parallelMachine, withChildren(old, new Map()), success("a", settled(OK)));
    expect(snapshot.output).toMatchObject({ outcome: OK });
  });

  it.each([
    ["run.v1", { position: { hops: 1 } }, { position: { hops: 1, entered: [], warned: [], where: { at: "start" } } }],
  ])("of %s counts no earlier warnings", (v, context, expected) =>
    expect(upcast(v, { value: "x", context })).toEqual({ value: "x", context: expected }),
  );

  it.each([
    ["filling", null, OK],
    ["stopping", BAD, BAD],
  ])("of a parallel that was %s keeps its verdict", (value, verdict, expected) => {
    const node = parallel("fan", ["a"]);
    const input = { origin: ORIGIN, node, nodes: nodesOf(command("a")), scope: SCOPE, keep: "all" as const };
    const birth = { ...input, self: "parallel/1", parent: null, at: 0 };
    const children = { a: { src: "step", nonce: 1, key: "step/a" as const } };
    const snap = stored(parallelMachine, born(parallelMachine, birth).snapshot, children, 1);
    const context = { ...(snap.context as object), verdict };
    const old = restored(parallelMachine, { ...snap, v: "parallel.v3", value, context }, birth);
    const { snapshot } = moved(parallelMachine, withChildren(old, new Map()), success("a", settled(OK)));
    expect(snapshot.output).toMatchObject({ outcome: expected });
  });

  it.each(["loop.v1", "loop.v2"])("of a loop (%s) with one round at a time continues where it was", (v) => {
    const node = forEach("each", ["one", "two"]);
    const input = { origin: { ...ORIGIN, step: "each" }, node, nodes: nodesOf(command("one"), command("two")) };
    const birth = { ...input, scope: SCOPE, items: ["x", "y"], maxIterations: 10, keep: "all" as const };
    const born1 = born(loopMachine, { ...birth, self: "loop/1", parent: null, at: 0 });
    const children = { "each/1.one#2": { src: "step", nonce: 3, key: "step/3" as const } };
    const visits = { one: 2 };
    const kept = { one: result(OK, "1") };
    const position = { iteration: 1, cursor: 0, hops: 2, visits, states: kept, left: null, outcome: null };
    const snap = stored(loopMachine, born1.snapshot, children, 3);
    const old = { ...snap, v, context: { position: v === "loop.v1" ? position : { ...position, warned: ["w"] } } };
    const again = restored(loopMachine, old, { ...birth, self: "loop/1", parent: null, at: 0 });
    const on = moved(loopMachine, withChildren(again, new Map()), success("each/1.one#2", settled(OK)));
    expect(on.effects).toMatchObject([{ do: "spawn", id: "each/1.two" }]);
    const { snapshot } = moved(loopMachine, withChildren(on.snapshot, new Map()), success("each/1.two", settled(OK)));
    expect([snapshot.status, snapshot.output]).toEqual(["done", settled(OK, kept)]);
  });
  it("of a loop that kept its rounds' results apart keeps them", () => {
    const one = { Output: "1", Stderr: "", ExitCode: 0, Status: "completed", Item: "x", Index: 0 };
    const position = { next: 1, states: {}, results: { 0: one } };
    expect(upcast("loop.v3", { value: "iterating", context: { position } }).context).toEqual({
      position: { next: 1, again: [], states: { "[0]": one } },
    });
  });
  it("of a loop that was being cancelled ends as cancelled", () => {
    const outcome = { status: "cancelled", exitCode: 130 } as const;
    const position = { iteration: 0, cursor: 0, hops: 1, visits: {}, states: {}, warned: [], left: null, outcome };
    expect(upcast("loop.v2", { value: "cancelling", context: { position } }).context).toMatchObject({
      position: { open: [], stage: { is: "over", outcome, left: null } },
    });
  });

  it.each(["step.v1", "step.v2", "step.v3"])(
    "of a step (%s) that a crash cut off while its questions were taken back",
    (v) => {
      const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
      const snap = stored(stepMachine, born(stepMachine, birth).snapshot, {}, 2);
      const context = { ...(snap.context as object), judgement: null, asks: ["1"], called: null };
      const old = restored(stepMachine, { ...snap, v, value: "withdrawing", context }, birth);
      const over = moved(stepMachine, withChildren(old, new Map()), success("ask.1", { outcome: "cancelled" }));
      expect(over.snapshot.value).toBe("interrupted");
    },
  );

  it("of a step that was being stopped ends the way it was stopped", () => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
    const snap = stored(stepMachine, born(stepMachine, birth).snapshot, {}, 2);
    const judgement = { outcome: BAD, left: null, states: {}, draw: 0.5 };
    const context = { ...(snap.context as object), judgement, asks: ["1"] };
    const old = restored(stepMachine, { ...snap, v: "step.v3", value: "withdrawing", context }, birth);
    const over = moved(stepMachine, withChildren(old, new Map()), success("ask.1", { outcome: "cancelled" }));
    expect(over.snapshot.output).toMatchObject({ outcome: BAD });
  });

  it("of a step whose work was running ends cancelled, since no other end is known", () => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
    const { snapshot } = born(stepMachine, birth);
    const snap = stored(stepMachine, snapshot, { work: { src: "work", nonce: 1, key: null } }, 1);
    const context = { ...(snap.context as object), judgement: null };
    const old = restored(stepMachine, { ...snap, v: "step.v3", context }, birth);
    const cancelled = moved(stepMachine, old, { type: "cancel.requested" }).snapshot;
    const over = moved(stepMachine, withChildren(cancelled, new Map()), success("work", worked(OK, "kept")));
    expect(over.snapshot.output).toMatchObject({ outcome: STOPPED, states: { work: { Output: "kept" } } });
  });

  it("keeps its fields; one of the present version is not changed (I1)", () => {
    const value = "attempting";
    expect(upcast("step.v1", { value, context: { asks: ["1"] } })).toEqual({
      value,
      context: { asks: ["1"], called: null, repair: { made: 0, words: null } },
    });
    const context = {};
    expect(upcast("step.v5", { value, context }).context).toBe(context);
    expect(upcast("constructor", { value, context }).context).toBe(context);
  });
});
