/** The life of a prompt in this process: every state is reached, and what each way there says. */
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { type PromptEnding, type PromptLifeEvent, promptMachine } from "../../machines/prompt-machine.ts";
import { leaves, reached } from "../support/paths.ts";

const type = (name: "prompt.sent" | "prompt.durable" | "prompt.failed" | "turn.ended" | "prompt.answered") => ({
  type: name,
});
const [sent, durable, failed, ended, answered] = [
  type("prompt.sent"),
  type("prompt.durable"),
  type("prompt.failed"),
  type("turn.ended"),
  type("prompt.answered"),
];
const end = (ending: PromptEnding): PromptLifeEvent => ({ type: "end.wanted", ending });
const cancel = end("cancel.requested");
const desert = end("session.deserted");

/** The states of a prompt that hears these, with what it says behind the event. */
function life(isAwaited: boolean, ...heard: PromptLifeEvent[]): string[] {
  const actor = createActor(promptMachine, { input: { isAwaited } });
  const lived: string[] = [];
  actor.on("prompt.withdrawn", () => lived.push("withdrawn!"));
  actor.on("end.due", ({ ending }) => lived.push(`${ending}!`));
  actor.start();
  lived.push(actor.getSnapshot().value);
  for (const event of heard) {
    if (actor.getSnapshot().status !== "active") lived.push("is over");
    actor.send(event);
    lived.push(actor.getSnapshot().value);
  }
  return lived;
}

test("every state is reached by some path", () => {
  const events: PromptLifeEvent[] = [sent, durable, failed, ended, answered, cancel, desert];
  const states = ["answered", "answering", "reserved", "running", "starting", "withdrawn"];
  expect(leaves(promptMachine.root, "").sort()).toEqual(states);
  expect(reached(promptMachine, { inputs: [{ isAwaited: true }, { isAwaited: false }], events, states })).toEqual(
    states,
  );
});

test.each<[string, boolean, PromptLifeEvent[], string[]]>([
  [
    "goes its way",
    true,
    [sent, durable, ended, answered],
    ["reserved", "starting", "running", "answering", "answered"],
  ],
  ["that nobody answers is over with its turn (I3)", false, [sent, ended], ["reserved", "starting", "answered"]],
  ["that never began is answered", true, [sent, failed, answered], ["reserved", "starting", "answering", "answered"]],
  ["whose log is lost is answered", true, [sent, durable, failed], ["reserved", "starting", "running", "answering"]],
  [
    "whose client has gone is over with its turn (I3)",
    true,
    [sent, durable, answered, ended],
    ["reserved", "starting", "running", "running", "answered"],
  ],
  [
    "whose client has gone on its way into the log is over with its turn (I3)",
    true,
    [sent, answered, durable, ended],
    ["reserved", "starting", "starting", "running", "answered"],
  ],
  ["is given back", true, [answered], ["reserved", "answered"]],
  [
    "is taken back before it was sent on (I2)",
    true,
    [cancel, cancel, sent, answered],
    ["reserved", "withdrawn!", "withdrawn", "withdrawn", "withdrawn", "answered"],
  ],
  [
    "is cancelled on its way into the log, once it can be (I2)",
    true,
    [sent, cancel, durable],
    ["reserved", "starting", "starting", "cancel.requested!", "running"],
  ],
  [
    "is cancelled, which counts more than that it was left (I2)",
    true,
    [sent, desert, cancel, desert, durable],
    ["reserved", "starting", "starting", "starting", "starting", "cancel.requested!", "running"],
  ],
  [
    "is left on its way into the log (I2)",
    true,
    [sent, desert, durable, cancel],
    ["reserved", "starting", "starting", "session.deserted!", "running", "running"],
  ],
  [
    "has ended before it was said to be durable",
    true,
    [sent, ended, durable],
    ["reserved", "starting", "answering", "answering"],
  ],
])("a prompt %s", (_, isAwaited, heard, expected) => {
  expect(life(isAwaited, ...heard)).toEqual(expected);
});

describe("keeps others out (I1)", () => {
  const keeps = (...heard: PromptLifeEvent[]): boolean[] => {
    const actor = createActor(promptMachine, { input: { isAwaited: true } }).start();
    for (const event of heard) actor.send(event);
    return [actor.getSnapshot().hasTag("keeps others out"), actor.getSnapshot().hasTag("has a turn")];
  };
  test.each<[string, PromptLifeEvent[], boolean[]]>([
    ["reserved", [], [true, false]],
    ["withdrawn", [cancel], [true, false]],
    ["starting", [sent], [true, true]],
    ["running", [sent, durable], [true, true]],
    ["answering", [sent, durable, ended], [false, false]],
    ["answered", [sent, durable, ended, answered], [false, false]],
  ])("%s", (_, heard, expected) => {
    expect(keeps(...heard)).toEqual(expected);
  });
});
