/** Trust that a turn asks for before it starts anything. */
import { describe, expect, it } from "vitest";
import type { Intent } from "../../../machines/contracts.ts";
import { cancel } from "../../support/machine.ts";
import { all, BEGUN, DEMO, end, lost, runAsk, turn, UNBEGUN } from "./lone-turn.ts";

const GRANTED = { outcome: "granted" };

describe("trust", () => {
  const asked = () => turn(runAsk("ask"));
  const selected = (option: string) => ({ outcome: "selected", option });

  it("is asked for before anything is started (I2), and remembered", () => {
    const solo = asked();
    expect(all(solo)).toEqual([...BEGUN, "spawn permission permission"]);
    expect(solo.input("permission")).toMatchObject({
      run: "r1",
      title: "Trust /project?",
      input: { cwd: "/project", workflow: "demo" },
    });
    expect(solo.done("permission", selected("trust"))).toEqual(["spawn trust trust"]);
    const yes = { cwd: "/project", workflow: DEMO, directories: ["/project"], files: [], keeps: true };
    expect(solo.input("trust")).toEqual(yes);
    expect(solo.done("trust", GRANTED)).toEqual(["send session/s1 run.requested"]);
  });

  it("that is refused: no run, and the reason in words", () => {
    const solo = asked();
    expect(solo.done("permission", selected("refuse"))).toEqual([
      "row message.assistant",
      "row run.completed",
      "row turn.completed",
    ]);
    expect(solo.rows.at(-2)).toMatchObject({
      run: "r1",
      payload: { workflow: "demo", status: "failed", exitCode: 5, began: false, error: { code: "USER.TRUST.REFUSED" } },
    });
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REFUSED" } });
  });

  it("that is given once starts the run and is not remembered; it is offered only on request", () => {
    const solo = turn(runAsk("ask or once"));
    expect(solo.input("permission")).toMatchObject({
      options: [{ id: "trust" }, { id: "refuse" }, { id: "once", kind: "allow_once" }],
    });
    expect(solo.done("permission", selected("once"))).toEqual(["spawn trust trust"]);
    expect(solo.input("trust")).toMatchObject({ keeps: false });
    expect(solo.done("trust", GRANTED)).toEqual(["send session/s1 run.requested"]);
    expect(asked().input("permission")).toMatchObject({ options: [{ id: "trust" }, { id: "refuse" }] });
  });

  const file = (path: string, digest: string | null) => ({ path, digest });
  const changed = (...files: object[]) => ({ outcome: "changed", files });
  const WORDS = 'Workflow "demo" runs commands and agents with your rights in /project.';
  const REQUEST = "Read it before you trust this directory.";
  const reading = (...directories: string[]) =>
    turn({
      ...runAsk("ask"),
      consent: { directories, files: [file("/project/a.sh", "1"), file("/project/b.sh", null)] },
    } as Intent);

  it.each(["trust", "once"])(
    "that is given by %s to files that have changed since is asked again, with their names (I5)",
    (yes) => {
      const solo = reading("/project");
      expect(solo.input("permission")).toMatchObject({
        message: `${WORDS} It reads "/project/a.sh", "/project/b.sh". ${REQUEST}`,
        input: { cwd: "/project", workflow: "demo", files: ["/project/a.sh", "/project/b.sh"] },
      });
      expect(solo.done("permission", selected(yes))).toEqual(["spawn trust trust"]);
      const now = [file("/project/a.sh", "2"), file("/project/b.sh", null), file("/project/c.sh", "3")];
      expect(solo.done("trust", changed(...now))).toEqual(["spawn permission permission"]);
      const paths = '"/project/a.sh", "/project/b.sh", "/project/c.sh"';
      const since = 'Since you were asked first, this has changed: "/project/a.sh", "/project/c.sh".';
      expect(solo.input("permission")).toMatchObject({ message: `${WORDS} It reads ${paths}. ${since} ${REQUEST}` });
      expect(solo.done("permission", selected(yes))).toEqual(["spawn trust trust"]);
      expect(solo.input("trust")).toMatchObject({ files: now, keeps: yes === "trust" });
      expect(solo.done("trust", GRANTED)).toEqual(["send session/s1 run.requested"]);
    },
  );

  it("is not asked for without end (I5)", () => {
    const solo = reading("/project");
    for (let n = 2; n <= 5; n++) {
      solo.done("permission", selected("trust"));
      expect(solo.done("trust", changed(file("/project/a.sh", `${n}`)))).toEqual(["spawn permission permission"]);
    }
    solo.done("permission", selected("trust"));
    expect(solo.done("trust", changed())).toEqual(UNBEGUN);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REFUSED" } });
  });

  it("is asked for each directory by name", () => {
    const solo = reading("/project", "/elsewhere");
    expect(solo.input("permission")).toMatchObject({ title: "Trust /project and /elsewhere?" });
    solo.done("permission", selected("trust"));
    expect(solo.input("trust")).toMatchObject({ cwd: "/project", directories: ["/project", "/elsewhere"] });
  });

  it("without an answer: no run, and the reason in words (I3)", () => {
    const solo = asked();
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual(UNBEGUN);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REFUSED" } });
  });

  it.each([
    [cancel, "EXECUTION.RUN.CANCELLED"],
    [lost, "SYSTEM.PROCESS.LOST"],
  ])("that is withdrawn by %j: cancelled, in words, whatever the answer is (I3, I4)", (event, code) => {
    for (const answer of [{ outcome: "cancelled" }, selected("trust")]) {
      const solo = asked();
      expect(solo.tell(event)).toEqual(["tell all cancel.requested"]);
      expect(solo.done("permission", answer)).toEqual(UNBEGUN);
      expect(solo.rows.at(-2)?.payload).toMatchObject({ status: "cancelled", exitCode: 130, began: false });
      expect(end(solo)).toMatchObject({ stopReason: "cancelled", error: { code } });
    }
  });

  it("is refused where no one can be asked", () => {
    const solo = turn(runAsk("refuse"));
    expect(all(solo)).toEqual([...BEGUN, "row message.assistant", "row turn.completed"]);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REQUIRED" } });
  });

  it.each(["permission", "trust"])("starts nothing when its effect fails: %s", (child) => {
    const solo = asked();
    if (child === "trust") solo.done("permission", selected("trust"));
    expect(solo.fail(child, { code: "SYSTEM.IO.WRITE_FAILED", message: "full" })).toEqual([
      "row message.assistant",
      "row run.completed",
      "row turn.completed",
    ]);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "SYSTEM.IO.WRITE_FAILED" } });
  });
});
