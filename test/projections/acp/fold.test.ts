import { describe, expect, test } from "vitest";
import type { Exchange, Row, RowOf } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import {
  brief,
  callEnded,
  called,
  live,
  log,
  runEnded,
  runStarted,
  say,
  showing,
  stepEnded,
  stepStarted,
  turnEnded,
  user,
} from "./support.ts";

const shown = (...rows: Row[]): string[] => brief(showing(log(...rows)));
const output = (step: string, offset: number, text: string, attempt = 1): Row =>
  say("tool.update", "r", step, { block: `${step}@${attempt}.0`, offset, text, stream: "stdout" });
const words = (run: string, step: string, offset: number, text: string): Row =>
  say("message.assistant", run, step, { block: `${step}@1.0`, offset, text });

const AGAIN = 'Once its cause is mended, "/rerun failed" does that step again, and what comes after it.';

describe("a run of", () => {
  test("one command", () => {
    const rows = [
      user("t", "/demo"),
      runStarted("r", [["build", "command"]]),
      stepStarted("r", "build", "command"),
      output("build", 0, "one\n"),
      stepEnded("r", "build", "command"),
      runEnded("r"),
      turnEnded("t"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/build build execute in_progress",
      'card: r/build completed ["```\\none\\n```"]',
      "plan build=completed",
      'agent r#end: Workflow "demo" completed.',
      "ended t end_turn",
    ]);
  });

  test("an agent whose words are the conversation", () => {
    const rows = [
      runStarted("r", [["ask", "agent"]]),
      stepStarted("r", "ask", "agent"),
      say("message.thought", "r", "ask", { block: "ask@1.0", offset: 0, text: "hm" }),
      say("message.assistant", "r", "ask", { block: "ask@1.1", offset: 0, text: "Hel" }),
      say("message.assistant", "r", "ask", { block: "ask@1.1", offset: 3, text: "lo" }),
      stepEnded("r", "ask", "agent"),
      runEnded("r"),
      turnEnded("t"),
    ];
    expect(shown(...rows)).toEqual([
      "thought r/ask@1.0: hm",
      "agent r/ask@1.1: Hel",
      "agent r/ask@1.1: lo",
      "plan ask=completed",
      "ended t end_turn",
    ]);
  });

  test("an agent in a card of its own, whose texts are paragraphs", () => {
    const spoken = (block: string, offset: number, text: string): Row =>
      say("message.assistant", "r", "fan/a", { block: `fan/a@${block}`, offset, text });
    const rows = [
      runStarted("r", [["fan", "parallel"]]),
      stepStarted("r", "fan", "parallel"),
      stepStarted("r", "fan/a", "agent", true),
      ...[spoken("1.1", 0, "I lo"), spoken("1.1", 4, "ok."), spoken("1.2", 0, "Found.")],
      stepEnded("r", "fan/a", "agent"),
    ];
    expect(shown(...rows)).toContain('card: r/fan/a completed ["I look.\\n\\nFound."]');
  });

  test("agents side by side, each in its own card, without their thoughts", () => {
    const rows = [
      runStarted("r", [
        ["fan", "parallel"],
        ["a", "agent"],
      ]),
      stepStarted("r", "fan", "parallel"),
      stepStarted("r", "fan/a", "agent", true),
      say("message.thought", "r", "fan/a", { block: "fan/a@1.1", offset: 0, text: "hm" }),
      words("r", "fan/a", 0, "**A**"),
      stepEnded("r", "fan/a", "agent"),
      stepEnded("r", "fan", "parallel"),
      runEnded("r"),
      turnEnded("t"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/fan/a fan/a other in_progress",
      'card: r/fan/a completed ["**A**"]',
      "plan fan=completed a=completed",
      'agent r#end: Workflow "demo" completed.',
      "ended t end_turn",
    ]);
  });

  test("an agent below a called workflow, whose steps are no entries of the plan", () => {
    const rows = [
      runStarted("r", [["call", "call_workflow"]]),
      stepStarted("r", "call", "call_workflow"),
      runStarted("c", [["say", "agent"]], "r"),
      stepStarted("c", "say", "agent"),
      words("c", "say", 0, "hi"),
      stepEnded("c", "say", "agent"),
      runEnded("c", "completed", { message: "not shown" }, "r"),
      stepEnded("r", "call", "call_workflow"),
      runEnded("r", "completed", { message: "All good." }),
      turnEnded("t"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/call call other in_progress",
      "agent c/say@1.0: hi",
      "card: r/call completed",
      "plan call=completed",
      "agent r#message: \n\nAll good.",
      "ended t end_turn",
    ]);
  });

  test("a step that is tried again: its card keeps why, and shows the new attempt", () => {
    const reason = { code: "EXECUTION.COMMAND.FAILED", message: "exit code 1" };
    const rows = [
      stepStarted("r", "build", "command"),
      output("build", 0, "first\n"),
      {
        type: "step.retrying",
        run: "r",
        step: "build",
        payload: { name: "build", attempt: 1, delayMs: 1500, reason },
      } as const,
      output("build", 0, "second\n", 2),
      stepEnded("r", "build", "command"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/build build execute in_progress",
      "retrying 1",
      'card: r/build completed ["Attempt 1 failed: exit code 1. Trying again in 1.5 s.","```\\nsecond\\n```"]',
    ]);
  });

  test("an agent that is tried again says so as a thought", () => {
    const reason = { code: "EXECUTION.AGENT.NETWORK", message: "no route" };
    const retry = {
      type: "step.retrying",
      run: "r",
      step: "ask",
      payload: { name: "ask", attempt: 1, delayMs: 0, reason },
    } as const;
    expect(shown(stepStarted("r", "ask", "agent"), retry)).toEqual([
      "thought r/ask@1#retry: Attempt 1 failed: no route. Trying again.",
      "retrying 1",
    ]);
  });

  test("a failing command, whose error and exit code stand in its card", () => {
    const error = { code: "EXECUTION.COMMAND.FAILED", message: "exit code 2" };
    const rows = [
      runStarted("r", [
        ["build", "command"],
        ["ship", "command"],
      ]),
      stepStarted("r", "build", "command"),
      output("build", 0, "boom"),
      stepEnded("r", "build", "command", { status: "failed", exitCode: 2, error }),
      runEnded("r", "failed", { error, message: "Ask Ann." }),
      turnEnded("t", { error }),
    ];
    const views = showing(log(...rows));
    expect(brief(views)).toEqual([
      "card r/build build execute in_progress",
      'card: r/build failed ["```\\nboom\\n```","Failed"]',
      "plan build (failed)=completed",
      'agent r#failure: Workflow "demo" failed at "build": exit code 2',
      "agent r#message: \n\nAsk Ann.",
      `agent r#again: \n\n${AGAIN}`,
      "ended t end_turn EXECUTION.COMMAND.FAILED",
    ]);
    const about = { run: "r", path: "build", address: "build", kind: "command", attempts: 1, exitCode: 2, error };
    const failed = { ...about, stdout: ["boom"], stderr: [] };
    expect(views[1]).toMatchObject({
      update: {
        rawOutput: { exitCode: 2, code: "EXECUTION.COMMAND.FAILED" },
        _meta: { "troupe/failed": [failed] },
      },
    });
    expect(views.at(-1)).toEqual({
      ...{ ended: "t", stopReason: "end_turn", error, goesOn: false },
      failed: { run: "r", steps: [failed], more: 0, look: "troupe logs r --failed", goOn: "troupe rerun r --failed" },
    });
  });

  test.each(["agent", "parallel", "for_each", "while"] as const)("a failing %s, which gets a card only now", (kind) => {
    const error = { code: "X", message: "no" };
    const rows = [stepStarted("r", "s", kind), stepEnded("r", "s", kind, { status: "failed", exitCode: 1, error })];
    expect(shown(...rows, stepStarted("r", "mend", "agent"))).toEqual(['card r/s s other failed ["no"]']);
  });

  test("a failure is reported once: by the run where it ends it, by the step's card where the run continues", () => {
    const error = { code: "X", message: "no space left" };
    const failed = { status: "failed", exitCode: 1, error } as const;
    const build = [stepStarted("r", "build", "command"), stepEnded("r", "build", "command", failed)];
    const ends = shown(...build, runEnded("r", "failed", { error }), turnEnded("t", { error }));
    const goes = shown(...build, stepStarted("r", "mend", "agent"), runEnded("r"), turnEnded("t"));
    expect(ends).toEqual([
      "card r/build build execute in_progress",
      'card: r/build failed ["Failed"]',
      'agent r#failure: Workflow "demo" failed at "build": no space left',
      `agent r#again: \n\n${AGAIN}`,
      "ended t end_turn X",
    ]);
    expect(goes.slice(1, 3)).toEqual([
      'card: r/build failed ["no space left"]',
      expect.stringContaining("agent r#end:"),
    ]);
    for (const story of [ends, goes]) expect(story.join("\n").split("no space left")).toHaveLength(2);
  });

  test("a failure below a called workflow is reported once, at the end of the caller", () => {
    const error = { code: "X", message: "no space left" };
    const failed = { status: "failed", exitCode: 1, error } as const;
    const rows: Row[] = [
      stepStarted("r", "call", "call_workflow"),
      runStarted("c", [], "r"),
      stepStarted("c", "build", "command"),
      stepEnded("c", "build", "command", failed),
      runEnded("c", "failed", { error }, "r"),
      stepEnded("r", "call", "call_workflow", failed),
      runEnded("r", "failed", { error }),
      turnEnded("t", { error }),
    ];
    expect(shown(...rows).filter((line) => line.includes("no space left"))).toEqual([
      'agent r#failure: Workflow "demo" failed at "call": no space left',
    ]);
  });

  test.each(["command", "agent"] as const)("a skipped %s has a card that says so, by its title too", (kind) => {
    const rows = [stepStarted("r", "ship", kind), stepEnded("r", "ship", kind, { status: "skipped" })];
    expect(shown(...rows).at(-1)).toMatch(/^card:? r\/ship ship \(skipped\) (other )?completed \["Skipped"\]$/);
  });

  test("what an agent told in an unknown form is shown once a kind, where it was told", () => {
    const told = (kept: Json): Row => ({
      type: "notice",
      run: "r",
      step: "ask",
      payload: { severity: "info", message: "?", kept },
    });
    const mood = { sessionUpdate: "mood_update", mood: "good" };
    const rows: Row[] = [
      say("message.assistant", "r", "ask", { block: "ask@1.0", offset: 0, text: "one" }),
      told(mood),
      say("message.assistant", "r", "ask", { block: "ask@1.0", offset: 3, text: " two" }),
      told({ ...mood, mood: "bad" }),
      told(7),
    ];
    expect(shown(...rows)).toEqual([
      "agent r/ask@1.0: one",
      "unknown mood_update",
      'thought -: [an update of the agent of an unknown kind or form: "mood_update"]',
      "agent r/ask@1.0:  two",
      "unknown mood_update",
      "unknown ",
      "thought -: [an update of the agent of an unknown kind]",
    ]);
  });

  test("a notice between two words of an agent is a paragraph of its own", () => {
    const rows: Row[] = [
      say("message.assistant", "r", "ask", { block: "ask@1.0", offset: 0, text: "one" }),
      { type: "notice", run: "r", step: "ask", payload: { severity: "warning", message: "slow" } },
      say("message.assistant", "r", "ask", { block: "ask@1.0", offset: 3, text: " two" }),
      { type: "notice", run: "r", step: "ask", payload: { severity: "error", message: "first" } },
      { type: "notice", run: "r", step: "ask", payload: { severity: "error", message: "second" } },
    ];
    const texts = showing(log(...rows)).flatMap((view) =>
      "update" in view && view.update.sessionUpdate === "agent_message_chunk" && view.update.content.type === "text"
        ? [view.update.content.text]
        : [],
    );
    expect(texts.join("").split("\n\n")).toEqual(["one", "Warning: slow", " two", "Error: first", "Error: second", ""]);
  });

  test("a cancelled run: open cards end, the last one's tool call included, before the turn does", () => {
    const cancelled = { status: "cancelled", exitCode: 130 } as const;
    const call = { call: "ask@1.7", title: "Read", kind: "read", status: "in_progress" } as const;
    const rows: Row[] = [
      runStarted("r", [
        ["fan", "parallel"],
        ["ask", "agent"],
        ["later", "command"],
      ]),
      stepStarted("r", "fan", "parallel"),
      stepStarted("r", "fan/ask", "agent", true),
      { type: "tool.call", run: "r", step: "fan/ask", payload: call },
      stepEnded("r", "fan/ask", "agent", cancelled),
      stepEnded("r", "fan", "parallel", cancelled),
      runEnded("r", "cancelled"),
      turnEnded("t", { stopReason: "cancelled" }),
    ];
    const mark = '{"troupe/cancelled":true}';
    expect(shown(...rows)).toEqual([
      "card r/fan/ask fan/ask other in_progress",
      "card r/ask@1.7 Read read in_progress",
      `card: r/ask@1.7 failed ${mark}`,
      `card: r/fan/ask failed ["Cancelled"] ${mark}`,
      "plan fan (cancelled)=completed ask (cancelled)=completed",
      'agent r#cancelled: Workflow "demo" was cancelled.',
      "ended t cancelled",
    ]);
  });

  test("a run that a gate stopped says where and why", () => {
    const error = { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" };
    const rows: Row[] = [
      stepEnded("r", "ship", "command", { status: "cancelled", exitCode: 130, error }),
      runEnded("r", "cancelled", { error }),
      turnEnded("t", { stopReason: "refusal", error }),
    ];
    expect(shown(...rows).slice(-2)).toEqual([
      'agent r#cancelled: Workflow "demo" was stopped at "ship": the step was not approved',
      "ended t refusal EXECUTION.STEP.DENIED",
    ]);
  });

  test.each([
    [{ stopReason: "cancelled" } as const, "Cancelled."],
    [{ stopReason: "cancelled", error: { code: "SYSTEM.PROCESS.LOST", message: "gone" } } as const, "gone"],
    [{}, "The turn is over."],
  ])("a turn in which nothing was said ends with a word: %j", (end, words) => {
    expect(shown(user("t", "/demo"), turnEnded("t", end))[0]).toBe(`agent t#end: ${words}`);
  });

  test("a loop: visits have cards of their own, entries go back and forth", () => {
    const rows = [
      runStarted("r", [
        ["each", "for_each"],
        ["one", "command"],
      ]),
      stepStarted("r", "each", "for_each"),
      stepStarted("r", "each/0.one", "command"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/each/0.one each/0.one execute in_progress",
      "plan each=in_progress one=pending",
    ]);
  });
});

describe("rounds at once", () => {
  const round = (index: number, item: string): Row => {
    const row = stepStarted("r", `each/${index}.look`, "command", true) as RowOf<"step.started">;
    return { ...row, payload: { ...row.payload, name: "look", title: "Look", round: { item, of: 500 } } };
  };
  const end = (index: number, status: "completed" | "failed" = "completed"): Row => {
    const row = stepEnded("r", `each/${index}.look`, "command", { status }) as RowOf<"step.completed">;
    return { ...row, payload: { ...row.payload, name: "look" } };
  };
  const each = runStarted("r", [
    ["each", "for_each"],
    ["look", "command"],
  ]);
  const start = [each, stepStarted("r", "each", "for_each"), round(0, "src/a.ts"), round(1, "src/b.ts"), round(2, "c")];

  test("have cards that name their items, and the plan says how many have begun (I4 of the plan)", () => {
    expect(shown(...start)).toEqual([
      "card r/each/0.look Look [src/a.ts] execute in_progress",
      "card r/each/1.look Look [src/b.ts] execute in_progress",
      "card r/each/2.look Look [c] execute in_progress",
      "plan each (3 of 500)=in_progress look [src/a.ts] and 2 more=in_progress",
    ]);
  });
  test("of which some end leave the step in progress, and what failed is counted", () => {
    expect(shown(...start, end(0), end(1, "failed")).at(-1)).toBe(
      "plan each (3 of 500, 1 failed)=in_progress look [c]=in_progress",
    );
    const over = [end(0), end(1, "failed"), end(2), stepEnded("r", "each", "for_each", { status: "failed" })];
    expect(shown(...start, ...over).at(-1)).toBe("plan each (3 of 500, 1 failed, failed)=completed look=completed");
  });
  test("begin to count anew with another attempt of the loop", () => {
    const [again] = [round(0, "src/a.ts")];
    expect(shown(...start, end(0, "failed"), { ...again, step: "each@2/0.look" } as Row).at(-1)).toContain(
      "plan each (1 of 500)=in_progress",
    );
  });
});

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
      "agent t#end: the process ended",
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

describe("an agent's tool call", () => {
  const call = (payload: object, type = "tool.call"): Row => ({ type, run: "r", step: "ask", payload }) as Row;

  test("keeps one card from call to result, with content, places and output", () => {
    const rows: Row[] = [
      stepStarted("r", "ask", "agent"),
      call({ call: "ask@1.1", title: "Edit", kind: "edit", status: "pending", input: { path: "a" } }),
      call({ call: "ask@1.1", status: "in_progress", locations: [{ path: "/w/a", line: 3 }] }, "tool.update"),
      say("tool.update", "r", "ask", { block: "ask@1.2", call: "ask@1.1", offset: 0, text: "wrote" }),
      call(
        {
          call: "ask@1.1",
          status: "completed",
          output: 7,
          content: [{ type: "diff", path: "/w/a", oldText: null, newText: "x" }],
        },
        "tool.result",
      ),
    ];
    expect(showing(log(...rows)).map((view) => "update" in view && view.update)).toEqual([
      {
        sessionUpdate: "tool_call",
        toolCallId: "r/ask@1.1",
        title: "Edit",
        kind: "edit",
        status: "pending",
        rawInput: { path: "a" },
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "r/ask@1.1",
        status: "in_progress",
        locations: [{ path: "/w/a", line: 3 }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "r/ask@1.1",
        status: "completed",
        rawOutput: 7,
        content: [
          { type: "diff", path: "/w/a", oldText: null, newText: "x" },
          { type: "content", content: { type: "text", text: "```\nwrote\n```" } },
        ],
      },
    ]);
  });

  test("ends with its step when its end was never reported", () => {
    const rows = [
      stepStarted("r", "ask", "agent"),
      call({ call: "ask@1.1", title: "Edit", kind: "edit", status: "in_progress" }),
      stepEnded("r", "ask", "agent"),
    ];
    expect(shown(...rows)).toEqual(["card r/ask@1.1 Edit edit in_progress", "card: r/ask@1.1 completed"]);
  });

  test("that has ended is not shown anew for output that comes late", () => {
    const late = (offset: number, text: string): Row =>
      say("tool.update", "r", "ask", { block: "ask@1.1.output", call: "ask@1.1", offset, text });
    const rows = [
      stepStarted("r", "ask", "agent"),
      call({ call: "ask@1.1", title: "Run", kind: "execute", status: "in_progress" }),
      late(0, "soon"),
      call({ call: "ask@1.1", status: "completed" }, "tool.result"),
      late(4, "late"),
      stepEnded("r", "ask", "agent"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/ask@1.1 Run execute in_progress",
      'card: r/ask@1.1 completed ["```\\nsoon\\n```"]',
    ]);
  });

  test("that was not seen to begin is shown from its result on", () => {
    expect(shown(call({ call: "c", status: "failed" }, "tool.result"))).toEqual([
      "card r/c c other in_progress",
      "card: r/c failed",
    ]);
  });
});

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

test("live chunks of the same tick are one view each", () => {
  const chunks = Array.from({ length: 3 }, (_, i) => live(words("r", "ask", i, "x"), 0));
  expect(brief(showing(chunks))).toEqual(Array(3).fill("agent r/ask@1.0: x"));
});

test("a second run of the session begins its blocks anew", () => {
  const one = (run: string, turn: string): Row[] => [
    runStarted(run, []),
    stepStarted(run, "ask", "agent"),
    words(run, "ask", 0, "hello"),
    stepEnded(run, "ask", "agent"),
    runEnded(run),
    turnEnded(turn),
  ];
  const rows: Exchange[] = log(...one("r1", "t1"), ...one("r2", "t2"));
  expect(brief(showing(rows)).filter((line) => line.startsWith("agent"))).toEqual([
    "agent r1/ask@1.0: hello",
    "agent r2/ask@1.0: \n\nhello",
  ]);
});
