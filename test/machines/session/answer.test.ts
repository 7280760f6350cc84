import { describe, expect, it } from "vitest";
import type { Intent, TurnInput } from "../../../machines/contracts.ts";
import { sessionMachine } from "../../../machines/session-machine.ts";
import { CONTEXT, command, runBirth, workflow } from "../../support/documents.ts";
import { Solo } from "../../support/machine.ts";

const DEMO = workflow([command("a")]);
const RUN: Intent = { type: "run", run: "r1", workflow: DEMO, inputs: {}, env: {}, context: CONTEXT, trust: "trusted" };
const prompt = (asks: Intent) => ({ type: "prompt.received", turn: "t", blocks: [], asks });
const answer = (input: string) => prompt({ type: "answer", text: "yes", input } as Intent);
const requested = { type: "run.requested", input: runBirth(DEMO) };
const opened = (input: string) => ({ type: "input.opened", input });
const session = () => new Solo(sessionMachine, "session/s1", { cwd: "/project", principal: "u1" }, null);
const running = () => {
  const solo = session();
  solo.tell(prompt(RUN));
  solo.tell(requested);
  return solo;
};
const parked = () => {
  const solo = running();
  for (const input of ["input/1", "input/2"]) solo.tell(opened(input));
  solo.tell({ type: "host.quiet" });
  solo.done("turn", { stopReason: "end_turn" });
  return solo;
};
const interrupted = () => {
  const solo = running();
  solo.tell({ type: "owner.lost" });
  solo.done("turn", { stopReason: "cancelled" });
  return solo;
};

describe("an answer that names its question (I4)", () => {
  it("goes to that question, whichever is the oldest", () => {
    const solo = parked();
    expect(solo.tell(answer("input/2"))).toEqual([
      "spawn turn turn",
      "tell run run.woken",
      "send input/2 input.answered",
    ]);
    expect((solo.input("turn") as TurnInput).ask).toEqual({ type: "answer", text: "yes", input: "input/2" });
  });

  it("changes nothing while the question is not open", () => {
    for (const solo of [session(), running(), interrupted()]) expect(solo.can(answer("input/1"))).toBe(false);
    const solo = parked();
    expect(solo.can(answer("input/3"))).toBe(false);
    expect(solo.tell(answer("input/3"))).toEqual([]);
    expect(solo.value).toBe("parked");
    expect(solo.can(prompt({ type: "answer", text: "yes" }))).toBe(false);
  });
});
