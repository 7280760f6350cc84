/** A run on its own, and what it has ordered. */
import type { HooksInput } from "../../../machines/contracts.ts";
import { runMachine } from "../../../machines/run-machine.ts";
import type { Node, Workflow } from "../../../machines/workflow/document.ts";
import { command, runBirth, terminal, workflow } from "../../support/documents.ts";
import { brief, Solo } from "../../support/machine.ts";

export const TWO: Node[] = [command("a", { onSuccess: "b" }), command("b", { onSuccess: "done" }), terminal("done")];
export const run = (of: Workflow, more: object = {}) =>
  new Solo(runMachine, "run/r1", runBirth(of, more), "session/s1");
export const all = (solo: Solo) => solo.effects.map(brief);
export const hooks = { start: [{ log: "s" }], end: [{ log: "e" }], error: [{ log: "x" }], cancel: [{ log: "c" }] };
export const hooked = (more: Partial<Workflow> = {}) => workflow(TWO, { hooks, ...more });
export const ordered = (solo: Solo) => (solo.input("hooks") as HooksInput).hooks;
export const BROKEN = { code: "X", message: "broken" };
