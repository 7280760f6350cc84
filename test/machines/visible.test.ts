import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { visible, visibleJson, visibleLine } from "../../machines/visible.ts";

describe("visible", () => {
  it.each([
    ["turned writing", "a\u202eb\u2066c\u2069\u200e\u061c", "a\\u202eb\\u2066c\\u2069\\u200e\\u061c"],
    ["no width", "a\u200bb\u200cc\u200dd\u2060\ufeff\u00ad", "a\\u200bb\\u200cc\\u200dd\\u2060\\ufeff\\u00ad"],
    ["looks like nothing", "\u3164\u2800\u115f", "\\u3164\\u2800\\u115f"],
    ["tags, and variants that carry data", "a\u{e0041}\u{e0100}\ufe0f", "a\\u{e0041}\\u{e0100}\\ufe0f"],
    ["controls", "a\u0000\u001b[2J\r\u009b", "a\\u0000\\u001b[2J\\u000d\\u009b"],
    ["ends of line and paragraph", "a\u2028b\u2029", "a\\u2028b\\u2029"],
    ["I1 lines, tabs and letters stay", "a\n\tb é 漢 \u00a0", "a\n\tb é 漢 \u00a0"],
    ["I2 an emoji of parts stays", "👩‍💻 ❤️‍🔥 👩🏽‍⚕️ 1️⃣", "👩‍💻 ❤️‍🔥 👩🏽‍⚕️ 1️⃣"],
    ["I2 joiners inside of words stay", "می‌خواهم ක්‍ර", "می‌خواهم ක්‍ර"],
    ["a joiner that joins nothing", "👩\u200d\u200d💻 \u200c", "👩\\u200d\\u200d💻 \\u200c"],
  ])("%s", (_, text, shown) => expect(visible(text)).toBe(shown));

  test("of the first characters, those that no control is are left as they are, beside any other (I1)", () => {
    const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code));
    const isSeen = (one: string): boolean => one === "\n" || one === "\t" || (one >= " " && one < "\u007f");
    expect(all.filter((one) => visible(one) === one)).toEqual(all.filter(isSeen));
    expect(all.filter((one) => visible(`é${one}`) === `é${one}`)).toEqual(all.filter(isSeen));
  });

  test("a line has one space in place of any white space", () => {
    expect(visibleLine(" a\r\n\t b\u3000c\u202e\v")).toBe("a b c\\u202e");
  });

  test("JSON keeps its value", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("\u202e", "\u{e0041}", "\u007f", "\u200b", "x", "👩‍💻") }),
        (text) => {
          const json = visibleJson(JSON.stringify({ text }));
          expect(JSON.parse(json)).toEqual({ text });
          expect(json).not.toMatch(/[\u202e\u{e0041}\u007f\u200b]/u);
        },
      ),
    );
  });
});
