import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lines } from "../../../actors/base/lines.ts";

function read(pieces: readonly string[], max?: number): string[] {
  const heard: string[] = [];
  const reader = lines({
    onLine: (line) => heard.push(line),
    onTooLong: (head) => heard.push(`<too long: ${head}>`),
    ...(max === undefined ? {} : { max }),
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return heard;
}

describe("lines", () => {
  it("come in order, however the text is cut (I1)", () => {
    const line = fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text) && text.trim() !== "");
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.nat({ max: 400 })),
        fc.constantFrom("\n", "\r\n"),
        (all, cuts, newline) => {
          const text = all.map((one) => one + newline).join("");
          const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((to, index) => text.slice(places[index], to));
          expect(read(pieces)).toEqual(all);
        },
      ),
    );
  });

  it("have no empty one among them, and a last one without a newline", () => {
    expect(read(["a\n\n  \nb", "c"])).toEqual(["a", "bc"]);
    expect(read([])).toEqual([]);
  });

  it("have no byte order mark before the first; elsewhere it stays (I2)", () => {
    expect(read(["\ufeff", "a\n\ufeffb\n"])).toEqual(["a", "\ufeffb"]);
    expect(read(["\ufeff\n"])).toEqual([]);
  });

  it("drop one that is too long, report it once, and continue after it (I3)", () => {
    expect(read(["ab", "cde", "fgh\nok\n123456\n", "12345"], 5)).toEqual([
      "<too long: abcdefgh>",
      "ok",
      "<too long: 123456>",
      "12345",
    ]);
  });
});
