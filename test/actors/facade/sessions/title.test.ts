import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TITLE_CHARS, titleOf } from "../../../../actors/facade/sessions/title.ts";
import { Masking, NO_MASKING } from "../../../../actors/masking/masking.ts";
import type { Block } from "../../../../machines/exchange.ts";
import { visible } from "../../../../machines/visible.ts";

const text = (words: string): Block => ({ type: "text", text: words });

test.each<[string, Block[], string]>([
  ["a command", [text("/review pr=3")], "/review pr=3"],
  ["several lines and blocks", [text(" /review\n\tthis "), text("one")], "/review this one"],
  ["what stands before a command", [text("Sharing a.ts"), text("/review this")], "/review this Sharing a.ts"],
  ["a link alone", [{ type: "resource_link", uri: "file:///a", name: "a.ts" }], "a.ts"],
  [
    "control characters and turned writing",
    [text("a\u0000\u001b[31mb\u202ec\u2066d")],
    "a\\u0000\\u001b[31mb\\u202ec\\u2066d",
  ],
  ["no words", [text("  \n")], ""],
  ["nothing", [], ""],
])("%s", (_, blocks, title) => {
  expect(titleOf(blocks, NO_MASKING)).toBe(title);
});

test("a secret is hidden wherever the cut is", () => {
  const secret = "correct horse\nbattery staple";
  const mask = new Masking([["token", secret]]);
  for (let before = 0; before < MAX_TITLE_CHARS + 5; before++) {
    const title = titleOf([text(`${"x".repeat(before)} ${secret} and on`)], mask);
    expect(title).not.toMatch(/corr|horse|batt/);
  }
});

test("is one line of a bounded number of whole characters, whatever the prompt", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (words) => {
      const title = titleOf([text(words)], NO_MASKING);
      expect([...title].length).toBeLessThanOrEqual(MAX_TITLE_CHARS);
      expect(title).not.toMatch(/[\n\r\u2028\u2029]|\p{Cc}/u);
      expect(title).toBe(title.trim());
      expect(visible(words).includes(title.replace(/…$/, "").split(" ")[0] ?? "")).toBe(true);
    }),
  );
});
