/** What belongs to no step: questions, prompts, notices, titles and rows of unknown types. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { brief, log, runStarted, showing, shown, turnEnded, user } from "./support.ts";

describe("what belongs to no step", () => {
  test("a refused trust: the question's card ends with the answer, and nothing spins", () => {
    const options = [
      { id: "trust", name: "Trust", kind: "allow_always" },
      { id: "refuse", name: "Do not run", kind: "reject_once" },
    ] as const;
    const asked = {
      permission: "p",
      title: "Trust /w?",
      kind: "execute",
      message: "Read it.",
      options: [...options],
    } as const;
    const rows: Row[] = [
      { type: "permission.requested", payload: { ...asked, options: [...options] } },
      { type: "permission.resolved", payload: { permission: "p", outcome: "selected", option: "refuse" } },
      turnEnded("t", { stopReason: "refusal" }),
    ];
    const views = showing(log(...rows));
    expect(brief(views)).toEqual([
      'card permission/p Trust /w? execute pending ["Read it."]',
      "ask p",
      "resolved p",
      'card: permission/p failed ["Read it.","Do not run"]',
      "ended t refusal",
    ]);
    expect(views[1]).toEqual({ permission: { ...asked, card: "permission/p" } });
  });

  test("a run's question says where the page of runs is, while one is served", () => {
    const payload = { permission: "p", title: "Sign?", kind: "execute", message: "Sign it?", options: [] } as const;
    const rows = log({ type: "permission.requested", run: "r", step: "a", payload: { ...payload, options: [] } });
    const told = (page: string | null): string => JSON.stringify(showing(rows, { page: () => page }));
    expect(told("http://127.0.0.1:8900/")).toContain("On the page of runs: http://127.0.0.1:8900/#/run/r");
    expect(told(null)).not.toContain("page of runs");
  });

  test("a question that died with its process is over with its turn, and asked again with its run", () => {
    const payload = { permission: "p", title: "Sign?", kind: "execute", message: "Sign it?", options: [] } as const;
    const asked: Row = { type: "permission.requested", run: "r", step: "a", payload: { ...payload, options: [] } };
    const error = { code: "EXECUTION.RUN.INTERRUPTED", message: "the process ended" };
    const rows = [
      ...[user("t", "/demo"), runStarted("r", []), asked],
      turnEnded("t", { stopReason: "cancelled", error }),
      ...[user("u", "go on"), asked],
    ];
    expect(shown(...rows)).toEqual([
      'card permission/p Sign? execute pending ["Sign it?"]',
      "ask p",
      "resolved p",
      'card: permission/p failed {"troupe/cancelled":true}',
      "plan ",
      "agent t#end: The process ended",
      "ended t cancelled EXECUTION.RUN.INTERRUPTED",
      'card permission/p Sign? execute pending ["Sign it?"]',
      "ask p",
    ]);
  });

  test.each([
    [{ outcome: "selected", option: "trust" } as const, 'card: permission/p completed ["Read it.","Trust"]'],
    [{ outcome: "cancelled" } as const, 'card: permission/p failed ["Read it.","Cancelled"] {"troupe/cancelled":true}'],
  ])("an answered question: %o", (answer, end) => {
    const options = [{ id: "trust", name: "Trust", kind: "allow_once" as const }];
    const payload = { permission: "p", title: "?", kind: "execute" as const, message: "Read it.", options };
    const rows: Row[] = [
      { type: "permission.requested", payload },
      { type: "permission.resolved", payload: { permission: "p", ...answer } },
    ];
    expect(shown(...rows).at(-1)).toBe(end);
  });

  test("the prompt is shown to who did not send it", () => {
    expect(shown(user("t", "/demo"))).toEqual([]);
    expect(brief(showing(log(user("t", "/demo")), { echoUser: () => true }))).toEqual(["user t#user: /demo"]);
  });

  test("an answer is shown once, as the prompt that it was, and an empty one not at all", () => {
    const asked = (input: string): Row[] => [
      { type: "input.required", run: "r", step: "talk", payload: { input, prompt: "" } },
      { type: "turn.completed", payload: { turn: input, stopReason: "end_turn" } },
    ];
    const answered = (input: string, text: string): Row => ({
      type: "input.answered",
      run: "r",
      step: "talk",
      payload: { input, text },
    });
    const begun = [user("1", "/talk"), runStarted("r", [])];
    const rows = [...begun, ...asked("a"), user("2", "Ann"), answered("a", "Ann"), ...asked("b")];
    const end = [user("3", ""), answered("b", "")];
    expect(brief(showing(log(...rows, ...end), { echoUser: () => true }))).toEqual([
      "user 1#user: /talk",
      "plan ",
      "agent a#end: Waiting for your answer.",
      "ended a end_turn",
      "user 2#user: Ann",
      "agent b#end: Waiting for your answer.",
      "ended b end_turn",
    ]);
  });

  test("notices below a warning, usage without a window and lifecycle rows show nothing", () => {
    const rows: Row[] = [
      { type: "session.opened", payload: { cwd: "/w", principal: "u" } },
      { type: "turn.started", payload: { turn: "t" } },
      { type: "notice", payload: { severity: "info", message: "i" } },
      { type: "usage.recorded", payload: { totalTokens: 5 } },
      { type: "step.call_workflow.started", run: "r", step: "c", childRun: "q", payload: { name: "c", workflow: "w" } },
    ];
    expect(shown(...rows)).toEqual([]);
  });

  test("warnings, errors, titles and usage of a known window", () => {
    const rows: Row[] = [
      { type: "notice", payload: { severity: "warning", message: "w" } },
      { type: "notice", payload: { severity: "error", message: "e" } },
      { type: "session.updated", payload: { title: "New" } },
      { type: "usage.recorded", payload: { used: 5, size: 100, cost: { amount: 1, currency: "USD" } } },
    ];
    expect(shown(...rows)).toEqual([
      "agent notice/1: Warning: w\n\n",
      "agent notice/2: Error: e\n\n",
      '{"sessionUpdate":"session_info_update","title":"New","updatedAt":"1970-01-01T00:00:01.002Z"}',
      '{"sessionUpdate":"usage_update","used":5,"size":100,"cost":{"amount":1,"currency":"USD"}}',
    ]);
  });

  test("a row of an unknown type is counted each time and shown once (I3)", () => {
    const strange = { type: "step.danced", run: "r", payload: {} } as unknown as Row;
    expect(shown(strange, strange)).toEqual([
      "unknown step.danced",
      'thought -: [a record of the unknown type "step.danced"]',
      "unknown step.danced",
    ]);
  });
});
