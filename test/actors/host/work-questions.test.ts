import { describe, expect, it } from "vitest";
import { WorkQuestions } from "../../../actors/host/work-questions.ts";
import type { PermissionQuestion, PermissionSettled, WorkAsks } from "../../../machines/contracts.ts";

const QUESTION: PermissionQuestion = {
  title: "May I?",
  kind: "read",
  message: "",
  options: [],
  input: null,
  timeoutMs: null,
};
const YES: PermissionSettled = { outcome: "selected", option: "yes" };
const NO_ANSWER: PermissionSettled = { outcome: "cancelled" };

function stage(refuse = false) {
  const told: WorkAsks[] = [];
  const asks = new WorkQuestions("7", async (event) => {
    told.push(event);
    if (refuse) throw new Error("cannot be written");
  });
  const controller = new AbortController();
  return { told, asks, controller, ask: () => asks.ask(QUESTION, controller.signal) };
}
const answered = (ask: string, settled: PermissionSettled) => ({ type: "work.answered", ask, settled });

describe("questions of running work", () => {
  it("are told under names of their own, and each hears its own answer (I1)", async () => {
    const { told, asks, ask } = stage();
    const both = [ask(), ask()];
    asks.hear(answered("7.2", NO_ANSWER));
    asks.hear(answered("7.1", YES));
    expect(await Promise.all(both)).toEqual([YES, NO_ANSWER]);
    expect(told).toEqual([
      { type: "work.asked", ask: "7.1", question: QUESTION },
      { type: "work.asked", ask: "7.2", question: QUESTION },
    ]);
  });

  it("are withdrawn by their signal, and no answer counts after that (I1, I2)", async () => {
    const { told, asks, ask, controller } = stage();
    const one = ask();
    controller.abort();
    asks.hear(answered("7.1", YES));
    expect(await one).toEqual(NO_ANSWER);
    expect(told.map(({ type }) => type)).toEqual(["work.asked", "work.withdrew"]);
    expect(await ask()).toEqual(NO_ANSWER);
    expect(told).toHaveLength(2);
  });

  it("take one answer, and none that was not asked for (I2)", async () => {
    const { asks, ask } = stage();
    asks.hear(answered("7.1", YES));
    const one = ask();
    asks.hear({ type: "cancel.requested" });
    asks.hear(answered("6.1", YES));
    asks.hear(answered("7.1", NO_ANSWER));
    asks.hear(answered("7.1", YES));
    expect(await one).toEqual(NO_ANSWER);
  });

  it("hear answers and nothing that only looks like one (I2)", async () => {
    const { asks, ask } = stage();
    const one = ask();
    asks.hear({ ...answered("7.1", YES), type: "work.withdrew" });
    asks.hear(answered("7.1", NO_ANSWER));
    expect(await one).toEqual(NO_ANSWER);
  });

  it("that are over are not withdrawn by an abort that comes later (I1)", async () => {
    const { told, asks, ask, controller } = stage();
    const one = ask();
    asks.hear(answered("7.1", YES));
    expect(await one).toEqual(YES);
    controller.abort();
    expect(told.map(({ type }) => type)).toEqual(["work.asked"]);
  });

  it("fail where they cannot be kept, and are not withdrawn then", async () => {
    const { told, ask, controller } = stage(true);
    await expect(ask()).rejects.toThrow("cannot be written");
    controller.abort();
    expect(told.map(({ type }) => type)).toEqual(["work.asked"]);
  });
});
