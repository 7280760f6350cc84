/** XState's actions as data: what each of them changes and asks for, and what is left to XState. */
import { describe, expect, it } from "vitest";
import {
  type AnyStateMachine,
  assign,
  cancel,
  createMachine,
  type EventObject,
  emit,
  enqueueActions,
  log,
  raise,
  sendTo,
  spawnChild,
  stopChild,
} from "xstate";
import { actOf, Doing, Given, paramsOf, unknown } from "../../../actors/host/chart-actions.ts";

const GO: EventObject & { n: number } = { type: "go", n: 5 };
const OFF = { type: "off" };
type Of = { context: { n: number }; event: typeof GO };
/** As a chart has it: what XState's types want to know of a machine is known there. */
const action = (made: unknown): never => made as never;
const add = assign({ n: ({ context }: { context: { n: number } }) => context.n + 1 } as never);

const MACHINE = createMachine({ id: "m", context: {} } as never).provide({
  actions: { add, own: () => undefined },
  actors: { child: createMachine({}), missing: undefined },
  delays: { soon: 20, later: ({ context }: Of) => context.n * 10 },
} as never) as unknown as AnyStateMachine;
const CHILDREN = { kid: { id: "kid key" }, "#_parent": { id: "parent" } };

const said = (act: () => unknown): string => {
  try {
    act();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};
/** All that is left behind by some actions. */
function done(...actions: unknown[]) {
  const context = { n: 1, m: "kept" };
  const children = structuredClone(CHILDREN);
  const doing = new Doing(MACHINE, GO, context, children);
  doing.all(actions.map((one) => actOf(MACHINE, action(one))));
  expect(context).toEqual({ n: 1, m: "kept" });
  expect(children).toEqual(CHILDREN);
  const { given, effects, changes } = doing;
  expect(given.event).toBe(GO);
  return { context: given.context, effects, changes, children: doing.children };
}
const BEFORE = { context: { n: 1, m: "kept" }, effects: [], changes: 0, children: CHILDREN };
const asks = (...actions: unknown[]) => {
  const { effects, ...rest } = done(...actions);
  expect({ ...rest, effects: [] }).toEqual(BEFORE);
  return effects;
};

describe("the action that a chart names", () => {
  it("is the machine's of that name, or one that stands in the chart itself", () => {
    expect(actOf(MACHINE, action("add"))).toEqual({ parts: add, params: undefined });
    expect(actOf(MACHINE, action({ type: "add" }))).toEqual({ parts: add, params: undefined });
    expect(actOf(MACHINE, action({ type: "add", params: { by: 1 } }))).toEqual({ parts: add, params: { by: 1 } });
    for (const one of [add, emit(OFF), sendTo("kid", OFF), spawnChild("child"), raise(OFF), cancel("x")])
      expect(actOf(MACHINE, action(one))).toEqual({ parts: one, params: undefined });
    const queue = enqueueActions(() => undefined);
    expect(actOf(MACHINE, action(queue))).toEqual({ parts: queue, params: undefined });
  });
  it.each([
    ["one of one's own", "own"],
    ["one of one's own in the chart itself", () => undefined],
    ["one that is not there", "nowhere"],
    ["one with parameters that is not there", { type: "nowhere", params: 1 }],
    ["a child that is stopped", stopChild("kid")],
    ["a line of a log", log("x")],
  ])("is left to XState: %s", (_, one) => {
    expect(said(() => actOf(MACHINE, action(one)))).toBe("an action of m is left to XState");
  });
});

it("an expression asks for its context and its event alone", () => {
  const given = new Given({ n: 1 }, GO);
  expect({ ...given }).toEqual({ context: { n: 1 }, event: GO });
  expect([() => given.self, () => given.system, () => given.spawn, () => unknown("this")].map(said)).toEqual(
    ["self", "system", "spawn", "this"].map((what) => `${what} is left to XState`),
  );
});

it("what an action is called with may be an expression", () => {
  const given = new Given({ n: 1 }, GO);
  expect(paramsOf({ by: 1 }, given)).toEqual({ by: 1 });
  expect(paramsOf(({ context, event }: Of) => context.n + event.n, given)).toBe(6);
  const params = { type: "told", params: ({ context }: Of) => ({ text: `n is ${context.n}` }) };
  const telling = MACHINE.provide({
    actions: { told: emit((_: unknown, { text }: { text: string }) => ({ type: "told", text })) },
  } as never) as AnyStateMachine;
  const doing = new Doing(telling, GO, { n: 1 }, {});
  doing.all([actOf(telling, action("add")), actOf(telling, action(params))]);
  expect(doing.effects).toEqual([{ do: "append", row: { type: "told", text: "n is 2" } }]);
});

describe("a change of the context", () => {
  it("leaves what it does not name, and is seen by what comes after it", () => {
    const whole = assign((({ context, event }: Of) => ({ n: context.n + event.n })) as never);
    const some = assign({ n: ({ context }: Of) => context.n * 2, of: "text" } as never);
    expect(done("add")).toEqual({ ...BEFORE, context: { n: 2, m: "kept" }, changes: 1 });
    expect(done("add", whole, some)).toEqual({ ...BEFORE, context: { n: 14, m: "kept", of: "text" }, changes: 3 });
  });
});

it("rows, messages and timers change nothing here", () => {
  expect(asks(emit(OFF), emit((({ event }: Of) => ({ type: `was ${event.type}` })) as never))).toEqual([
    { do: "append", row: OFF },
    { do: "append", row: { type: "was go" } },
  ]);
  expect(asks(cancel("x"), cancel((({ context }: Of) => `x${context.n}`) as never))).toEqual([
    { do: "untimer", id: "x" },
    { do: "untimer", id: "x1" },
  ]);
});

describe("a message", () => {
  const to = (whom: unknown, event: unknown = OFF, options?: object) =>
    sendTo(whom as never, event as never, options as never);
  it("goes to a key, to a child by its name or its id, or to all children", () => {
    const made = ({ context }: Of) => ({ type: `off ${context.n}` });
    expect(
      asks(
        to("kid"),
        to({ id: "kid key" }),
        to(() => ({ key: "run/r" }), made),
        to({ every: "child" }),
      ),
    ).toEqual([
      { do: "send child", id: "kid key", event: OFF },
      { do: "send child", id: "kid key", event: OFF },
      { do: "send", to: "run/r", event: { type: "off 1" } },
      { do: "send children", event: OFF },
    ]);
  });
  it.each([
    ["a message without a receiver", to("nobody")],
    ["a message without a receiver", to("#_parent")],
    ["a message", to(() => null)],
    ["a message", to(() => undefined)],
    ["a message", to(() => 1)],
    ["a message", to({ id: "kid key" }, "off")],
    ["a message that waits", to("kid", OFF, { delay: 1 })],
  ])("is left to XState: %s", (why, one) => {
    expect(said(() => done(one))).toBe(`${why} is left to XState`);
  });
});

describe("a child", () => {
  const child = (src: unknown, options: object) => spawnChild(src as never, options as never);
  it("is one of the machine's children from then on", () => {
    const first = child("child", { id: "a", input: { of: 1 } });
    const second = child("child", { id: ({ context }: Of) => `b${context.n}`, input: ({ event }: Of) => event.n });
    expect(done(first, "add", second, sendTo("b2", OFF as never))).toEqual({
      context: { n: 2, m: "kept" },
      effects: [
        { do: "spawn", id: "a", src: "child", input: { of: 1 } },
        { do: "spawn", id: "b2", src: "child", input: 5 },
        { do: "send child", id: "b2", event: OFF },
      ],
      changes: 3,
      children: { ...CHILDREN, a: { id: "a" }, b2: { id: "b2" } },
    });
    expect(done(child("child", { id: "a", syncSnapshot: false })).changes).toBe(1);
  });
  it.each([
    ["a child", child(createMachine({}), { id: "a" })],
    ["a child", child("child", {})],
    ["a child", child("child", { id: "a", systemId: "s" })],
    ["a child", child("child", { id: "a", syncSnapshot: true })],
    ["a child nobody", child("nobody", { id: "a" })],
    ["a child missing", child("missing", { id: "a" })],
  ])("is left to XState: %s", (why, one) => {
    expect(said(() => done(one))).toBe(`${why} is left to XState`);
  });
});

describe("an event that is raised", () => {
  const later = (delay: unknown, event: unknown = OFF) => raise(event as never, { id: "t", delay } as never);
  it("waits as long as the machine or the action says, for ever too", () => {
    const made = ({ event }: Of) => ({ type: `after ${event.type}` });
    const own = ({ context }: Of) => context.n + 6;
    expect(asks(later(0), later("soon"), later("later", made), later(own), later(Number.POSITIVE_INFINITY))).toEqual([
      { do: "timer", id: "t", delayMs: 0, event: OFF },
      { do: "timer", id: "t", delayMs: 20, event: OFF },
      { do: "timer", id: "t", delayMs: 10, event: { type: "after go" } },
      { do: "timer", id: "t", delayMs: 7, event: OFF },
    ]);
  });
  it("is left to XState where it does not wait", () => {
    for (const one of [raise(OFF as never), later("nowhere")])
      expect(said(() => done(one))).toBe("an event that is raised at once is left to XState");
  });
});

describe("actions that an action collects", () => {
  // biome-ignore lint/suspicious/noExplicitAny: what is collected with has many forms
  const collected = (collect: (given: any, params: unknown) => void) => enqueueActions(collect as never);
  it("are done in their order", () => {
    const all = collected(({ context, event, enqueue }) => {
      enqueue.assign({ n: context.n + event.n });
      enqueue.emit(({ context: now }: Of) => ({ type: `n is ${now.n}` }));
      enqueue.sendTo({ key: "run/r" }, OFF);
      enqueue.spawnChild("child", { id: "a", input: 1 });
    });
    expect(done(all)).toEqual({
      context: { n: 6, m: "kept" },
      effects: [
        { do: "append", row: { type: "n is 6" } },
        { do: "send", to: "run/r", event: OFF },
        { do: "spawn", id: "a", src: "child", input: 1 },
      ],
      changes: 2,
      children: { ...CHILDREN, a: { id: "a" } },
    });
    expect(asks(collected(() => undefined))).toEqual([]);
  });
  it("may be made of what the action is called with", () => {
    const doing = new Doing(MACHINE, GO, { n: 1 }, {});
    const all = collected(({ enqueue }, params) => enqueue.emit({ type: "told", params }));
    doing.all([{ parts: action(all), params: { by: 1 } }]);
    expect(doing.effects).toEqual([{ do: "append", row: { type: "told", params: { by: 1 } } }]);
  });
  it("are left to XState where they ask for more", () => {
    const guarded = collected(({ check }) => check("odd"));
    const waiting = collected(({ enqueue }) => enqueue.sendTo("kid", OFF, { delay: 1 }));
    expect(said(() => done(guarded))).toBe("a guard inside an action is left to XState");
    expect(said(() => done(waiting))).toBe("a message that waits is left to XState");
    const doing = new Doing(MACHINE, GO, {}, {});
    expect(said(() => doing.all([{ parts: { type: "xstate.log" }, params: undefined }]))).toBe(
      "xstate.log is left to XState",
    );
  });
});
