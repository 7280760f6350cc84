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
const lost = { type: "owner.lost" };
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
    expect(solo.can(decide("allow"))).toBe(false);
    expect(solo.tell(decide("allow"))).toEqual([]);
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

  it("is not asked after a crash, and its time stands still (I5)", () => {
    const solo = ask({ timeoutMs: 60_000 });
    expect(solo.tell(lost)).toEqual(["untimer limit"]);
    expect([solo.value, solo.can(decide("rerun")), solo.can({ type: "asker.left" })]).toEqual([
      "unasked",
      false,
      false,
    ]);
    expect(solo.tell(cancel)).toEqual(["row permission.resolved"]);
  });

  it("takes the answer of a resume after a crash", () => {
    const solo = ask({ timeoutMs: 60_000 });
    solo.tell(lost);
    solo.tell(resume("fail"));
    expect(solo.output).toEqual({ outcome: "selected", option: "fail" });
  });

  it("is asked anew, under its own name, by a resume after a crash, and answered once (I1, I5)", () => {
    const solo = ask({ timeoutMs: 60_000 });
    solo.tell(lost);
    expect(solo.tell(resume("ask"))).toEqual(["row permission.requested", "timer 60000"]);
    expect(solo.rows[1]).toEqual(solo.rows[0]);
    expect(solo.tell(decide("rerun"))).toEqual(["untimer limit", "row permission.resolved"]);
    expect(solo.rows.map(({ type }) => type)).toEqual([
      "permission.requested",
      "permission.requested",
      "permission.resolved",
    ]);
  });

  it("is asked anew by a resume that names none of its options", () => {
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

describe("a tool gate", () => {
  const options = [
    { id: "once", name: "", kind: "allow_once" },
    { id: "always", name: "", kind: "allow_always" },
    { id: "no", name: "", kind: "reject_once" },
    { id: "never", name: "", kind: "reject_always" },
  ];
  const gate = (policy: string, more: object = {}) =>
    ask({ options, session: "s1", gate: { tool: "Bash", policy, digest: "d1" }, ...more });
  const told = (kind: string | null) => ({ type: "memory.told", kind });
  const sent = (solo: Solo) => solo.effects.flatMap((effect) => (effect.do === "send" ? [effect] : []));

  it.each([
    ["allow", "once"],
    ["deny", "no"],
  ])("whose policy is %s asks no one and leaves no row (I1, I3)", (policy, option) => {
    const solo = gate(policy);
    expect(solo.effects).toEqual([]);
    expect(solo.output).toEqual({ outcome: "selected", option, by: "policy" });
  });

  it("chooses nothing where no option of the kind was offered (I3)", () => {
    expect(gate("allow", { options: [options[1]] }).output).toEqual({ outcome: "cancelled" });
    const solo = gate("ask", { options: [options[0]] });
    expect(solo.tell(told("allow_always"))).toEqual(["row permission.requested"]);
  });

  it("asks its session first, then a person, with the tool's name in the row", () => {
    const solo = gate("ask", { timeoutMs: 5, locations: [{ path: "/a" }] });
    expect(sent(solo)).toEqual([
      { do: "send", to: "session/s1", event: { type: "memory.wanted", from: "permission/p1", digest: "d1", at: 1000 } },
    ]);
    expect(solo.tell(told(null))).toEqual(["row permission.requested", "timer 5"]);
    expect(solo.rows[0]?.payload).toMatchObject({ tool: "Bash", locations: [{ path: "/a" }], timeoutMs: 5 });
  });

  it.each([
    ["allow_always", "always"],
    ["reject_always", "never"],
  ])("takes the remembered answer, and leaves no row: %s", (kind, option) => {
    const solo = gate("ask");
    expect(solo.tell(told(kind))).toEqual([]);
    expect(solo.output).toEqual({ outcome: "selected", option, by: "memory" });
  });

  it("has only an answer for good remembered, as long as it may be (I4)", () => {
    const report = { type: "memory.made", digest: "d1", agent: "a", permission: "p1", at: 1000, until: 1007 };
    for (const { id, kind } of options) {
      const solo = gate("ask", { gate: { tool: "Bash", policy: "ask", digest: "d1", agent: "a", rememberMs: 7 } });
      solo.tell(told(null));
      solo.tell(decide(id));
      const made = sent(solo).slice(1);
      const isLasting = kind.endsWith("_always");
      expect(made).toEqual(isLasting ? [{ do: "send", to: "session/s1", event: { ...report, kind } }] : []);
      expect(solo.output).toEqual({ outcome: "selected", option: id });
    }
  });

  it("has nothing remembered where it is a step's gate, whatever its options (I4)", () => {
    const solo = ask({ options });
    solo.tell(decide("always"));
    expect(sent(solo)).toEqual([]);
  });

  it("ignores a late or second answer of its session", () => {
    const solo = gate("ask");
    solo.tell(told(null));
    expect(solo.tell(told("allow_always"))).toEqual([]);
    expect(solo.value).toBe("open");
  });

  it("is cancelled while it asks its session, without a row", () => {
    const solo = gate("ask");
    expect(solo.tell(decide("once"))).toEqual([]);
    expect(solo.tell(cancel)).toEqual([]);
    expect([solo.output, solo.rows]).toEqual([{ outcome: "cancelled" }, []]);
  });
});
