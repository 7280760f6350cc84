import { expect, test } from "vitest";
import { createActor, fromPromise, SimulatedClock, waitFor } from "xstate";
import { backoffMs, type LinkFault, linkMachine } from "../../machines/link-machine.ts";
import { leaves, reached } from "../support/paths.ts";

const input = { attempts: 2, baseMs: 100, maxMs: 1000 };
const fault: LinkFault = { code: "SYSTEM.CLIENT.EOF", message: "gone", isFinal: false };
const LOST: LinkFault = { code: "SYSTEM.CLIENT.EOF", message: "the connection was lost", isFinal: false };
const done = (actorId: string) => ({ type: `xstate.done.actor.${actorId}`, actorId, output: null });
const failed = (actorId: string, error: unknown) => ({ type: `xstate.error.actor.${actorId}`, actorId, error });

test("every state is reached by some shortest path, and none by mistake", () => {
  const slots = ["open", "initialize", "restore", "watch"];
  const events = [
    ...["open", "initialize", "restore"].map(done),
    ...slots.map((id) => failed(id, fault)),
    ...slots.map((id) => failed(id, { ...fault, isFinal: true })),
    { type: "xstate.after.backoff.link.backing off" },
    { type: "link.closed" },
  ];
  expect(reached(linkMachine, { inputs: [input], events, states: [] })).toEqual(leaves(linkMachine.root, "").sort());
});

/**
 * A link whose work ends as a test says, and the states that it passes. `error` is thrown in place of each fault.
 */
function started(
  ends: (LinkFault | "done")[],
  { attempts = 2, first, ...thrown }: { attempts?: number; first?: number; error?: unknown } = {},
) {
  const clock = new SimulatedClock();
  const step = async (): Promise<unknown> => {
    const end = ends.shift();
    if (end === undefined) return new Promise(() => undefined);
    if (end !== "done") throw "error" in thrown ? thrown.error : end;
    return null;
  };
  const slot = fromPromise<unknown>(step);
  const machine = linkMachine.provide({ actors: { open: slot, initialize: slot, restore: slot, watch: slot } });
  const actor = createActor(machine, {
    input: { ...input, attempts, ...(first === undefined ? {} : { first }) },
    clock,
  });
  const states: unknown[] = [];
  const at = (state: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (actor.getSnapshot().value === state) resolve();
        else setImmediate(look);
      };
      look();
    });
  actor.subscribe(({ value }) => {
    if (states.at(-1) !== value) states.push(value);
  });
  actor.start();
  return { actor, clock, states, at };
}

test("I1: connects, initializes, restores, and only then is ready", async () => {
  const { states, at } = started(["done", "done", "done"]);
  await at("ready");
  expect(states).toEqual(["connecting", "initializing", "restoring", "ready"]);
});
test("I3: the first connection is tried as often as `first` says, a lost one as often as `attempts`", async () => {
  const never = started([fault, fault], { first: 1 });
  await never.at("backing off");
  never.clock.increment(100);
  await never.at("closed");
  const lost = started(["done", "done", "done", fault, fault, "done"], { first: 0 });
  await lost.at("backing off");
  lost.clock.increment(100);
  await lost.at("backing off");
  lost.clock.increment(200);
  await lost.at("initializing");
});
test("I2: waits longer after each failed try; once ready, the count starts anew", async () => {
  const { actor, clock, states, at } = started([fault, fault, "done", "done", "done", fault]);
  await at("backing off");
  clock.increment(99);
  expect(actor.getSnapshot().value).toBe("backing off");
  clock.increment(1);
  await at("backing off");
  expect(actor.getSnapshot().context.failed).toBe(2);
  clock.increment(199);
  expect(actor.getSnapshot().value).toBe("backing off");
  clock.increment(1);
  await at("backing off");
  expect(actor.getSnapshot().context).toMatchObject({ failed: 1, fault });
  expect(states).toEqual([
    "connecting",
    "backing off",
    "connecting",
    "backing off",
    "connecting",
    "initializing",
    "restoring",
    "ready",
    "backing off",
  ]);
});
test("I3: gives up after the allowed tries have failed, or at once after a final fault", async () => {
  const patient = started([fault, fault], { attempts: 1 });
  await patient.at("backing off");
  patient.clock.increment(100);
  await patient.at("closed");
  expect(patient.actor.getSnapshot()).toMatchObject({ status: "done", context: { failed: 2, fault } });
  const final = started([{ ...fault, isFinal: true }], { attempts: 9 });
  await final.at("closed");
  expect(final.states).toEqual(["connecting", "closed"]);
});
test("I4: once closed it stays closed, from every state", async () => {
  const { actor, clock, at } = started([fault]);
  await at("backing off");
  actor.send({ type: "link.closed" });
  clock.increment(1_000_000);
  expect(actor.getSnapshot()).toMatchObject({ value: "closed", status: "done" });
});
test.each([new Error("?"), {}, "?", null, undefined])(
  "a failure of an unknown kind counts as a loss: %s",
  async (error) => {
    const { actor, at } = started([fault], { error });
    await at("backing off");
    expect(actor.getSnapshot().context.fault).toEqual(LOST);
  },
);
test.each<[string, ["done", ...("done" | LinkFault)[]]]>([
  ["initializing", ["done", fault]],
  ["restoring", ["done", "done", fault]],
  ["being watched", ["done", "done", "done", fault]],
])("a loss while %s is noted, and tried again", async (_, ends) => {
  const { actor, at } = started([...ends]);
  await at("backing off");
  expect(actor.getSnapshot().context).toMatchObject({ failed: 1, fault });
});
test("a link that is given no work counts as lost", async () => {
  const actor = createActor(linkMachine, { input: { ...input, attempts: 0 } }).start();
  const { context } = await waitFor(actor, ({ status }) => status === "done");
  expect(context).toMatchObject({ failed: 1, fault: LOST });
});
test("the wait is never longer than its limit", () => {
  expect([1, 2, 3, 4, 5, 99].map((failed) => backoffMs({ ...input, failed }))).toEqual([
    100, 200, 400, 800, 1000, 1000,
  ]);
});
