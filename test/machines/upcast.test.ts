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
  nodesOf,
  OK,
  ORIGIN,
  parallel,
  SCOPE,
  STOPPED,
  settled,
  stepBirth,
  worked,
  workflow,
} from "../support/documents.ts";

// A snapshot is read by its name and version: a machine may change its own only together with a way from the old one.
it("every durable machine stores under the name that its snapshots are read by", () => {
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
    "loop.v2",
    "parallel.v3",
    "permission.v1",
    "run.v2",
    "session.v2",
    "step.v4",
    "turn.v2",
  ]);
});

describe("a snapshot of an earlier version", () => {
  it("of a step that knew no questions goes on to its end", () => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
    const children = { work: { src: "work", nonce: 1, key: null } };
    const snap = stored(stepMachine, born(stepMachine, birth).snapshot, children, 1);
    const { asks: _, ...context } = snap.context as { asks: unknown };
    const old = restored(stepMachine, { ...snap, v: "step.v1", context }, birth);
    const { snapshot } = moved(stepMachine, withChildren(old, {}), success("work", worked(OK)));
    expect([snapshot.status, snapshot.output]).toMatchObject(["done", { outcome: OK }]);
  });

  it("of a call whose run was not named when it began ends without a row of it", () => {
    const birth = { ...stepBirth(call("sub")), self: "step/1", parent: null, at: 0 };
    const children = { prepare: { src: "prepare", nonce: 1, key: null } };
    const begun = withChildren(born(stepMachine, birth).snapshot, children);
    const prepared = { type: "call", run: "r2", workflow: workflow([command("x")]), inputs: {}, env: {} };
    const { snapshot } = moved(stepMachine, begun, success("prepare", prepared));
    const { called: _, ...context } = snapshot.context as { called: unknown };
    const snap = { ...stored(stepMachine, snapshot, { child: { src: "run", nonce: 2, key: "run/r2" } }, 2), context };
    const old = restored(stepMachine, { ...snap, v: "step.v2" }, birth);
    const ended = moved(stepMachine, withChildren(old, {}), success("child", { outcome: OK, outputs: {} }));
    expect(ended.effects.flatMap((effect) => (effect.do === "append" ? [effect.row.type] : []))).toEqual([
      "step.completed",
    ]);
  });

  it("of a session that remembered nothing can be asked", () => {
    const birth = { cwd: "/", principal: "u", self: "session/s1", parent: null, at: 0 };
    const snap = stored(sessionMachine, born(sessionMachine, birth).snapshot, {}, 0);
    const { memory: _, ...context } = snap.context as { memory: unknown };
    const old = restored(sessionMachine, { ...snap, v: "session.v1", context }, birth);
    const wanted = { type: "memory.wanted", from: "permission/p1", digest: "d" };
    expect(moved(sessionMachine, old, wanted).effects).toEqual([
      { do: "send", to: "permission/p1", event: { type: "memory.told", kind: null } },
    ]);
  });

  it("of a turn that named no files asks for trust", () => {
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

  it("of a parallel that kept no order starts what had not begun", () => {
    const node = parallel("fan", ["a", "b"], { maxConcurrent: 1 });
    const nodes = nodesOf(command("a"), command("b"));
    const input = { origin: ORIGIN, node, nodes, scope: SCOPE, keep: "all" as const };
    const birth = { ...input, self: "parallel/1", parent: null, at: 0 };
    const children = { a: { src: "step", nonce: 1, key: "step/a" as const } };
    const snap = stored(parallelMachine, born(parallelMachine, birth).snapshot, children, 1);
    const { order: _, ...context } = snap.context as { order: unknown };
    const old = restored(parallelMachine, { ...snap, v: "parallel.v1", context: { ...context, started: 1 } }, birth);
    const { effects } = moved(parallelMachine, withChildren(old, {}), success("a", settled(OK)));
    expect(effects).toMatchObject([{ do: "spawn", id: "b" }]);
  });

  it("of a parallel that knew no branch that was not approved comes to its end", () => {
    const node = parallel("fan", ["a"]);
    const input = { origin: ORIGIN, node, nodes: nodesOf(command("a")), scope: SCOPE, keep: "all" as const };
    const birth = { ...input, self: "parallel/1", parent: null, at: 0 };
    const children = { a: { src: "step", nonce: 1, key: "step/a" as const } };
    const snap = stored(parallelMachine, born(parallelMachine, birth).snapshot, children, 1);
    const { skipped: _, ...context } = snap.context as { skipped: unknown };
    const old = restored(parallelMachine, { ...snap, v: "parallel.v2", context }, birth);
    const { snapshot } = moved(parallelMachine, withChildren(old, {}), success("a", settled(OK)));
    expect(snapshot.output).toMatchObject({ outcome: OK });
  });

  it.each([
    ["run.v1", { position: { hops: 1 } }, { position: { hops: 1, warned: [] } }],
    ["loop.v1", { position: { hops: 1 } }, { position: { hops: 1, warned: [] } }],
  ])("of %s has given no warnings", (v, context, expected) =>
    expect(upcast(v, { value: "x", context })).toEqual({ value: "x", context: expected }),
  );

  it.each(["step.v1", "step.v2", "step.v3"])(
    "of a step (%s) that a crash cut off while its questions were taken back",
    (v) => {
      const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
      const snap = stored(stepMachine, born(stepMachine, birth).snapshot, {}, 2);
      const context = { ...(snap.context as object), judgement: null, asks: ["1"], called: null };
      const old = restored(stepMachine, { ...snap, v, value: "withdrawing", context }, birth);
      const over = moved(stepMachine, withChildren(old, {}), success("ask.1", { outcome: "cancelled" }));
      expect(over.snapshot.value).toBe("interrupted");
    },
  );

  it("of a step that was being stopped ends as it was told to", () => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
    const snap = stored(stepMachine, born(stepMachine, birth).snapshot, {}, 2);
    const judgement = { outcome: BAD, left: null, states: {}, draw: 0.5 };
    const context = { ...(snap.context as object), judgement, asks: ["1"] };
    const old = restored(stepMachine, { ...snap, v: "step.v3", value: "withdrawing", context }, birth);
    const over = moved(stepMachine, withChildren(old, {}), success("ask.1", { outcome: "cancelled" }));
    expect(over.snapshot.output).toMatchObject({ outcome: BAD });
  });

  it("of a step whose work ran when it was stored is cancelled for want of another end", () => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 };
    const { snapshot } = born(stepMachine, birth);
    const snap = stored(stepMachine, snapshot, { work: { src: "work", nonce: 1, key: null } }, 1);
    const context = { ...(snap.context as object), judgement: null };
    const old = restored(stepMachine, { ...snap, v: "step.v3", context }, birth);
    const cancelled = moved(stepMachine, old, { type: "cancel.requested" }).snapshot;
    const over = moved(stepMachine, withChildren(cancelled, {}), success("work", worked(OK, "kept")));
    expect(over.snapshot.output).toMatchObject({ outcome: STOPPED, states: { work: { Output: "kept" } } });
  });

  it("keeps what it has, and one of the present version is left alone (I1)", () => {
    const value = "attempting";
    expect(upcast("step.v1", { value, context: { asks: ["1"] } })).toEqual({
      value,
      context: { asks: ["1"], called: null },
    });
    const context = {};
    expect(upcast("step.v4", { value, context }).context).toBe(context);
    expect(upcast("constructor", { value, context }).context).toBe(context);
  });
});
