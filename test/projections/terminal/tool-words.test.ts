/** Covers `tool-words.ts`. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { paint } from "../../../projections/terminal/paint.ts";
import { diffLine, noticeLine, retryLine, toldLines } from "../../../projections/terminal/tool-words.ts";

const plain = paint(false);
const diff = (oldText: string | null, newText: string, path = "a") => diffLine({ path, oldText, newText });

test("a retry says what failed and when it is tried again", () => {
  const retry = { name: "s", attempt: 2, reason: { code: "E", message: "it\u202e broke" } };
  expect(retryLine({ ...retry, delayMs: 0 })).toBe("↻ attempt 2 failed: it\\u202e broke; again now");
  expect(retryLine({ ...retry, delayMs: 1_500 })).toMatch(/^↻ attempt 2 failed: it\\u202e broke; again in 1\.5s$/);
});

test.each([
  ["info", "· m\\u202e", "\u001b[2m"],
  ["warning", "! m\\u202e", "\u001b[33m"],
  ["error", "! m\\u202e", "\u001b[31m"],
] as const)("a notice: %s", (severity, text, colour) => {
  const notice = { severity, message: "m\u202e" };
  expect([noticeLine(notice, plain), noticeLine(notice, paint(true)).startsWith(colour)]).toEqual([text, true]);
});

test("what a person said to a step is a line; a prompt is none", () => {
  const row = (payload: object) => ({ type: "message.user", step: "s", payload }) as never;
  expect(toldLines(row({ turn: "t", blocks: [] }), plain)).toEqual([]);
  const [told = "", ...more] = toldLines(
    row({ tell: "t", reach: "now", blocks: [{ type: "text", text: "faster\u202e" }] }),
    plain,
  );
  expect([told.includes("faster\\u202e"), more]).toEqual([true, []]);
});

test("a diff counts the lines that came and went", () => {
  expect(diff(null, "1\n2\n")).toBe("± a (new, +2)");
  expect(diff(null, "")).toBe("± a (new, +0)");
  expect(diff("1\n2\n", "1\n3\n4\n")).toBe("± a (+2 -1)");
  expect(diff("1\n2\n", "2\n1\n")).toBe("± a (+0)"); // a line that moved
  expect(diff("1\n1\n", "1\n")).toBe("± a (+0 -1)");
  expect(diff("1\n", "1\n1\n")).toBe("± a (+1)");
  expect(diff("", "x")).toBe("± a (+1)");
  expect(diff("x", "", "b\u202e")).toBe("± b\\u202e (+0 -1)");
});

test("of a diff, the lines after are those before, less those that went, and those that came", () => {
  const lines = fc.array(fc.constantFrom("a", "b"), { maxLength: 5 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const [, added = "0", removed = "0"] =
        /\(\+(\d+)(?: -(\d+))?\)/.exec(diff(before.join("\n"), after.join("\n"))) ?? [];
      expect(before.length - Number(removed) + Number(added)).toBe(after.length);
    }),
  );
});
