import { describe, expect, it } from "vitest";
import { permissionMachine } from "../../machines/permission-machine.ts";
import { brief, cancel, resume, Solo } from "../support/machine.ts";

const BIRTH = {
  run: "r1",
  step: "work",
  title: "Again?",
  kind: "execute",
  message: "It was cut off.",
  options: [
    { id: "rerun", name: "Yes", kind: "allow_once" },
    { id: "fail", name: "No", kind: "reject_once" },
  ],
  input: null,
  timeoutMs: null,
};
const ask = (more: object = {}) => new Solo(permissionMachine, "permission/p1", { ...BIRTH, ...more });
const decide = (option: string) => ({ type: "decision.made", option });
const answer = (solo: Solo) => solo.rows[1];

describe("a question", () => {
  it("is written whole, and its answer once (I1)", () => {
    const solo = ask({ input: { command: "rm" } });
    expect(solo.tell(decide("fail"))).toEqual(["untimer limit", "row permission.resolved"]);
    const place = { run: "r1", step: "work" };
    const { title, kind, message, options } = BIRTH;
    expect(solo.rows).toEqual([
      {
        type: "permission.requested",
        ...place,
        payload: { permission: "p1", title, kind, message, options, input: { command: "rm" } },
      },
      { type: "permission.resolved", ...place, payload: { permission: "p1", outcome: "selected", option: "fail" } },
    ]);
    expect(solo.output).toEqual({ outcome: "selected", option: "fail" });
  });

  it("of a turn names no run and no step", () => {
    const solo = ask({ run: null, step: null });
    solo.tell(cancel);
    expect(solo.rows.map(({ run, step }) => [run, step])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("takes no option that was not offered (I2)", () => {
    const solo = ask();
    for (const event of [decide("allow"), { type: "owner.lost" }]) {
      expect(solo.can(event)).toBe(false);
      expect(solo.tell(event)).toEqual([]);
    }
    expect(solo.value).toBe("open");
  });

  it.each([cancel, { type: "asker.left" }])("is cancelled by $type", (event) => {
    const solo = ask();
    expect(solo.tell(event)).toEqual(["untimer limit", "row permission.resolved"]);
    expect(answer(solo)?.payload).toEqual({ permission: "p1", outcome: "cancelled" });
    expect(solo.output).toEqual({ outcome: "cancelled" });
  });

  it("is answered by a resume that names one of its options", () => {
    const solo = ask();
    expect(solo.can(resume("rerun"))).toBe(true);
    solo.tell(resume("rerun"));
    expect(solo.output).toEqual({ outcome: "selected", option: "rerun" });
  });

  it("is asked anew when somebody goes on after a crash, under its own name, and answered once (I1)", () => {
    const solo = ask({ timeoutMs: 60_000 });
    expect(solo.tell(resume("ask"))).toEqual(["row permission.requested"]);
    expect(solo.rows[1]).toEqual(solo.rows[0]);
    expect(solo.tell(decide("rerun"))).toEqual(["untimer limit", "row permission.resolved"]);
    expect(solo.rows.map(({ type }) => type)).toEqual([
      "permission.requested",
      "permission.requested",
      "permission.resolved",
    ]);
  });

  it("is asked anew by a resume whose answer is none of its options", () => {
    const solo = ask({ options: [{ id: "allow", name: "Yes", kind: "allow_once" }] });
    expect(solo.tell(resume("rerun"))).toEqual(["row permission.requested"]);
    expect(solo.value).toBe("open");
  });

  it("ends at its time limit, where it has one", () => {
    expect(ask().effects.map(brief)).toEqual(["row permission.requested"]);
    const solo = ask({ timeoutMs: 60_000 });
    expect(solo.effects.map(brief)).toEqual(["row permission.requested", "timer 60000"]);
    expect(solo.fire("limit")).toEqual(["untimer limit", "row permission.resolved"]);
    expect(solo.output).toEqual({ outcome: "cancelled" });
  });
});
