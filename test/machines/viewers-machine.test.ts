import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type AudienceEvent, viewersMachine } from "../../machines/viewers-machine.ts";

const came = (viewer: string): AudienceEvent => ({ type: "viewer.came", viewer });
const left = (viewer: string, graceMs = 0): AudienceEvent => ({ type: "viewer.left", viewer, graceMs });
const began = (by: string | null): AudienceEvent => ({ type: "turn.began", by });
const elsewhere: AudienceEvent = { type: "turn.began elsewhere" };

/**
 * Who is asked after each of these, where that changes, and what viewers say of it; time passes where a number stands.
 * `isOver`: whether they have ended.
 */
function hears(heard: (AudienceEvent | number)[]): { said: string[]; isOver: boolean } {
  const clock = new SimulatedClock();
  const said: string[] = [];
  const actor = createActor(viewersMachine, { clock });
  const asked = (): string => {
    const { asked } = actor.getSnapshot().context;
    return `ask ${asked.is === "viewer" ? asked.viewer : asked.is}`;
  };
  let before = asked();
  actor.subscribe(() => {
    if (asked() !== before) said.push(asked());
    before = asked();
  });
  actor.on("asked.changed", () => said.push("anew"));
  actor.on("session.deserted", () => said.push("deserted"));
  actor.start();
  for (const one of heard) {
    if (typeof one === "number") clock.increment(one);
    else if (actor.getSnapshot().status === "active") actor.send(one);
  }
  return { said, isOver: actor.getSnapshot().status === "done" };
}

test.each<[string, (AudienceEvent | number)[], string[]]>([
  ["nobody is asked before a turn", [came("a"), came("b")], []],
  ["who prompts is asked (I1)", [came("a"), came("b"), began("b")], ["ask b"]],
  ["the last prompter is asked", [came("a"), came("b"), began("b"), began("a")], ["ask b", "ask a"]],
  [
    "when who was asked leaves, what is open goes to who has attended longest, anew (I1)",
    [came("a"), came("b"), came("c"), began("c"), left("c")],
    ["ask c", "anew", "ask a"],
  ],
  ["who came first is asked alone (I1)", [began(null), came("a"), came("b")], ["ask next", "anew", "ask a"]],
  ["when somebody else leaves, nothing changes", [came("a"), came("b"), began("a"), left("b")], ["ask a"]],
  [
    "a turn from outside asks who has attended longest, and then the next (I1)",
    [came("a"), came("b"), began("b"), began(null), left("a")],
    ["ask b", "anew", "ask a", "anew", "ask b"],
  ],
  [
    "a turn from outside asks who comes, and is not theirs to lose (I1, I3)",
    [began(null), came("a"), left("a"), 100],
    ["ask next", "anew", "ask a"],
  ],
  [
    "a turn of another process asks nobody here (I1)",
    [came("a"), began("a"), elsewhere, came("b"), left("a"), 100],
    ["ask a", "ask nobody"],
  ],
  ["the last one leaves (I3)", [came("a"), began("a"), left("a"), 0], ["ask a", "ask next", "deserted"]],
  ["the last one leaves before any turn (I3)", [came("a"), left("a", 10), 10], ["deserted"]],
  [
    "a turn of another process is not theirs to lose (I3)",
    [came("a"), began("a"), elsewhere, left("a"), 100],
    ["ask a", "ask nobody"],
  ],
  ["within the grace nothing is lost", [came("a"), began("a"), left("a", 10), 9], ["ask a", "ask next"]],
  ["after it all is, once", [came("a"), began("a"), left("a", 10), 10, 100], ["ask a", "ask next", "deserted"]],
  [
    "who comes within the grace is asked anew (I1)",
    [came("a"), began("a"), left("a", 10), 9, came("b"), 100],
    ["ask a", "ask next", "anew", "ask b"],
  ],
  [
    "a turn from outside is not cancelled with the old one (I3)",
    [came("a"), began("a"), left("a", 10), began(null), 100],
    ["ask a", "ask next"],
  ],
])("%s", (_, heard, expected) => {
  expect(hears(heard).said).toEqual(expected);
});

test.each<[string, (AudienceEvent | number)[], boolean]>([
  ["within the grace", [came("a"), began("a"), left("a", 10), 9], false],
  ["when the session is left alone", [came("a"), began("a"), left("a", 10), 10], true],
  ["when the turn is not theirs to lose", [began(null), came("a"), left("a", 10)], true],
  ["when somebody else begins a turn meanwhile", [came("a"), began("a"), left("a", 10), began(null)], true],
])("an audience that has left is over: %s", (_, heard, expected) => {
  expect(hears(heard).isOver).toBe(expected);
});
