import { expect, it } from "vitest";
import type { Ask } from "../../../machines/births.ts";
import { sessionMachine } from "../../../machines/session-machine.ts";
import { Solo } from "../../support/machine.ts";

const HELP: Ask = { type: "explain", text: "?", stopReason: "end_turn", fault: { code: "USER.X", message: "?" } };
const session = () => new Solo(sessionMachine, "session/s1", { cwd: "/project", principal: "u1" }, null);
const prompt = (turn: string, title?: string) => ({
  type: "prompt.received",
  turn,
  blocks: [],
  asks: HELP,
  ...(title === undefined ? {} : { title }),
});
const titles = (solo: Solo) =>
  solo.effects.flatMap((effect) =>
    effect.do === "append" && effect.row.type === "session.updated" ? [effect.row.payload] : [],
  );

it("is called by the first prompt that has words, once", () => {
  const solo = session();
  for (const [turn, title] of [["t1", ""], ["t2"], ["t3", "/demo"], ["t4", "/other"]] as [string, string?][]) {
    solo.tell(prompt(turn, title));
    solo.done("turn", { stopReason: "end_turn" });
  }
  expect(titles(solo)).toEqual([{ title: "/demo" }]);
});
