/** A conversation with an agent: which prompt is sent, and when. Numbers are the machine's invariants. H27–H29. */
import { expect, test } from "vitest";
import { createActor } from "xstate";
import { continuationOf } from "../../machines/conversation/resume.ts";
import {
  type ConversationFact,
  type ConversationInput,
  conversationMachine,
} from "../../machines/conversation-machine.ts";

function lived(...heard: ConversationInput[]): string[] {
  const said: string[] = [];
  const actor = createActor(conversationMachine);
  actor.on("*", (fact: ConversationFact) => said.push("prompt" in fact ? `${fact.type} ${fact.prompt}` : fact.type));
  actor.start();
  for (const one of heard) actor.send(one);
  return said;
}
const given = (prompt: string): ConversationInput => ({ type: "prompt.given", prompt });
const ended = (well: boolean): ConversationInput => ({ type: "turn.ended", well });
const [opened, cancel, lost, release] = (
  ["session.opened", "cancel.requested", "agent.lost", "queue.released"] as const
).map((type) => ({ type })) as [ConversationInput, ConversationInput, ConversationInput, ConversationInput];

test("prompts are sent one at a time, in order, and a waiting one can be taken back (I1)", () => {
  const dropped: ConversationInput = { type: "prompt.dropped", prompt: "b" };
  expect(lived(given("a"), opened, given("b"), given("c"), dropped, ended(true))).toEqual([
    "session.due",
    "prompt.due a",
    "prompt.due c",
  ]);
});
test("a seventeenth waiting prompt is refused (I1)", () => {
  const many = Array.from({ length: 18 }, (_, index) => given(String(index)));
  expect(lived(opened, ...many)).toEqual(["session.due", "prompt.due 0", "prompt.refused 17"]);
});
test("after a cancel or a fault, waiting prompts are sent only when the person says so (I2)", () => {
  expect(lived(opened, given("a"), given("b"), cancel, cancel, ended(true))).toEqual([
    "session.due",
    "prompt.due a",
    "cancel.due",
  ]);
  expect(lived(opened, given("a"), given("b"), ended(false), release)).toEqual([
    "session.due",
    "prompt.due a",
    "prompt.due b",
  ]);
});
test("a prompt whose agent was lost is not sent again; the next one asks for a session (I3)", () => {
  expect(lived(opened, given("a"), lost, ended(false), given("b"), opened)).toEqual([
    "session.due",
    "prompt.due a",
    "session.due",
    "prompt.due b",
  ]);
});
test("a conversation that cannot continue sends nothing (I4)", () => {
  expect(lived({ type: "session.failed", canRetry: false }, given("a"))).toEqual(["session.due", "prompt.refused a"]);
});
test("one rule says how an earlier conversation continues. H50", () => {
  const rule = (resume: boolean, load: boolean) => continuationOf("s", { resume, load }).by;
  expect([rule(true, true), rule(true, false), rule(false, true), rule(false, false)]).toEqual([
    "resume",
    "resume",
    "load",
    "view only",
  ]);
  expect(continuationOf(null, { resume: true, load: true }).by).toBe("view only");
});
