import { expect, test } from "vitest";
import {
  depthOf,
  type EventStep,
  eventText,
  type KnownActor,
  KnownActors,
  keysWith,
  MOST_STEPS,
  payloadText,
  senderText,
  shownFirst,
  stateText,
  stepsOf,
} from "../../../projections/inspection/actors.ts";
import { type WireMessage, wireText } from "../../../projections/inspection/wire.ts";
import { actorLines, stepLine } from "../../../projections/terminal/inspection.ts";
import { actorSeen, moved } from "./seen.ts";

const PLAIN = { colours: false };
function knowing(...all: Parameters<typeof wireText>[0]["seen"][]) {
  const known = new KnownActors();
  const steps = all.flatMap((seen, at) => known.see(JSON.parse(wireText({ n: at + 1, seen })) as WireMessage) ?? []);
  return { known, steps };
}
const SESSION = { ...actorSeen("session/s"), name: "session" };
const RUN = { ...actorSeen("run/r"), name: "run release", parentId: "session/s" as const };

test("a step is an event with the states before and after it, and who has sent it", () => {
  const { known, steps } = knowing(
    SESSION,
    ...moved("run/r", "xstate.init", { source: "session/s" }),
    ...moved("run/r", "go"),
  );
  expect(steps.map((step) => [senderText(step, known.actors), step.to, step.before, step.after])).toEqual([
    ["session", "run/r", "", "xstate.init"],
    ["outside", "run/r", "xstate.init", "go"],
  ]);
  expect(steps.map((step) => stepLine(step, known.actors, PLAIN))).toEqual([
    "00:00:01.000  session ─▶ run  born  [xstate.init]",
    "00:00:01.000  outside ─▶ run  go  [xstate.init → go]",
  ]);
});

test("I1: an actor that has ended is known, and is over", () => {
  const { known } = knowing(RUN, ...moved("run/r", "stop", { isOver: true }).map((seen) => ({ ...seen })));
  expect(known.actors.get("run/r")).toMatchObject({ name: "run release", parent: "session/s", isOver: true });
});

test("I2: what is kept of steps is bounded", () => {
  const known = new KnownActors();
  known.see(JSON.parse(wireText({ n: 0, seen: RUN })) as WireMessage);
  const [event] = moved("run/r", "go");
  if (event === undefined) throw new Error("nothing moved");
  for (let n = 1; n <= 3 * MOST_STEPS; n++) known.see(JSON.parse(wireText({ n, seen: event })) as WireMessage);
  expect(known.steps.length).toBeLessThan(2 * MOST_STEPS);
  expect(known.steps.at(-1)?.n).toBe(3 * MOST_STEPS);
});

test("I2: the last of them are kept, once there are twice as many", () => {
  const known = new KnownActors();
  const event = { ...{ rootId: "s", sessionId: "a", createdAt: "5", _version: "1" }, event: { type: "go" } };
  const kept = [];
  for (let n = 1; n <= 2 * MOST_STEPS; n++) {
    known.see({ type: "@xstate.event", ...event, id: String(n) });
    if (n >= 2 * MOST_STEPS - 1) kept.push([known.steps.length, known.steps[0]?.n, known.steps.at(-1)?.n]);
  }
  expect(kept).toEqual([
    [2 * MOST_STEPS - 1, 1, 2 * MOST_STEPS - 1],
    [MOST_STEPS, MOST_STEPS + 1, 2 * MOST_STEPS],
  ]);
});

test("all that is known of an actor, from messages that say much or little", () => {
  const known = new KnownActors();
  const common = { rootId: "s", sessionId: "a", createdAt: "5", id: "7", _version: "1" };
  const meet = (snapshot: object, more: object = {}) => {
    known.see({ type: "@xstate.actor", ...common, name: "run x", definition: "{}", snapshot, ...more });
    return known.actors.get("a");
  };
  const base = { key: "a", name: "run x", parent: null, session: "s", definition: "{}", birth: null, isOver: false };
  expect(meet({})).toEqual({ ...base, snapshot: {} });
  const whole = { status: "active", context: { birth: { n: 1 } } };
  expect(meet(whole, { parentId: "p" })).toEqual({ ...base, parent: "p", birth: { n: 1 }, snapshot: whole });
  expect(meet({ status: "done" })?.isOver).toBe(true);

  const event = { type: "go", text: "hi" };
  const open = { n: 7, at: 5, from: null, to: "a", event, before: "", after: null };
  expect(known.see({ type: "@xstate.event", ...common, event })).toBeNull();
  expect(known.steps).toEqual([open]);
  const after = { value: { x: "y" }, status: "active" };
  const seen = { type: "@xstate.snapshot", ...common, event, snapshot: after } as const;
  expect(known.see(seen)).toEqual({ ...open, after: "x.y" });
  expect([known.see(seen), known.actors.get("a")?.snapshot, known.actors.get("a")?.isOver]).toEqual([
    null,
    after,
    false,
  ]);
  known.see({ type: "@xstate.event", ...common, sourceId: "b", event });
  known.see({ type: "@xstate.event", ...common, event: { type: "xstate.init" } });
  expect(known.steps.slice(1).map(({ from, before }) => [from, before])).toEqual([
    ["b", "x.y"],
    [null, ""],
  ]);
  expect(known.see({ ...seen, sessionId: "nobody" })).toBeNull();
});

test("machines stand below whom they belong to", () => {
  const { known } = knowing(SESSION, RUN);
  expect(actorLines([...known.actors.values()], PLAIN)).toEqual([
    "session  [born]  session/s",
    "  run release  [born]  run/r",
  ]);
});

test("a filter leaves whom it names, and who is below", () => {
  const { known } = knowing(SESSION, RUN, { ...actorSeen("step/a"), name: "step build", parentId: "run/r" });
  expect([...keysWith(known.actors, "release")]).toEqual(["run/r", "step/a"]);
  expect([...keysWith(known.actors, "STEP build")]).toEqual(["step/a"]);
  expect([...keysWith(known.actors, "")]).toEqual(["session/s", "run/r", "step/a"]);
});

test("words", () => {
  expect(stateText({ attempting: "working" })).toBe("attempting.working");
  expect(stateText({ a: "x", b: { c: "y" } })).toBe("a.x + b.c.y");
  expect([stateText({ a: {} }), stateText(undefined), stateText(null), stateText(7)]).toEqual(["a", "", "", ""]);
  const sender = (from: string | null, to: string, type: string): string =>
    senderText({ n: 1, at: 0, from, to, event: { type }, before: "", after: null }, new Map());
  expect([
    sender("a", "a", "go"),
    sender("b", "a", "go"),
    sender(null, "a", "go"),
    sender(null, "a", "xstate.done.actor.x"),
    sender(null, "a", "xstate.error.actor.x"),
    sender(null, "a", "xstate.after.x"),
  ]).toEqual(["itself", "b", "outside", "its work", "its work", "outside"]);
  expect(
    ["xstate.init", "xstate.done.actor.greet", "xstate.error.actor.work", "xstate.after.backoff.step.a", "go"].map(
      eventText,
    ),
  ).toEqual([...["born", "greet done", "work failed", "after backoff", "go"]]);
  expect(payloadText({ type: "go", actorId: "x" })).toBe("");
  expect(payloadText({ type: "go", text: "hi" })).toBe('{"text":"hi"}');
});

test("what is shown of actors that a filter leaves: the one at work first, how deep each is, its events", () => {
  const actor = (key: string, parent: string | null, isOver: boolean): [string, KnownActor] => [
    key,
    { key, parent, isOver, name: key, session: "s", definition: "{}", snapshot: {}, birth: null },
  ];
  const actors = new Map([actor("s", null, false), actor("run/a", "s", false), actor("step/b", "run/a", true)]);
  const keys = keysWith(actors, "run/a");
  expect([...keys]).toEqual(["run/a", "step/b"]);
  expect(shownFirst(actors, keys)).toBe("run/a");
  expect(shownFirst(actors, ["step/b"])).toBe("step/b");
  expect(shownFirst(actors, [])).toBe(null);
  expect([...actors.keys()].map((key) => depthOf(actors, key))).toEqual([0, 1, 2]);
  const step = (n: number, from: string | null, to: string): EventStep => ({
    ...{ n, from, to, at: 0, event: { type: "x" }, before: "", after: null },
  });
  const steps = [step(1, null, "s"), step(2, "s", "run/a"), step(3, "run/a", "s"), step(4, "s", "s")];
  expect(stepsOf(steps, keys).map(({ n }) => n)).toEqual([2, 3]);
});
