/** A run that a crash cut off, shown to who saw its beginning and to who did not. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { output, runStarted, shown, stepEnded, stepStarted, turnEnded } from "./support.ts";

describe("a run that a crash cut off", () => {
  const before: Row[] = [
    runStarted("r", [
      ["build", "command"],
      ["ship", "command"],
    ]),
    stepStarted("r", "build", "command"),
    output("build", 0, "half"),
    turnEnded("t1", { stopReason: "cancelled", error: { code: "SYSTEM.PROCESS.LOST", message: "gone" } }),
  ];
  const after: Row[] = [output("build", 0, "whole", 2), stepEnded("r", "build", "command"), turnEnded("t2")];

  test("continues in the same card, with the same plan", () => {
    expect(shown(...before, ...after)).toEqual([
      "card r/build build execute in_progress",
      'card: r/build failed ["```\\nhalf\\n```"] {"troupe/cancelled":true}',
      "plan build=in_progress ship=pending",
      "ended t1 cancelled SYSTEM.PROCESS.LOST",
      "card r/build build execute in_progress []",
      'card: r/build completed ["```\\nwhole\\n```"]',
      "plan build=completed ship=pending",
      "ended t2 end_turn",
    ]);
  });

  const again: Row = {
    type: "step.retrying",
    run: "r",
    step: "build",
    payload: {
      name: "build",
      attempt: 1,
      delayMs: 0,
      reason: { code: "EXECUTION.STEP.INTERRUPTED", message: "a crash cut it off" },
    },
  };
  const cards = (...rows: Row[]): string[] => shown(...before, ...rows).filter((line) => /^card:? r/.test(line));
  const OPENED = "card r/build build execute in_progress []";
  const why = '"Attempt 1 failed: a crash cut it off. Trying again."';

  test("is shown at work once it runs again, before it says a word", () => {
    expect(cards(again).slice(2)).toEqual([OPENED, `card: r/build [${why}]`]);
    expect(cards(again, ...after).slice(2)).toEqual([
      OPENED,
      `card: r/build completed [${why},"\`\`\`\\nwhole\\n\`\`\`"]`,
    ]);
  });

  test("shows nothing of the attempt that was cut off where the next one says nothing", () => {
    const silent = [stepEnded("r", "build", "command"), turnEnded("t2")];
    expect(cards(...silent).slice(2)).toEqual(["card r/build build execute completed []"]);
    expect(cards(again, ...silent).slice(2)).toEqual([OPENED, `card: r/build completed [${why}]`]);
  });

  test("is shown to a reader that knows nothing of its past", () => {
    expect(shown(...after)).toEqual([
      "card r/build build execute in_progress",
      'card: r/build completed ["```\\nwhole\\n```"]',
      "ended t2 end_turn",
    ]);
  });
});
