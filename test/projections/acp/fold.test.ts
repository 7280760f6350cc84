/** A run's rows, one after another, as an editor is shown them: steps, agents, branches, and how a turn ends. */
import { describe, expect, test } from "vitest";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import {
  brief,
  live,
  log,
  output,
  runEnded,
  runStarted,
  say,
  showing,
  shown,
  stepEnded,
  stepStarted,
  turnEnded,
  user,
} from "./support.ts";

const words = (run: string, step: string, offset: number, text: string): Row =>
  say("message.assistant", run, step, { block: `${step}@1.0`, offset, text });

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

  test.each([
    [{ stopReason: "cancelled" } as const, "Cancelled."],
    [{ stopReason: "cancelled", error: { code: "SYSTEM.PROCESS.LOST", message: "gone" } } as const, "gone"],
    [{}, "The turn is over."],
  ])("a turn in which nothing was said ends with a word: %j", (end, words) => {
    expect(shown(user("t", "/demo"), turnEnded("t", end))[0]).toBe(`agent t#end: ${words}`);
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
