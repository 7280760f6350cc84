import type { RequestPermissionRequest, SessionUpdate } from "@agentclientprotocol/sdk";
import { from } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { type EditorEvent, editorLines } from "../../../projections/editor/lines.ts";

const shownIn = (columns: number | null, ...events: EditorEvent[]): string[] => {
  const pieces: string[] = [];
  from(events)
    .pipe(editorLines({ colours: false, columns }))
    .subscribe((some) => pieces.push(...some));
  return pieces.join("").split("\n");
};
const shown = (...events: EditorEvent[]): string[] => shownIn(null, ...events);
const show = (updates: readonly SessionUpdate[]): string[] => shown(...updates.map((update) => ({ update })));
const text = (value: string) => ({ type: "text" as const, text: value });
const content = (value: string) => ({ type: "content" as const, content: text(value) });

describe("editorLines", () => {
  it("shows the plan whole at first and then what changes", () => {
    const entry = (name: string, status: "pending" | "in_progress" | "completed") => ({
      content: name,
      priority: "medium" as const,
      status,
    });
    expect(
      show([
        { sessionUpdate: "plan", entries: [entry("a", "in_progress"), entry("b", "pending"), entry("c", "pending")] },
        { sessionUpdate: "plan", entries: [entry("a", "completed"), entry("b", "in_progress"), entry("c", "pending")] },
        { sessionUpdate: "plan", entries: [entry("a", "completed"), entry("b", "in_progress"), entry("c", "pending")] },
        { sessionUpdate: "plan", entries: [entry("a", "completed"), entry("b", "completed")] },
      ]),
    ).toEqual(["Plan", "  ◐ a", "  ☐ b", "  ☐ c", "plan: ☑ a  ◐ b", "plan: ☑ b  1 not needed", ""]);
  });

  it("lets words run on, and ends their line for a card", () => {
    expect(
      show([
        { sessionUpdate: "agent_thought_chunk", content: text("hm") },
        { sessionUpdate: "agent_message_chunk", content: text("Hel") },
        { sessionUpdate: "agent_message_chunk", content: text("lo\u001b[2J") },
        { sessionUpdate: "tool_call", toolCallId: "1", title: "Look", kind: "execute", status: "in_progress" },
        { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "", mimeType: "image/png" } },
        { sessionUpdate: "user_message_chunk", content: text("mine") },
      ]),
    ).toEqual(["hm", "Hello", "┌ Look (execute)", "(image)", ""]);
  });

  it("I4 breaks a line that is wider than the terminal between words", () => {
    const plan = (status: "pending" | "completed"): EditorEvent => ({
      update: {
        sessionUpdate: "plan",
        entries: ["Look around", "Count the words"].map((name) => ({ content: name, priority: "medium", status })),
      },
    });
    expect(
      shownIn(
        20,
        { said: "editor: starts an agent" },
        plan("pending"),
        plan("completed"),
        { update: { sessionUpdate: "tool_call", toolCallId: "1", title: "Check the spelling", kind: "execute" } },
        {
          update: {
            sessionUpdate: "tool_call_update",
            toolCallId: "1",
            status: "completed",
            content: [content("no rain is expected today")],
          },
        },
      ),
    ).toEqual([
      "editor: starts an",
      "agent",
      "Plan",
      "  ☐ Look around",
      "  ☐ Count the words",
      "plan: ☑ Look around ",
      "      ☑ Count the",
      "      words",
      "┌ Check the spelling",
      "  (execute)",
      "│ no rain is",
      "│ expected today",
      "└ ✓ Check the",
      "    spelling",
      "",
    ]);
  });

  it("cuts a title of any length", () => {
    const cut = `${"x".repeat(499)}…`;
    expect(
      show([
        { sessionUpdate: "tool_call", toolCallId: "1", title: "x".repeat(100_000) },
        { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" },
      ]),
    ).toEqual([`┌ ${cut} (other)`, `└ ✓ ${cut}`, ""]);
  });

  it("I2 writes a card's last content once, without its fence, cut to its tail", () => {
    const many = Array.from({ length: 9 }, (_, line) => `line ${line}`).join("\n");
    expect(
      show([
        { sessionUpdate: "tool_call", toolCallId: "1", title: "Look", status: "pending" },
        { sessionUpdate: "tool_call_update", toolCallId: "1", content: [content("early")] },
        { sessionUpdate: "tool_call_update", toolCallId: "1", content: [content(`\`\`\`\n${many}\n\`\`\``)] },
        { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" },
        {
          sessionUpdate: "tool_call_update",
          toolCallId: "2",
          title: "Edit",
          status: "failed",
          content: [{ type: "diff", path: "a.txt", oldText: "x\n", newText: "y\n" }],
        },
      ]),
    ).toEqual([
      "┌ Look (other)",
      "│ … 3 lines above",
      ...[3, 4, 5, 6, 7, 8].map((line) => `│ line ${line}`),
      "└ ✓ Look",
      "│ ± a.txt (+1 -1)",
      "│ + y",
      "└ ✗ Edit",
      "",
    ]);
  });

  it("shows a question whole with the answer, and not again in its card", () => {
    const request: RequestPermissionRequest = {
      sessionId: "s",
      toolCall: { toolCallId: "1", title: "Trust?", content: [content("It runs\u202e commands.\nAll of them.")] },
      options: [
        { optionId: "a", name: "Yes", kind: "allow_always" },
        { optionId: "b", name: "No", kind: "reject_once" },
      ],
    };
    const card = { sessionUpdate: "tool_call", toolCallId: "1", title: "Trust?", status: "pending" } as const;
    const done = {
      sessionUpdate: "tool_call_update",
      toolCallId: "1",
      status: "completed",
      content: [content("It runs commands.")],
    } as const;
    const events: EditorEvent[] = [
      { update: card },
      { asked: request, answer: request.options[0] },
      { update: { ...done, content: [...done.content] } },
      { said: "done" },
    ];
    expect(shown(...events)).toEqual([
      "┌ Trust? (other)",
      "? Trust?",
      "  It runs\\u202e commands.",
      "  All of them.",
      "  ● Yes",
      "  ○ No",
      "└ ✓ Trust?",
      "done",
      "",
    ]);
  });

  it("lists the commands with their hints", () => {
    expect(
      show([
        {
          sessionUpdate: "available_commands_update",
          availableCommands: [
            { name: "demo", description: "A tour", input: { hint: "[name=world]" } },
            { name: "plain", description: "No input" },
          ],
        },
      ]),
    ).toEqual(["/demo [name=world]  A tour", "/plain  No input", ""]);
  });

  it("shows the last list of commands that came in the midst of a turn behind it (I3)", () => {
    const list = (name: string): EditorEvent => ({
      update: {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name, description: "A tour" }],
      },
    });
    const word = (value: string): EditorEvent => ({
      update: { sessionUpdate: "agent_message_chunk", content: text(value) },
    });
    const turn = [list("early"), { isWorking: true }, word("on"), list("old"), list("late"), word("going")];
    expect(shown(...turn)).toEqual(["/early  A tour", "ongoing"]);
    const whole = shown(...turn, { isWorking: false }, { isWorking: true }, { isWorking: false });
    expect(whole).toEqual(["/early  A tour", "ongoing", "/late  A tour", ""]);
  });

  it("writes a batch for each event, in its tick, and begins anew for each reader", () => {
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
      const words = (value: string): EditorEvent => ({
        update: { sessionUpdate: "agent_message_chunk", content: text(value) },
      });
      const lines$ = cold("a-b-(cd|)", { a: words("Hel"), b: words("lo"), c: { said: "you" }, d: words("!") }).pipe(
        editorLines({ colours: false, columns: null }),
      );
      const written = { a: ["Hel"], b: ["lo"], c: ["\n", "you\n"], d: ["!"] };
      expectObservable(lines$).toBe("a-b-(cd|)", written);
      expectObservable(lines$).toBe("a-b-(cd|)", written);
    });
  });
});

it("shows a diff in a question as one (H46)", () => {
  const request: RequestPermissionRequest = {
    sessionId: "s",
    toolCall: {
      toolCallId: "1",
      title: "Change it",
      content: [{ type: "diff", path: "/w/a.txt", oldText: "one\n", newText: "two\n" }],
    },
    options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
  };
  expect(shown({ asked: request, answer: undefined })).toEqual([
    "? Change it",
    "  ± /w/a.txt",
    "  - one",
    "  + two",
    "  ○ Yes",
    "",
  ]);
});
