/** Covers `index-of.ts`: what is known of a conversation, entry by entry. */
import { expect, test } from "vitest";
import type { ConversationHead, KeptPart, WireFrame } from "../../../machines/conversation/entry.ts";
import { type ConversationIndex, fieldOf, indexBegun, indexed } from "../../../machines/conversation/index-of.ts";
import type { Json } from "../../../machines/model.ts";

const HEAD: ConversationHead = {
  version: 1,
  id: "c1",
  agent: { id: "a", slug: "a", name: "A" },
  cwd: "/w",
  from: null,
};
const BEGUN = indexBegun(HEAD, 5);
const after = (...parts: KeptPart[]): ConversationIndex =>
  parts.reduce<ConversationIndex>(
    (index, part, at) => indexed(index, { seq: at + 1, at: 10 * (at + 1), ...part }),
    BEGUN,
  );
/** What an entry changes, beside its number and time. */
function change(part: KeptPart, before: Partial<ConversationIndex> = {}): Partial<ConversationIndex> {
  const from = { ...BEGUN, ...before };
  const to = indexed(from, { seq: 7, at: 70, ...part });
  expect([to.seq, to.lastAt]).toEqual([7, 70]);
  return Object.fromEntries(
    Object.entries(to).filter(
      ([name, value]) =>
        !["seq", "lastAt"].includes(name) &&
        JSON.stringify(value) !== JSON.stringify(from[name as keyof ConversationIndex]),
    ),
  );
}
const sent = (frame: WireFrame): KeptPart => ({ sent: frame });
const got = (frame: WireFrame): KeptPart => ({ got: frame });
const prompt = (...texts: Json[]): KeptPart =>
  sent({ id: 3, method: "session/prompt", params: { prompt: texts.map((text) => ({ type: "text", text })) } });
const update = (fields: { [name: string]: Json }): KeptPart =>
  got({ method: "session/update", params: { update: fields } });

test("it begins with nothing known", () => {
  expect(BEGUN).toEqual({
    ...{ version: 1, head: HEAD, session: null, native: null, title: "", startedAt: 5, lastAt: 5, seq: 0 },
    ...{ prompts: 0, turn: "none", asked: null, mode: null, options: {} },
  });
});

test("its beginning is that of its first segment", () => {
  const again = { ...HEAD, from: "c0" };
  expect([after({ head: HEAD }).startedAt, after({ head: HEAD }, { head: again }).startedAt]).toEqual([10, 10]);
  expect(after({ head: HEAD }, { head: again }).head).toEqual(again);
});

test("notes: opened, lost, and an edit", () => {
  expect(change({ note: { type: "opened", session: "s", by: "new" } }, { asked: 3 })).toEqual({
    session: "s",
    asked: null,
  });
  expect(change({ note: { type: "lost", why: "killed" } }, { asked: 3, session: "s" })).toEqual({ asked: null });
  expect(change({ note: { type: "edit", path: "/a", decision: "accepted" } }, { asked: 3 })).toEqual({});
});

test("a prompt is counted, and open until its answer; its first line is the title", () => {
  expect(change(prompt("\n  Hello there \nmore", "other"))).toEqual({
    ...{ title: "Hello there", prompts: 1, turn: "open", asked: 3 },
  });
  expect(change(prompt("Another"), { title: "Hello", prompts: 1 })).toEqual({ prompts: 2, turn: "open", asked: 3 });
  expect(change(sent({ method: "session/prompt", params: null }))).toEqual({ prompts: 1, turn: "open" });
  expect(change(prompt(7, " \n"))).toEqual({ prompts: 1, turn: "open", asked: 3 });
  const told = "Summary of an earlier conversation: long";
  expect(change(prompt(told, "Go on")).title).toBe("Go on");
  expect([change(prompt("x".repeat(80))).title, change(prompt("x".repeat(81))).title]).toEqual([
    "x".repeat(80),
    `${"x".repeat(79)}…`,
  ]);
  expect(change(sent({ id: 1, method: "initialize" }), { asked: 3, turn: "open" })).toEqual({ asked: null });
  expect(change(sent({ id: 4, method: "session/cancel" }), { asked: 3, turn: "open" })).toEqual({});
});

test("an answer ends the turn that is asked, and no other", () => {
  const open = { asked: 3, turn: "open" } as const;
  expect(change(got({ id: 3, result: { stopReason: "end_turn" } }), open)).toEqual({ turn: "ended", asked: null });
  expect(change(got({ id: 4, result: {} }), open)).toEqual({});
  expect(change(got({ result: {} }), { asked: null, turn: "open" })).toEqual({});
  expect(change(got({ id: 3, method: "session/request_permission", params: {} }), open)).toEqual({});
});

test("the answer to an opening says the mode, the choices and what the agent told beside it", () => {
  const result = {
    sessionId: "s",
    modes: { currentModeId: "ask", availableModes: [] },
    configOptions: [{ id: "model", currentValue: "m" }, { id: 7, currentValue: "x" }, "odd", { id: "effort" }],
    _meta: { own: 1 },
  };
  expect(change(got({ id: 1, result }), { options: { model: "l", speed: "fast" } })).toEqual({
    mode: "ask",
    native: { own: 1 },
    options: { model: "m", speed: "fast", effort: null },
  });
  expect(change(got({ id: 1, result: { _meta: { own: 1 } } }), { native: "kept" })).toEqual({});
  expect(change(got({ id: 1, result: { sessionId: "s" } }), { native: "kept", mode: "ask" })).toEqual({});
  expect(change(got({ id: 1, result: { modes: { currentModeId: 7 }, configOptions: {} } }), { mode: "ask" })).toEqual(
    {},
  );
});

test("updates: title, mode, choices; all else says nothing here", () => {
  expect(change(update({ sessionUpdate: "session_info_update", title: "T".repeat(90) }), { title: "Old" })).toEqual({
    title: `${"T".repeat(79)}…`,
  });
  expect(change(update({ sessionUpdate: "session_info_update", title: "" }), { title: "Old" })).toEqual({});
  expect(change(update({ sessionUpdate: "session_info_update", title: 7 }), { title: "Old" })).toEqual({});
  expect(change(update({ sessionUpdate: "current_mode_update", currentModeId: "plan" }))).toEqual({ mode: "plan" });
  expect(change(update({ sessionUpdate: "current_mode_update" }), { mode: "ask" })).toEqual({});
  const configOptions = [{ id: "model", currentValue: "n" }];
  expect(change(update({ sessionUpdate: "config_option_update", configOptions }), { options: { a: 1 } })).toEqual({
    options: { a: 1, model: "n" },
  });
  expect(
    change(update({ sessionUpdate: "agent_message_chunk", title: "T", currentModeId: "x", configOptions })),
  ).toEqual({});
  expect(change(got({ method: "session/update" }))).toEqual({});
});

test("a field of what may be no object", () => {
  const values: [Json | undefined, Json][] = [
    [{ a: 1 }, 1],
    [{ a: null }, null],
    [{}, null],
    [null, null],
    [undefined, null],
    ["a", null],
    [[1], null],
  ];
  expect(values.map(([value]) => [value, fieldOf(value, "a")])).toEqual(values);
  expect([fieldOf([1], "length"), fieldOf({}, "toString")]).toEqual([null, null]);
});
