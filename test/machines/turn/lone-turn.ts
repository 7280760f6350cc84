/** A turn on its own, and what it has ordered and said. */
import type { Intent } from "../../../machines/contracts.ts";
import { turnMachine } from "../../../machines/turn-machine.ts";
import { CONTEXT, command, workflow } from "../../support/documents.ts";
import { brief, Solo } from "../../support/machine.ts";

export const DEMO = workflow([command("a")]);
export const runAsk = (trust: Extract<Intent, { type: "run" }>["trust"]): Intent => ({
  type: "run",
  run: "r1",
  workflow: DEMO,
  inputs: { n: 1 },
  env: {},
  context: CONTEXT,
  trust,
});
export const blocks = [{ type: "text", text: "/demo" }];
export const turn = (ask: Intent) =>
  new Solo(turnMachine, "turn/t1", { turn: "t1", blocks, ask, session: "s1", cwd: "/project" }, "session/s1");
export const all = (solo: Solo) => solo.effects.map(brief);
export const lost = { type: "owner.lost" };
export const end = (solo: Solo) => solo.rows.at(-1)?.payload;
export const BEGUN = ["row turn.started", "row message.user"];
/** A run that a person was asked about, and that did not begin. */
export const UNBEGUN = ["row message.assistant", "row run.completed", "row turn.completed"];
