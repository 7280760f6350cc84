/** The summary with which a new conversation goes on from an earlier one. */
import { expect, test } from "vitest";
import type { ChatEvent } from "../../../machines/conversation/event.ts";
import { MAX_SUMMARY, summaryOf } from "../../../machines/conversation/summary.ts";
import type { Json } from "../../../machines/model.ts";

const prompted = (...texts: string[]): ChatEvent => ({
  type: "prompted",
  blocks: texts.map((text): Json => ({ type: "text", text })),
});
const update = (update: Json): ChatEvent => ({ type: "update", update });
const said = (text: string): ChatEvent =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const changed = (...paths: string[]): ChatEvent =>
  update({
    sessionUpdate: "tool_call_update",
    content: [{ type: "content" }, ...paths.map((path): Json => ({ type: "diff", path }))],
  });
const HEAD = "Summary of an earlier conversation in this folder, which cannot be continued. It is context, not a task.";

test("what was asked, what was said, and which files were changed, prompt after prompt", () => {
  const events: ChatEvent[] = [
    said("before any prompt"),
    prompted(" Mend it. ", "And this."),
    said("I will"),
    said(" mend it. "),
    changed("a.ts", "b.ts"),
    changed("a.ts"),
    { type: "ended", outcome: "end_turn", why: "" },
    prompted("Thanks"),
    update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } }),
    update({ sessionUpdate: "agent_message_chunk", content: { type: "image" } }),
    update("odd"),
  ];
  expect(summaryOf(events)).toBe(
    [
      HEAD,
      "I asked: Mend it. \nAnd this.\nYou said: I will mend it.\nFiles changed: a.ts, b.ts",
      "I asked: Thanks\nYou said: (nothing)",
    ].join("\n\n"),
  );
});

test("it is empty where nothing was asked", () => {
  expect(summaryOf([])).toBe("");
  expect(summaryOf([said("hello"), { type: "state" }])).toBe("");
});

test("what nobody has typed is left out of what was asked", () => {
  const events = [prompted("Summary of an earlier conversation: x", '<instructions file="A.md">\nx', "Go on")];
  expect(summaryOf(events)).toBe(`${HEAD}\n\nI asked: Go on\nYou said: (nothing)`);
  expect(
    summaryOf([
      { type: "prompted", blocks: "odd" },
      { type: "prompted", blocks: [{ type: "image" }] },
    ]),
  ).toBe(`${HEAD}\n\n${Array<string>(2).fill("I asked: (nothing)\nYou said: (nothing)").join("\n\n")}`);
});

test("of a long text its beginning and its end are kept", () => {
  const of = (length: number): string => summaryOf([prompted(`${"a".repeat(length / 2)}${"b".repeat(length / 2)}`)]);
  expect(of(2_000)).toBe(`${HEAD}\n\nI asked: ${"a".repeat(1_000)}${"b".repeat(1_000)}\nYou said: (nothing)`);
  expect(of(2_002)).toBe(`${HEAD}\n\nI asked: ${"a".repeat(1_000)} […] ${"b".repeat(1_000)}\nYou said: (nothing)`);
});

test("of many prompts the last ones are kept, as far as there is room, and the others are counted (I1)", () => {
  const part = (index: number): string => `I asked: ${index} ${"x".repeat(958)}\nYou said: ${"y".repeat(2_000)}`;
  const events = Array.from({ length: 6 }, (_, index) => [
    prompted(`${index} ${"x".repeat(958)}`),
    said("y".repeat(2_000)),
  ]).flat();
  // Four parts of 2,980 fit into 12,000 units.
  expect(part(0)).toHaveLength(2_980);
  expect(summaryOf(events)).toBe([HEAD, "(2 earlier prompts are left out.)", ...[2, 3, 4, 5].map(part)].join("\n\n"));
  const exact = [prompted("x".repeat(980)), said("y".repeat(2_000))];
  expect(summaryOf([...exact, ...exact, ...exact, ...exact]).split("\n\n")).toHaveLength(5);
  const over = [prompted("x".repeat(981)), said("y".repeat(2_000))];
  expect(summaryOf([...over, ...exact, ...exact, ...exact]).split("\n\n")[1]).toBe("(1 earlier prompts are left out.)");
  expect(MAX_SUMMARY).toBe(12_000);
});
