/** A session alone, brought to each of its states. */
import { expect } from "vitest";
import type { Intent, Prompt, TurnInput } from "../../machines/contracts.ts";
import { sessionMachine } from "../../machines/session-machine.ts";
import { CONTEXT, command, OK, runBirth, workflow } from "./documents.ts";
import { Solo } from "./machine.ts";

export const DEMO = workflow([command("a")]);
export const RUN: Intent = {
  type: "run",
  run: "r1",
  workflow: DEMO,
  inputs: {},
  env: {},
  context: CONTEXT,
  trust: "trusted",
};
export const HELP: Extract<Intent, { type: "explain" }> = {
  type: "explain",
  text: "?",
  stopReason: "end_turn",
  fault: { code: "USER.X", message: "?" },
};
export const TEXT: Prompt["asks"] = { type: "text", otherwise: RUN };
export const blocks = [{ type: "text" as const, text: "hello" }];
export const prompt = (asks: Prompt["asks"], turn = "t1") => ({ type: "prompt.received", turn, blocks, asks });
export const requested = { type: "run.requested", input: runBirth(DEMO) };
export const lost = { type: "owner.lost" };
export const runDone = (outcome = OK) => ({ outcome, outputs: {} });

export const session = () => new Solo(sessionMachine, "session/s1", { cwd: "/project", principal: "u1" }, null);
export const asked = (solo: Solo) => (solo.input("turn") as TurnInput).ask;
export const prompted = () => {
  const solo = session();
  solo.tell(prompt(RUN));
  return solo;
};
export const running = () => {
  const solo = prompted();
  solo.tell(requested);
  return solo;
};
export const abandoned = () => {
  const solo = running();
  solo.tell(lost);
  return solo;
};
export const interrupted = () => {
  const solo = abandoned();
  solo.done("turn", { stopReason: "cancelled" });
  return solo;
};
export const opened = (input: string) => ({ type: "input.opened", input });
export const closed = (input: string) => ({ type: "input.closed", input });
export const quiet = { type: "host.quiet" };
export const parked = (...inputs: string[]) => {
  const solo = running();
  for (const input of inputs.length === 0 ? ["input/1"] : inputs) solo.tell(opened(input));
  expect(solo.tell(quiet)).toEqual(["tell turn run.parked", "tell run run.rested"]);
  solo.done("turn", { stopReason: "end_turn" });
  return solo;
};
