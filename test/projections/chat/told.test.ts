/** What was kept of an agent is shown as it came, whatever its form. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatEvent } from "../../../machines/conversation/event.ts";
import type { Json } from "../../../machines/model.ts";
import { ChatFold } from "../../../projections/chat/chat.ts";
import { toldOf } from "../../../projections/chat/told.ts";

const shown = (...updates: Json[]): string[] => {
  const fold = new ChatFold({ colours: false, columns: () => null });
  const events = updates.map((update): ChatEvent => ({ type: "update", update }));
  const lines = events.flatMap((event) => fold.take(event));
  void fold.live;
  return [...lines, ...fold.take({ type: "ended", outcome: "end_turn", why: "" })];
};
const call = (rest: { [name: string]: Json }): Json => ({
  ...{ sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: "completed" },
  ...rest,
});

test.each<[string, Json]>([
  ["plan", { sessionUpdate: "plan" }],
  ["plan", { sessionUpdate: "plan", entries: "x" }],
  ["agent_message_chunk", { sessionUpdate: "agent_message_chunk" }],
  ["agent_message_chunk", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: 5 } }],
  ["agent_thought_chunk", { sessionUpdate: "agent_thought_chunk", content: [] }],
  ["tool_call", call({ title: 5 })],
  ["tool_call_update", { sessionUpdate: "tool_call_update", toolCallId: null }],
  ["notice", { sessionUpdate: "notice", title: "" }],
  ["none", null],
  ["none", "x"],
  ["none", { sessionUpdate: 5 }],
])("without what its kind is shown by, it is named like one of an unknown kind: %s %j (I1)", (kind, update) => {
  expect(shown(update, update)).toEqual([`unsupported update: ${kind}`]);
});

test.each<[string, Json, string[]]>([
  ["content that is no list", call({ content: "x" }), ["\u2713 T"]],
  [
    "content without its fields",
    call({
      content: [
        null,
        5,
        { type: "content" },
        { type: "diff", path: "/a" },
        { type: "content", content: { type: "image" } },
      ],
    }),
    ["\u2713 T", "  \u2502 (image)"],
  ],
  [
    "a title that is none",
    { sessionUpdate: "tool_call_update", toolCallId: "t", title: 5, status: "failed" },
    ["\u2717 a tool"],
  ],
  ["what was told beside it", call({ _meta: { terminal_output_delta: "x" } }), ["\u2713 T"]],
  [
    "steps of a plan",
    { sessionUpdate: "plan", entries: [null, { content: 7 }, { content: "a" }, { content: "b", status: "completed" }] },
    ["plan", "  \u2610 a", "  \u2611 b"],
  ],
])("what else has not the form of the protocol is left out: %s (I1)", (_, update, lines) => {
  expect(shown(update)).toEqual(lines);
});

test("whatever it is, it can be shown", () => {
  const kinds = ["plan", "agent_message_chunk", "tool_call", "tool_call_update", "notice", "message_not_read"];
  const names = [
    "content",
    "entries",
    "title",
    "toolCallId",
    "status",
    "kind",
    "_meta",
    "text",
    "type",
    "why",
    "toString",
  ];
  const { any } = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Json>(null, 5, "text", "completed", "diff", true),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie("any"), { maxKeys: 5 }),
    ),
  }));
  const update = fc
    .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom(...names), any))
    .map(([sessionUpdate, rest]): Json => ({ ...rest, sessionUpdate }));
  fc.assert(fc.property(fc.array(fc.oneof(update, any), { maxLength: 4 }), (all) => void shown(...all)));
});

test("what says nothing to be read is not named", () => {
  expect(toldOf({ sessionUpdate: "usage_update" })).toEqual({ type: "nothing" });
});
