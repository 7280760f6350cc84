import { describe, expect, it } from "vitest";
import { inputMachine } from "../../machines/input-machine.ts";
import { brief, cancel, resume, Solo } from "../support/machine.ts";

const ask = () =>
  new Solo(inputMachine, "input/i1", { run: "r1", step: "talk", session: "s1", prompt: "And now?" }, "step/1");
const answer = (text: string, who?: string) => ({ type: "input.answered", text, who });
const place = { run: "r1", step: "talk" };
const OPENED = ["row input.required", "send session/s1 input.opened"];

describe("a parked read", () => {
  it.each(["go on", ""])("is written, reported to its session, and answered once with %j (I1, I2)", (text) => {
    const solo = ask();
    expect(solo.effects.map(brief)).toEqual(OPENED);
    expect(solo.tell(answer(text))).toEqual(["row input.answered", "send session/s1 input.closed"]);
    expect(solo.tell(answer("again"))).toEqual([]);
    expect(solo.rows).toEqual([
      { type: "input.required", ...place, payload: { input: "i1", prompt: "And now?" } },
      { type: "input.answered", ...place, payload: { input: "i1", text } },
    ]);
    expect(solo.effects.flatMap((effect) => (effect.do === "send" ? [effect.event] : []))).toEqual([
      { type: "input.opened", input: "input/i1" },
      { type: "input.closed", input: "input/i1" },
    ]);
    expect(solo.output).toEqual({ outcome: "answered", text });
  });

  it("names who answered, where that is known", () => {
    const solo = ask();
    solo.tell(answer("yes", "ann"));
    expect(solo.rows.at(-1)).toEqual({
      type: "input.answered",
      ...place,
      payload: { input: "i1", text: "yes", who: "ann" },
    });
  });

  it("is withdrawn by a cancel without an answer", () => {
    const solo = ask();
    expect(solo.tell(cancel)).toEqual(["send session/s1 input.closed"]);
    expect(solo.output).toEqual({ outcome: "cancelled" });
    expect(solo.rows.map(({ type }) => type)).toEqual(["input.required"]);
  });

  it("keeps waiting through a crash and a resume", () => {
    const solo = ask();
    for (const event of [{ type: "owner.lost" }, resume("rerun")]) expect(solo.tell(event)).toEqual([]);
    expect(solo.value).toBe("waiting");
  });
});
