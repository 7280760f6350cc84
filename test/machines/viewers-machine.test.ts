import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type AudienceEvent, viewersMachine } from "../../machines/viewers-machine.ts";

const came = (viewer: string): AudienceEvent => ({ type: "viewer.came", viewer });
const left = (viewer: string, graceMs = 0): AudienceEvent => ({ type: "viewer.left", viewer, graceMs });
const began = (by: string | null): AudienceEvent => ({ type: "turn.began", by });
const elsewhere: AudienceEvent = { type: "turn.began elsewhere" };
const opened = (permission: string): AudienceEvent => ({ type: "question.opened", permission });
const given = (viewer: string, permission: string): AudienceEvent => ({ type: "answer.given", viewer, permission });
const closed = (permission: string): AudienceEvent => ({ type: "question.closed", permission });

/** What an audience says after it has heard these, time passing where a number stands, and whether it has ended. */
function hears(heard: (AudienceEvent | number)[]): { said: string[]; isOver: boolean } {
  const clock = new SimulatedClock();
  const said: string[] = [];
  const actor = createActor(viewersMachine, { clock });
  actor.on("asked.changed", ({ viewer }) => said.push(`ask ${viewer}`));
  actor.on("question.reopened", ({ permission }) => said.push(`again ${permission}`));
  actor.on("session.deserted", () => said.push("deserted"));
  actor.start();
  for (const one of heard) {
    if (typeof one === "number") clock.increment(one);
    else if (actor.getSnapshot().status === "active") actor.send(one);
  }
  return { said, isOver: actor.getSnapshot().status === "done" };
}

test.each<[string, (AudienceEvent | number)[], string[]]>([
  ["nobody is asked before a turn", [came("a"), came("b"), opened("p")], []],
  ["who prompts is asked (I1)", [came("a"), came("b"), began("b")], ["ask b"]],
  ["the last prompter is asked", [came("a"), came("b"), began("b"), began("a")], ["ask b", "ask a"]],
  [
    "when who was asked leaves, open questions go to who has attended longest (I1)",
    [came("a"), came("b"), came("c"), began("c"), opened("p"), opened("q"), closed("p"), left("c")],
    ["ask c", "ask a", "again q"],
  ],
  [
    "a question that was opened anew is asked again once",
    [came("a"), came("b"), began("a"), opened("p"), opened("q"), opened("p"), left("a")],
    ["ask a", "ask b", "again q", "again p"],
  ],
  ["who came first is asked alone (I1)", [began(null), came("a"), came("b")], ["ask a"]],
  ["when somebody else leaves, nothing changes", [came("a"), came("b"), began("a"), opened("p"), left("b")], ["ask a"]],
  [
    "a turn from outside asks who has attended longest, and then the next (I1)",
    [came("a"), came("b"), began("b"), began(null), opened("p"), left("a")],
    ["ask b", "ask a", "ask b", "again p"],
  ],
  [
    "a turn from outside asks who comes, and is not theirs to lose (I1, I3)",
    [began(null), opened("p"), came("a"), left("a"), 100],
    ["ask a", "again p"],
  ],
  [
    "a turn of another process asks nobody here (I1)",
    [came("a"), began("a"), elsewhere, opened("p"), came("b"), left("a"), 100],
    ["ask a", "ask null"],
  ],
  ["the last one leaves (I3)", [came("a"), began("a"), opened("p"), left("a"), 0], ["ask a", "deserted"]],
  ["the last one leaves before any turn (I3)", [came("a"), left("a", 10), 10], ["deserted"]],
  [
    "a turn of another process is not theirs to lose (I3)",
    [came("a"), began("a"), elsewhere, left("a"), 100],
    ["ask a", "ask null"],
  ],
  ["within the grace nothing is lost", [came("a"), began("a"), left("a", 10), 9], ["ask a"]],
  ["after it all is, once", [came("a"), began("a"), left("a", 10), 10, 100], ["ask a", "deserted"]],
  [
    "who comes within the grace is asked anew (I1)",
    [came("a"), began("a"), opened("p"), left("a", 10), 9, came("b"), 100],
    ["ask a", "ask b", "again p"],
  ],
  [
    "a question that closed meanwhile is not asked again",
    [came("a"), began("a"), opened("p"), left("a", 10), closed("p"), came("b")],
    ["ask a", "ask b"],
  ],
  [
    "a question that was answered is not asked again while its answer is on its way (I2)",
    [came("a"), came("b"), began("a"), opened("p"), opened("q"), given("a", "p"), left("a")],
    ["ask a", "ask b", "again q"],
  ],
  [
    "a turn from outside is not cancelled with the old one (I3)",
    [came("a"), began("a"), left("a", 10), began(null), 100],
    ["ask a"],
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

test("an answer counts from who was asked, while the question is open, once (I2)", () => {
  const actor = createActor(viewersMachine).start();
  const gives = (viewer: string, permission: string): boolean => {
    const event: AudienceEvent = { type: "answer.given", viewer, permission };
    const counts = actor.getSnapshot().can(event);
    actor.send(event);
    return counts;
  };
  for (const event of [came("a"), came("b"), began("a"), opened("p"), opened("q"), closed("q")]) actor.send(event);
  expect([gives("b", "p"), gives("a", "q"), gives("a", "x"), gives("a", "p"), gives("a", "p")]).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
});
