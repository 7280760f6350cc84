/** Snapshots of runs of earlier versions. */
import { describe, expect, it } from "vitest";
import { born, moved, restored, stored, withChildren } from "../../actors/host/interpret.ts";
import { success } from "../../actors/host/workers.ts";
import { runMachine } from "../../machines/run-machine.ts";
import { BAD, command, OK, runBirth, settled, terminal, workflow } from "../support/documents.ts";

describe("a snapshot of an earlier version", () => {
  const TWO = workflow([command("a", { onSuccess: "b" }), command("b", { onSuccess: "done" }), terminal("done")]);
  const oldRun = (value: string, fields: object) => {
    const birth = { ...runBirth(TWO), self: "run/r1", parent: "session/s1", at: 0 };
    const snap = stored(runMachine, born(runMachine, birth).snapshot, {}, 1);
    const position = { hops: 1, visits: { a: 1 }, states: {}, warned: [], ...fields };
    const context = { ...(snap.context as object), position };
    return withChildren(restored(runMachine, { ...snap, v: "run.v2", value, context }, birth), new Map());
  };

  it("of a run keeps the count of states that it entered", () => {
    const again = workflow([command("a", { onSuccess: "b" }), command("b", { onSuccess: "a" }), terminal("done")]);
    const birth = { ...runBirth(again), self: "run/r1", parent: "session/s1", at: 0 };
    const snap = stored(runMachine, born(runMachine, birth).snapshot, {}, 1);
    const position = { hops: 1, visits: { a: 1 }, states: {}, warned: [], where: { at: "state", name: "a" } };
    const old = { ...snap, v: "run.v3", value: "running", context: { ...(snap.context as object), position } };
    const first = moved(runMachine, restored(runMachine, old, birth), success("a", settled(OK)));
    expect(first.effects).toMatchObject([{ do: "spawn", id: "b" }]);
    const second = moved(runMachine, withChildren(first.snapshot, new Map()), success("b", settled(OK)));
    expect(second.effects).toMatchObject([{ do: "spawn", id: "a#2" }]);
  });

  it("of a run keeps which states it has entered", () => {
    const round = ["a", "b", "c"].map((name, at) => command(name, { onSuccess: "abca".charAt(at + 1) }));
    const birth = { ...runBirth(workflow(round)), self: "run/r1", parent: "session/s1", at: 0 };
    const snap = stored(runMachine, born(runMachine, birth).snapshot, {}, 1);
    const where = { at: "state", name: "b" };
    const position = { hops: 5, entered: ["a", "b"], visits: { a: 3 }, states: {}, warned: [], where };
    const old = { ...snap, v: "run.v4", value: "running", context: { ...(snap.context as object), position } };
    const first = moved(runMachine, restored(runMachine, old, birth), success("b", settled(OK)));
    const second = moved(runMachine, withChildren(first.snapshot, new Map()), success("c", settled(OK)));
    const third = moved(runMachine, withChildren(second.snapshot, new Map()), success("a", settled(OK)));
    expect([first, second, third].map(({ effects }) => effects)).toMatchObject([
      [{ do: "spawn", id: "c" }],
      [{ do: "spawn", id: "a#4" }],
      [{ do: "spawn", id: "b#2" }],
    ]);
  });

  it("of a run in a state continues from there", () => {
    const old = oldRun("running", { current: "a", last: "a", outcome: null, message: null });
    expect(moved(runMachine, old, success("a", settled(OK))).effects).toMatchObject([{ do: "spawn", id: "b" }]);
  });

  it("of a run whose end was known ends that way, and names its last state", () => {
    const end = { current: null, last: "b", outcome: BAD, message: "gone" };
    const old = oldRun("cancelling", end);
    expect(old.context.position.where).toEqual({ at: "end", last: "b", outcome: BAD, message: "gone" });
    expect(moved(runMachine, old, success("b", settled(OK))).effects).toMatchObject([
      { do: "spawn", id: "conclude", input: { message: "gone", outputs: {} } },
    ]);
  });

  it("of a run before its first state begins there", () => {
    const hooked = { current: null, last: null, outcome: null, message: null, hops: 0, visits: {} };
    const old = oldRun("running", hooked);
    expect(old.context.position.where).toEqual({ at: "start" });
  });
});
