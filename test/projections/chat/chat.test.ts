import { describe, expect, test } from "vitest";
import type { ChatEvent } from "../../../machines/conversation/event.ts";
import { ChatFold } from "../../../projections/chat/chat.ts";
import { QUESTION } from "./support.ts";

const fold = (columns: number | null = null): ChatFold => new ChatFold({ colours: false, columns: () => columns });
const update = (sessionUpdate: string, rest: object = {}): ChatEvent =>
  ({ type: "update", update: { sessionUpdate, ...rest } }) as ChatEvent;
const says = (text: string): ChatEvent => update("agent_message_chunk", { content: { type: "text", text } });
const thinks = (text: string): ChatEvent => update("agent_thought_chunk", { content: { type: "text", text } });
const ended = (outcome = "end_turn", why = ""): ChatEvent => ({ type: "ended", outcome, why });
const prompted = (...blocks: object[]): ChatEvent => ({ type: "prompted", blocks }) as ChatEvent;
const all = (one: ChatFold, ...events: ChatEvent[]): string[] => events.flatMap((event) => one.take(event));

describe("what an agent says", () => {
  test("stays line by line; the line that is being said can change, and stays with the end (I2)", () => {
    const one = fold();
    expect(one.take(says("first\nsec"))).toEqual(["first"]);
    expect(one.live).toEqual(["sec"]);
    expect(one.take(says("ond\n"))).toEqual(["second"]);
    expect(one.live).toEqual([""]);
    expect(one.take(says("last"))).toEqual([]);
    expect(one.take(ended())).toEqual(["last"]);
    expect([one.live, one.take(ended())]).toEqual([[], []]);
  });

  test("has no sequence of a terminal in it, also where one comes in two pieces (I1)", () => {
    const one = fold();
    expect(all(one, says("a\u001b[2"), says("Jb\n"))).toEqual(["ab"]);
    expect(one.live.join()).not.toContain("\u001b");
  });

  test("is wrapped, with four of the lines that may still change", () => {
    const one = fold(10);
    expect(one.take(says("aaaaaaaa bbbbbbbb\n")).length).toBe(2);
    one.take(says("x".repeat(100)));
    expect(one.live.length).toBe(4);
    expect(all(fold(), says("a\tb\n"))).toEqual(["a    b"]);
  });

  test("ends a fence of its Markdown with its turn", () => {
    const one = fold();
    all(one, says("```\n- a"), ended());
    expect(all(one, says("- a\n"))).toEqual(["• a"]);
  });

  test("that is no text is named, behind what was said before", () => {
    const image = update("agent_message_chunk", { content: { type: "image", data: "", mimeType: "image/png" } });
    expect(all(fold(), says("a"), image, says("b\n"))).toEqual(["a", "(image)", "b"]);
  });
});

test("an update that was not read is told each time, behind what was said; one of an unknown kind once", () => {
  const lost = update("message_not_read", { why: "it is too long" });
  const words = "an update of the agent was not read, and what it said is missing: it is too long";
  const odd = update("weather_update");
  expect(all(fold(), says("a"), lost, lost, odd, odd)).toEqual([
    "a",
    words,
    words,
    "unsupported update: weather_update",
  ]);
});

describe("thoughts (I3)", () => {
  test("are folded to one line when something else is said, and can be read", () => {
    const one = fold();
    expect(all(one, thinks("one\ntwo\nthr"), thinks("ee"))).toEqual([]);
    expect(one.live.length).toBe(1);
    expect(one.live[0]).toContain("three");
    const [folded, ...rest] = one.take(says("said\n"));
    expect([folded?.includes("3 lines"), rest]).toEqual([true, ["said"]]);
    expect(one.lastThought).toEqual(["  one", "  two", "  three"]);
  });

  test("show the last whole line while none is open", () => {
    const one = fold();
    one.take(thinks("one\n"));
    expect(one.live[0]).toContain("one");
  });

  test("of the next time take the place of those before", () => {
    const one = fold();
    all(one, thinks("old"), says("x"), thinks("new"), ended());
    expect(one.lastThought).toEqual(["  new"]);
  });

  test("are shown as they come where that was asked for", () => {
    const one = fold();
    one.showsThoughts = true;
    expect(all(one, thinks("one\ntwo"), ended())).toEqual(["  one", "  two"]);
  });
});

describe("a prompt", () => {
  test("stands below what was still being said, each line marked, with what came along named", () => {
    const lines = all(
      fold(),
      says("a"),
      prompted(
        { type: "text", text: "do\nthis\u001b[31m" },
        { type: "resource_link", name: "x\u202e.ts", uri: "file:///x" },
        { type: "image", mimeType: "image/png", data: "" },
        { type: "resource", resource: { uri: "a", text: "b" } },
      ),
    );
    expect(lines).toEqual(["a", "", "❯ do", "  this", "  ↳ x\\u202e.ts", "  ↳ image/png", "  ↳ resource"]);
  });

  test.each([
    ["cancelled", ""],
    ["failed", "no\u001b[2J net"],
    ["max_tokens", ""],
  ])("that ends as %s says so", (outcome, why) => {
    const lines = all(fold(), ended(outcome, why));
    expect(lines.length).toBe(1);
    expect(lines[0]).toContain(outcome === "failed" ? "no net" : outcome);
  });
});

describe("a plan", () => {
  const entry = (content: string, status: string) => ({ content, status, priority: "medium" });
  const plan = update("plan", {
    entries: [entry("a\u202e", "completed"), entry("b", "in_progress"), entry("c", "pending"), entry("d", "odd")],
  });
  const lines = ["plan", "  ☑ a\\u202e", "  ◐ b", "  ☐ c", "  ☐ d"];

  test("stands below while the turn runs, and stays with its end, once", () => {
    const one = fold();
    expect(one.take(plan)).toEqual([]);
    expect(one.live).toEqual(lines);
    expect(one.take(ended())).toEqual(lines);
    expect([one.live, one.take(ended())]).toEqual([[], []]);
  });
});

describe("cards and questions", () => {
  const call = (status: string, rest: object = {}) =>
    update("tool_call", { toolCallId: "t", title: "T", status, ...rest });

  test("a call ends what was being said, and is below while it runs", () => {
    const one = fold();
    expect(all(one, says("a"), call("in_progress"))).toEqual(["a"]);
    expect(one.live.length).toBe(1);
    expect(one.take(call("completed"))).toEqual(["✓ T"]);
    expect(one.live).toEqual([]);
  });

  test("a call that was not ended is told of at the end of its turn", () => {
    const [line, ...rest] = all(fold(), call("in_progress"), ended());
    expect([line?.startsWith("◌ T"), rest]).toEqual([true, []]);
  });

  test("an edit that its question has shown is not shown again by its card", () => {
    const diff = { type: "diff", path: "/a", oldText: "1\n", newText: "2\n" };
    const shown = (events: ChatEvent[]) =>
      all(fold(), call("pending", { content: [diff] }), ...events, call("completed"));
    const asked: ChatEvent = {
      type: "asked",
      question: { ...QUESTION, diffs: [{ path: "/a", oldText: "1\n", newText: "2\n" }] },
    };
    expect(shown([]).filter((line) => line.includes("+ 2")).length).toBe(1);
    expect(shown([asked]).filter((line) => line.includes("+ 2")).length).toBe(1);
  });

  test("a question and its answer stay", () => {
    const lines = all(
      fold(),
      says("a"),
      { type: "asked", question: QUESTION },
      { type: "answered", question: QUESTION, option: "no" },
    );
    expect([lines[0], lines[1], lines.at(-1)]).toEqual(["a", "? Write\\u202e it?", "  ● Reject"]);
  });
});

test("an agent that is gone is told of with what was cut off, and what became of its prompt", () => {
  const lost = (isUnknown: boolean, why: string): string[] => all(fold(), says("a"), { type: "lost", why, isUnknown });
  expect(lost(false, "").length).toBe(2);
  const [said, gone, ...rest] = lost(true, "ex\u001b[2Jit 1");
  expect([said, gone?.includes("exit 1"), rest.length]).toEqual(["a", true, 1]);
});

test("only a conversation that another agent takes up is told of", () => {
  expect(all(fold(), { type: "opened", by: "new" })).toEqual([]);
  expect(all(fold(), { type: "opened", by: "load" }).length).toBe(1);
});

test("what Troupe says is shown in one line or more, safe", () => {
  expect(all(fold(), { type: "notice", message: "a\u001b[2Jb" })).toEqual(["ab"]);
  expect(all(fold(), { type: "view only", why: "a\nb" })[0]).toContain("a b");
  expect(all(fold(), { type: "state" })).toEqual([]);
  expect(all(fold(), update("notice", { title: "a\nb" }))).toEqual(["a b"]);
});

test("an update that is not known is told of once for each kind; what a face shows elsewhere, never", () => {
  const one = fold();
  const lines = all(one, update("odd\u202e"), update("odd\u202e"), update("other"));
  expect(lines).toEqual([expect.stringContaining("odd\\u202e"), expect.stringContaining("other")]);
  for (const kind of ["user_message_chunk", "available_commands_update", "current_mode_update", "usage_update"])
    expect(one.take(update(kind, { content: { type: "text", text: "x" } }))).toEqual([]);
});
