import { beforeEach, describe, expect, test } from "vitest";
import { ChatCards } from "../../../projections/chat/cards.ts";
import { type ToldCall, toldOf } from "../../../projections/chat/told.ts";

function call(rest: object, toolCallId = "t"): ToldCall {
  const told = toldOf({ sessionUpdate: "tool_call_update", toolCallId, ...rest });
  if (told.type !== "call") throw new Error(`it is no call: ${JSON.stringify(rest)}`);
  return told.call;
}
const text = (value: string) => ({ type: "content", content: { type: "text", text: value } });
const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n");

let cards: ChatCards;
beforeEach(() => {
  cards = new ChatCards(false);
});
/** What a call shows that ends at once. */
const ends = (rest: object): string[] => cards.take(call({ title: "T", status: "completed", ...rest }));

test("a card is one line while it runs, made of what was told last of each field", () => {
  expect(cards.take(call({ title: "first", kind: "read", status: "pending" }))).toEqual([]);
  cards.take(call({ title: "sec\u001b[2Jond\nline" }));
  cards.take(call({ kind: "execute", title: "" }));
  cards.take(call({}, "other"));
  expect(cards.running).toEqual(["◐ second line execute", "◐ a tool "]);
});

test.each([
  ["completed", "✓"],
  ["failed", "✗"],
])("a card that is %s is there no more, and is shown once", (status, mark) => {
  cards.take(call({ title: "T" }));
  expect(cards.take(call({ status, content: [text("done\n\n")] }))).toEqual([`${mark} T`, "  │ done"]);
  expect([cards.running, cards.cut()]).toEqual([[], []]);
});

test("a line of any length is cut", () => {
  const long = "x".repeat(100_000);
  const cut = `${"x".repeat(499)}…`;
  cards.take(call({ title: long }));
  expect(cards.running).toEqual([`◐ ${cut} `]);
  expect(cards.take(call({ status: "completed", content: [text(`a\n${long}`)] }))).toEqual([
    `✓ ${cut}`,
    "  │ a",
    `  │ ${cut}`,
  ]);
});

test("those that are open are cut off with their turn, once", () => {
  cards.take(call({ title: "A" }));
  cards.take(call({ title: "B" }, "b"));
  expect(cards.cut().map((line) => line.slice(0, 3))).toEqual(["◌ A", "◌ B"]);
  expect([cards.running, cards.cut()]).toEqual([[], []]);
});

describe("an output", () => {
  test("is shown by its last lines, with how many stand above", () => {
    expect(ends({ content: [text(numbered(6))] }).length).toBe(1 + 6);
    const lines = ends({ content: [text(numbered(7))] });
    expect(lines.slice(0, 3)).toEqual(["✓ T", "  │ … 1 line above", "  │ line 1"]);
    expect(lines.at(-1)).toBe("  │ line 6");
  });

  test("stands without the fence that is around it, and with one that is part of it", () => {
    expect(ends({ content: [text("```sh\na\n```")] })).toEqual(["✓ T", "  │ a"]);
    expect(ends({ content: [text("```sh\na")] })).toEqual(["✓ T", "  │ ```sh", "  │ a"]);
    expect(ends({ content: [text("a\n```")] })).toEqual(["✓ T", "  │ a", "  │ ```"]);
  });

  test("of nothing has no line; what is no text is named; a terminal of the editor's is left out", () => {
    expect(ends({ content: [text("")] })).toEqual(["✓ T"]);
    expect(ends({ content: [{ type: "content", content: { type: "image" } }] })).toEqual(["✓ T", "  │ (image)"]);
    expect(ends({ content: [{ type: "terminal", terminalId: "x" }] })).toEqual(["✓ T"]);
  });

  test("that comes beside the content is gathered, and shown where there is no content", () => {
    const beside = (data: unknown) => ({ _meta: { terminal_output_delta: { data } } });
    cards.take(call({ title: "T", ...beside("a\u001b[2J") }));
    cards.take(call(beside("b\n")));
    cards.take(call(beside(7)));
    expect(cards.take(call({ status: "completed" }))).toEqual(["✓ T", "  │ ab"]);
    cards.take(call({ title: "T", ...beside("a") }));
    expect(cards.take(call({ status: "completed", content: [text("b")] }))).toEqual(["✓ T", "  │ b"]);
  });

  test("that comes beside the content is kept by its end alone", () => {
    const data = `${"x\n".repeat(8_000)}end`;
    expect(ends({ _meta: { terminal_output_delta: { data } } }).slice(1, 2)).toEqual(["  │ … 3994 lines above"]);
  });
});

describe("an edit", () => {
  const diff = (lines: number) => ({ type: "diff", path: "/a", oldText: null, newText: numbered(lines) });

  test("is shown whole up to a number of lines, and then counted", () => {
    expect(ends({ content: [diff(39)] }).length).toBe(1 + 40);
    const lines = ends({ content: [diff(45)] });
    expect([lines.length, lines.at(-1)]).toEqual([1 + 40 + 1, "  │ … 6 more lines"]);
  });

  test("that a question has shown is named alone; one of another file is shown", () => {
    cards.take(call({ title: "T", content: [diff(3)] }));
    cards.take(call({ title: "O", content: [{ ...diff(3), path: "/b" }] }, "o"));
    cards.asked([{ path: "/a", newText: "" }]);
    expect(cards.take(call({ status: "completed" })).length).toBe(1 + 1);
    expect(cards.take(call({ status: "completed" }, "o")).length).toBe(1 + 4);
  });
});
