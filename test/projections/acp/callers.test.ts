/** Whose a card is, where calls stand beside each other. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { callEnded, called, log, runStarted, showing, shown, stepEnded, stepStarted, user } from "./support.ts";

describe("what belongs to no step", () => {
  test("two calls at once: each card names its run, and what the runs show says whose it is", () => {
    const question = (run: string): Row => ({
      type: "permission.requested",
      run,
      step: "in",
      payload: { permission: run, title: "May it?", kind: "execute", message: "m", options: [] },
    });
    const rows = [
      user("t", "/demo"),
      runStarted("r", []),
      ...["a", "b"].flatMap((step) => [
        stepStarted("r", step, "call_workflow", true),
        ...called("r", step, `${step}1`),
      ]),
      ...["a1", "b1"].map((run) => stepStarted(run, "in", "command", true)),
      question("a1"),
      ...["a", "b"].flatMap((step) => [
        stepEnded(`${step}1`, "in", "command"),
        ...callEnded("r", step, `${step}1`),
        stepEnded("r", step, "call_workflow"),
      ]),
    ];
    const views = showing(log(...rows)).flatMap((view) => ("update" in view ? [view.update] : []));
    const told = views.flatMap((update) =>
      update.sessionUpdate === "tool_call" || (update.sessionUpdate === "tool_call_update" && update.rawInput)
        ? [[update.toolCallId, update.title, update.rawInput]]
        : [],
    );
    expect(told).toEqual([
      ["r/a", "a", undefined],
      ["r/a", undefined, { workflow: "sub", run: "a1" }],
      ["r/b", "b", undefined],
      ["r/b", undefined, { workflow: "sub", run: "b1" }],
      ["a1/in", "a › in", undefined],
      ["b1/in", "b › in", undefined],
      ["permission/a1", "a › May it?", undefined],
    ]);
    expect(showing(log(...rows)).find((view) => "permission" in view)).toMatchObject({
      permission: { title: "a › May it?" },
    });
  });

  test("a call that no other stands beside needs no name in what its run shows", () => {
    const rows = [
      stepStarted("r", "a", "call_workflow"),
      ...called("r", "a", "a1"),
      stepStarted("a1", "in", "command"),
    ];
    expect(shown(...rows)).toContain("card a1/in in execute in_progress");
  });
});
