import { expect, it } from "vitest";
import type { Intent } from "../../../machines/contracts.ts";
import { sessionMachine } from "../../../machines/session-machine.ts";
import { CONTEXT, command, workflow } from "../../support/documents.ts";
import { Solo } from "../../support/machine.ts";

const HELP: Intent = { type: "explain", text: "?", stopReason: "end_turn", fault: { code: "USER.X", message: "?" } };
const RUN: Intent = {
  ...{ type: "run", run: "r1", workflow: workflow([command("a")]), inputs: {}, env: {}, context: CONTEXT },
  trust: "trusted",
};
const session = () => new Solo(sessionMachine, "session/s1", { cwd: "/project", principal: "u1" }, null);
const prompt = (turn: string, title?: string, asks: Intent = RUN) => ({
  type: "prompt.received",
  turn,
  blocks: [],
  asks,
  ...(title === undefined ? {} : { title }),
});
const titles = (solo: Solo) =>
  solo.effects.flatMap((effect) =>
    effect.do === "append" && effect.row.type === "session.updated" ? [effect.row.payload] : [],
  );

it("takes no title from a prompt that was only explained", () => {
  const solo = session();
  for (const [turn, asks] of [
    ["t1", HELP],
    ["t2", RUN],
  ] as const) {
    solo.tell(prompt(turn, `/${turn}`, asks));
    solo.done("turn", { stopReason: "refusal" });
  }
  expect(titles(solo)).toEqual([{ title: "/t2" }]);
});

it("waits for consent, and takes no title from a prompt that got none", () => {
  const solo = session();
  solo.tell(prompt("t1", "/one", { ...RUN, trust: "ask" }));
  solo.done("turn", { stopReason: "refusal" });
  solo.tell(prompt("t2", "/two", { ...RUN, trust: "ask" }));
  expect(titles(solo)).toEqual([]);
  const event = { type: "run.requested", input: { workflow: workflow([command("a")]) } };
  solo.tell(event);
  expect(titles(solo)).toEqual([{ title: "/two" }]);
});

it("takes its title once, from the first prompt with words", () => {
  const solo = session();
  for (const [turn, title] of [["t1", ""], ["t2"], ["t3", "/demo"], ["t4", "/other"]] as [string, string?][]) {
    solo.tell(prompt(turn, title));
    solo.done("turn", { stopReason: "end_turn" });
  }
  expect(titles(solo)).toEqual([{ title: "/demo" }]);
});
