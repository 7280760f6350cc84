/** What a kept conversation shows, entry after entry. */
import { expect, test } from "vitest";
import type { KeptEntry, KeptPart } from "../../../machines/conversation/entry.ts";
import { type ChatEvent, KeptEvents } from "../../../machines/conversation/event.ts";

const BLOCKS = [{ type: "text", text: "Hello" }];
const PROMPT: KeptPart = { sent: { id: 3, method: "session/prompt", params: { prompt: BLOCKS } } };
const PROMPTED: ChatEvent = { type: "prompted", blocks: BLOCKS };
const LOST: ChatEvent = { type: "lost", why: "its process ended", isUnknown: true };

/** Of all entries, and of their end. */
function shown(...parts: KeptPart[]): ChatEvent[] {
  const events = new KeptEvents();
  const entries = parts.map((part, index): KeptEntry => ({ seq: index + 1, at: 0, ...part }));
  return [...entries.flatMap((entry) => events.of(entry)), ...events.end()];
}

test("a prompt, what is said, and its end", () => {
  expect(
    shown(
      { head: { version: 1, id: "c", agent: { id: "a", slug: "a", name: "A" }, cwd: "/w", from: null } },
      { sent: { id: 1, method: "initialize" } },
      { got: { id: 1, result: {} } },
      { note: { type: "opened", session: "s", by: "new" } },
      PROMPT,
      { got: { method: "session/update", params: { update: { sessionUpdate: "plan" } } } },
      { got: { id: 7, method: "session/request_permission" } },
      { got: { id: 2, result: { stopReason: "of another" } } },
      { got: { id: 3, result: { stopReason: "end_turn" } } },
      { got: { id: 3, result: { stopReason: "twice" } } },
    ),
  ).toEqual([
    { type: "opened", by: "new" },
    PROMPTED,
    { type: "update", update: { sessionUpdate: "plan" } },
    { type: "ended", outcome: "end_turn", why: "" },
  ]);
});

test.each<[string, KeptPart, ChatEvent]>([
  ["failed", { got: { id: 3, error: { message: "no" } } }, { type: "ended", outcome: "failed", why: "no" }],
  ["failed without words", { got: { id: 3, error: {} } }, { type: "ended", outcome: "failed", why: "" }],
  ["ended without a reason", { got: { id: 3, result: null } }, { type: "ended", outcome: "", why: "" }],
])("a prompt that %s", (_, part, event) => {
  expect(shown(PROMPT, part)).toEqual([PROMPTED, event]);
});

test("a prompt without an answer is lost: with the process, where another connection begins, and at the end", () => {
  expect(shown(PROMPT)).toEqual([PROMPTED, LOST]);
  expect(shown(PROMPT, { sent: { method: "initialize" } }, { got: { id: 3, result: {} } })).toEqual([PROMPTED, LOST]);
  const opened: ChatEvent = { type: "opened", by: "load" };
  expect(shown(PROMPT, { note: { type: "opened", session: "s", by: "load" } })).toEqual([PROMPTED, LOST, opened]);
  const gone: KeptPart = { note: { type: "lost", why: "killed" } };
  expect(shown(PROMPT, gone, gone)).toEqual([
    PROMPTED,
    { type: "lost", why: "killed", isUnknown: true },
    { type: "lost", why: "killed", isUnknown: false },
  ]);
});

test("messages without an id answer no prompt", () => {
  const unnamed: KeptPart = { sent: { method: "session/prompt", params: { prompt: BLOCKS } } };
  expect(shown(unnamed, { got: { id: null, result: {} } }, { got: { result: {} } })).toEqual([PROMPTED]);
  expect(shown({ sent: { id: 4, method: "session/cancel" } }, { got: { id: 4, result: {} } })).toEqual([]);
});

test("what was decided about a file", () => {
  expect(shown({ note: { type: "edit", path: "/w/a.ts", decision: "rejected" } })).toEqual([
    { type: "edited", edit: { path: "/w/a.ts", oldText: null, newText: "", fate: "rejected" } },
  ]);
});
