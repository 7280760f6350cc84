/** A run that is followed: what is printed, what a stop does, and who answers what it asks. */
import { describe, expect, it } from "vitest";
import { type Run, type RunResult, TroupeError } from "../../../actors/troupe.ts";
import { follow } from "../../../transports/cli/follow.ts";
import {
  Log,
  output,
  runCompleted,
  runStarted,
  said,
  stepCompleted,
  stepStarted,
} from "../../projections/terminal/rows.ts";
import { heldRun } from "./held-run.ts";
import { recordingIo } from "./io.ts";

const COMPLETED: RunResult = { run: "r1", outcome: { status: "completed", exitCode: 0 }, outputs: {}, message: null };

describe("follow", () => {
  it("I2 shows what the log had to say, also what no follower has brought yet", async () => {
    const held = heldRun();
    const log = new Log();
    const io = recordingIo();
    const code = follow({ io, format: "text" }, { after: 0, converses: true, output: "full" }, async () => held.run);
    await Promise.resolve();
    held.push(log.row(runStarted()), log.row(stepStarted("a")), log.live(output("a", 0, "x")));
    held.commitUnseen(log.row(output("a", 0, "xy\n")), log.row(stepCompleted("a")), log.row(runCompleted()));
    held.done.resolve(COMPLETED);
    expect(await code).toBe(0);
    expect(io.written.out).toBe("demo · run r1\n  → a\n    xy\n  ✓ a 200ms\n✓ demo completed in 400ms (1 step)\n");
    expect(io.stops.size).toBe(0);
  });

  it("prints the new rows alone as JSON", async () => {
    const held = heldRun();
    const log = new Log();
    const io = recordingIo();
    const code = follow({ io, format: "json" }, { after: 1, converses: true, output: "full" }, async () => held.run);
    await Promise.resolve();
    const rows = [log.row(runStarted()), log.row(stepStarted("a")), log.row(said("a", 0, "x"))];
    held.push(...rows, log.live(said("a", 1, "y")));
    held.done.resolve(COMPLETED);
    await code;
    expect(
      io.written.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(rows.slice(1));
  });

  it("I1 cancels once, and ends the process at once the second time", async () => {
    const held = heldRun();
    const io = recordingIo();
    const code = follow({ io, format: "text" }, { after: 0, converses: true, output: "full" }, async () => held.run);
    await Promise.resolve();
    io.stop("interrupt");
    expect([held.calls, io.exits]).toEqual([["cancel"], []]);
    expect(io.written.err).toContain("cancelling");
    io.stop("interrupt");
    expect([held.calls, io.exits]).toEqual([["cancel"], [130]]);
    held.done.resolve({ ...COMPLETED, outcome: { status: "cancelled", exitCode: 130 } });
    expect(await code).toBe(130);
  });

  it("I1 takes a closed output for one wish to stop, however often it is noticed", async () => {
    const held = heldRun();
    const io = recordingIo();
    const code = follow({ io, format: "text" }, { after: 0, converses: true, output: "full" }, async () => held.run);
    await Promise.resolve();
    for (let times = 0; times < 3; times++) io.stop("closed");
    expect([held.calls, io.exits, io.written.err]).toEqual([["cancel"], [], ""]);
    held.done.resolve({ ...COMPLETED, outcome: { status: "cancelled", exitCode: 130 } });
    expect(await code).toBe(130);
  });

  it("I1 cancels a run that was still starting when the wish came", async () => {
    const held = heldRun();
    const started = Promise.withResolvers<Run>();
    const io = recordingIo();
    const code = follow({ io, format: "text" }, { after: 0, converses: true, output: "full" }, () => started.promise);
    io.stop("terminate");
    started.resolve(held.run);
    held.done.resolve({ ...COMPLETED, outcome: { status: "cancelled", exitCode: 130 } });
    expect(await code).toBe(130);
    expect(held.calls).toEqual(["cancel"]);
  });

  const QUESTION = { input: "i1", run: "r1", step: "a", prompt: "", said: "Who?" };
  const PARKED: RunResult = {
    run: "r1",
    outcome: { status: "parked", questions: [QUESTION] },
    outputs: {},
    message: null,
  };

  it("asks what a parked run waits for, and continues with its answer", async () => {
    const first = heldRun();
    const second = heldRun();
    const answers: [string, string][] = [];
    const run = {
      ...first.run,
      answer: async (question: string, text: string) => {
        answers.push([question, text]);
        second.done.resolve(COMPLETED);
        return { ...first.run, done: second.run.done };
      },
    };
    const io = recordingIo({ asks: true, answers: ["Ann"] });
    const code = follow({ io, format: "text" }, { after: 0, converses: true, output: "full" }, async () => run);
    first.done.resolve(PARKED);
    expect(await code).toBe(0);
    expect(answers).toEqual([["i1", "Ann"]]);
    expect(io.written.err).toBe('? step "a" waits for your answer (an empty line ends the conversation)\n  Who?\n');
  });

  it.each([
    ["no one can be asked", { asks: false }, true],
    ["an answer was given already", { asks: true }, false],
  ])("I3 leaves a run parked where %s", async (_, changes, converses) => {
    for (const format of ["text", "json"] as const) {
      const held = heldRun();
      const io = recordingIo(changes);
      const code = follow({ io, format }, { after: 0, converses, output: "full" }, async () => held.run);
      held.done.resolve(PARKED);
      expect(await code).toBe(0);
      expect(held.calls).toEqual([]);
      if (format === "json")
        expect(JSON.parse(io.written.out)).toEqual({ parked: { run: "r1", questions: [QUESTION] } });
      else expect(io.written.out).toContain('troupe resume r1 --answer "…"');
    }
  });

  it("says that a run was cut off again", async () => {
    const held = heldRun();
    const io = recordingIo();
    const code = follow({ io, format: "text" }, { after: 0, converses: true, output: "full" }, async () => held.run);
    held.done.resolve({ ...PARKED, outcome: { status: "interrupted" } });
    expect(await code).toBe(3);
    expect(io.written.out).toContain("troupe resume r1");
  });

  /** Asks, and answers only when the question is withdrawn. */
  function asking() {
    const asked = Promise.withResolvers<void>();
    const io = recordingIo({
      asks: true,
      readLine: (signal) => {
        asked.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
      },
    });
    return { io, asked: asked.promise };
  }

  it("I1 cancels a parked run on an interrupt, and leaves it when the terminal goes", async () => {
    const held = heldRun();
    const log = new Log();
    const one = asking();
    const code = follow(
      { io: one.io, format: "text" },
      { after: 0, converses: true, output: "full" },
      async () => held.run,
    );
    held.done.resolve(PARKED);
    await one.asked;
    one.io.stop("interrupt");
    expect(held.calls).toEqual(["cancel"]);
    held.push(log.row(runStarted()), log.row(runCompleted()));
    expect(await code).toBe(130);

    const left = heldRun();
    const two = asking();
    const gone = follow(
      { io: two.io, format: "text" },
      { after: 0, converses: true, output: "full" },
      async () => left.run,
    );
    left.done.resolve(PARKED);
    await two.asked;
    two.io.stop("terminate");
    expect(await gone).toBe(0);
    expect(left.calls).toEqual([]);
  });

  it("takes the question back when another client answers", async () => {
    const held = heldRun();
    const log = new Log();
    const { io, asked } = asking();
    const code = follow({ io, format: "json" }, { after: 0, converses: true, output: "full" }, async () => held.run);
    held.done.resolve(PARKED);
    await asked;
    held.push(log.row({ type: "input.answered", run: "r1", step: "a", payload: { input: "i1", text: "x" } }));
    expect(await code).toBe(0);
    expect(held.calls).toEqual([]);
    expect(io.written.out).not.toContain("parked");
    expect(io.written.err).toContain("answered elsewhere; troupe status r1");
  });

  it("counts a question that was cut short by a stop as cancelled, and any other refusal as what it is", async () => {
    const refusal = new TroupeError("USER.TRUST.REFUSED", "no");
    const stopped = recordingIo();
    const held = heldRun();
    const code = follow(
      { io: stopped, format: "text" },
      { after: 0, converses: true, output: "full" },
      async () => held.run,
    );
    await Promise.resolve();
    stopped.stop("interrupt");
    held.done.reject(refusal);
    expect(await code).toBe(130);
    await expect(
      follow({ io: recordingIo(), format: "text" }, { after: 0, converses: true, output: "full" }, () =>
        Promise.reject(refusal),
      ),
    ).rejects.toBe(refusal);
  });
});
