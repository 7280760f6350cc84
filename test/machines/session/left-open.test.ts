/** A session with its turns, run and steps together: an approval that a crash leaves open. */
import { describe, expect, it } from "vitest";
import type { Node } from "../../../machines/workflow/document.ts";
import { command } from "../../support/documents.ts";
import { cancel } from "../../support/machine.ts";
import type { Stage } from "../../support/stage.ts";
import { BEGIN, keyed, places, prompted, SESSION, say, work } from "./parking.ts";

describe("an approval that a crash left open", () => {
  const gate = { message: null, onDeny: "error" as const, timeoutMs: null };
  const hooks = { pre: [{ log: "b" }], post: [] };
  /** Its words are rendered, and it is asked. */
  const asked = (node: Node): Stage => {
    const stage = prompted(node);
    const [rendering] = stage.work;
    if (rendering?.src !== "prepare") throw new Error("nothing is rendered");
    stage.finish(rendering, { output: { type: "approval", message: null, does: {} } });
    stage.settle();
    return stage;
  };
  const open = () => {
    const stage = asked(command("work", { approval: gate, hooks, onSuccess: "done" }));
    stage.crash(SESSION);
    stage.settle();
    expect([stage.state(SESSION), stage.work]).toEqual(["interrupted", []]);
    return stage;
  };

  it("is asked anew when the run is resumed, and its answer is taken", () => {
    const stage = open();
    const from = stage.rows.length;
    say(stage, "t2", "on");
    const permission = keyed(stage, "permission");
    expect(stage.state(SESSION)).toBe("prompted");
    stage.post(permission, { type: "decision.made", option: "allow" } as never);
    stage.settle();
    work(stage);
    work(stage);
    expect(places(stage.rows.slice(from))).toEqual([
      ...BEGIN,
      "permission.requested work",
      "permission.resolved work",
      "step.completed work",
      "run.completed",
      "turn.completed",
    ]);
  });

  it("has its time limit only while a person is asked", () => {
    const stage = asked(command("work", { approval: { ...gate, timeoutMs: 5_000 }, onSuccess: "done" }));
    expect(stage.timers).toHaveLength(1);
    stage.crash(SESSION);
    stage.settle();
    expect([stage.state(SESSION), stage.timers]).toEqual(["interrupted", []]);
    say(stage, "t2", "on");
    expect(stage.timers).toHaveLength(1);
    stage.ring();
    stage.settle();
    expect([stage.state(SESSION), stage.alive]).toEqual(["idle", [SESSION]]);
  });

  it("is withdrawn by a cancel", () => {
    const stage = open();
    stage.post(SESSION, cancel);
    stage.settle();
    expect(places(stage.rows.slice(-3))).toEqual(["permission.resolved work", "step.completed work", "run.completed"]);
    expect([stage.state(SESSION), stage.alive, stage.timers]).toEqual(["idle", [SESSION], []]);
  });
});
