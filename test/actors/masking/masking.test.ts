/** A masked stream, and every form of a secret. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPEN } from "../../../actors/masking/mark.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { cut, masking, text } from "./streams.ts";
import { disguises, SECRETS, spellings } from "./support.ts";

describe("a masked stream", () => {
  const sample = Object.values(SECRETS)
    .map((value) => `before ${value} between ${spellings(value).join(" | ")} after`)
    .join("\n");

  it("I1 T13 is the same for 145 sizes of chunk, and holds no secret in any of them", () => {
    const mask = masking();
    const whole = mask.text(sample);
    for (const value of Object.values(SECRETS)) expect(whole).not.toContain(value);
    for (let size = 1; size <= 145; size++) expect([size, cut(mask, sample, [size])]).toEqual([size, whole]);
  });

  it("I1 T13 is the same wherever the text is cut in two", () => {
    const mask = masking();
    const short = `a ${SECRETS.plain} b abababababab c ${JSON.stringify(SECRETS.odd)}`;
    const whole = mask.text(short);
    for (let at = 0; at <= short.length; at++) {
      const stream = mask.stream();
      expect([at, stream.push(short.slice(0, at)) + stream.push(short.slice(at)) + stream.end()]).toEqual([at, whole]);
    }
  });

  it("I1 is the same for any text in any pieces", () => {
    const mask = masking();
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { minLength: 1 }), (whole, sizes) => {
        expect(cut(mask, whole, sizes)).toBe(mask.text(whole));
      }),
      { numRuns: 2_000 },
    );
  });

  it("I2 holds back only what may become a secret", () => {
    const stream = masking().stream();
    expect([stream.push("hello sk-can"), stream.push("dy "), stream.push(SECRETS.plain), stream.end()]).toEqual([
      "hello ",
      "sk-candy ",
      "***",
      "",
    ]);
  });

  it("I3 shows less than half of a secret at the end, and masks more", () => {
    expect(masking().text("sk-can")).toBe("sk-can");
    expect(masking().text("so sk-canary-0123456789")).toBe("so ***");
  });

  it("continues when a secret is learned in the middle of a text", () => {
    const mask = new Masking();
    const stream = mask.stream();
    const first = stream.push("a later-se");
    mask.learn("input/r/key", "later-secret");
    expect([first, stream.push("cret later-secret"), stream.end()]).toEqual(["a later-se", "cret ***", ""]);
  });

  it("never holds a flood of one pattern back", () => {
    const stream = new Masking([["env/A", "aaaaaaaa"]]).stream();
    const outs = Array.from({ length: 1_000 }, () => stream.push("aaa"));
    expect(outs.join("") + stream.push("b") + stream.end()).toBe("***b");
  });
});

const COLOUR = new RegExp(`${"\u001b"}\\[[\\d;]*[mK]`, "g");

describe("every form of a secret", () => {
  it.each(Object.entries(SECRETS))("T13 %s", (_, value) => {
    const mask = new Masking([["env/S", value]]);
    for (const one of spellings(value)) {
      const shown = mask.text(`<${one}>`);
      expect(shown).toContain("***");
      // Quotes, and of base64 the characters that it shares with its neighbours.
      expect(shown.replaceAll("***", "").length).toBeLessThanOrEqual("<>".length + 6);
    }
  });

  const disguised = "S3cret'\"/<é&ü>-\\7f=+ k9Zq2";
  it.each(Object.entries(disguises(disguised)))("T13 %s", (name, one) => {
    const mask = new Masking([["env/S", disguised]]);
    const shown = mask.text(`<${one}>`);
    expect(shown).toContain("***");
    // What base64 shares with its neighbours, its first units before a line end, quotes, and colours at the edges.
    const rest = shown.replaceAll("***", "").replaceAll(COLOUR, "");
    expect([name, rest.length <= "<dXNlcj".length + "=AB\r\n".length + 4]).toEqual([name, true]);
    const state = { states: { a: { Output: `<${one}>` } } };
    const json = mask.hide(state);
    expect(mask.reveal(json)).toEqual(state);
    expect(json).toContain(OPEN);
  });
  it("T13 leaves lines alone that only begin or end like base64 of one", () => {
    const text = "c3Mt\nc2st\nk7 36\n\u001b[1mdone\u001b[0m\n";
    const stream = masking().stream();
    expect(stream.push(text) + stream.end()).toBe(text);
  });
  it("T13 holds no line back that ends with the first letters of one", () => {
    const stream = new Masking([["env/S", "k9Zq2-long-value"]]).stream();
    expect(stream.push("press a k\n")).toBe("press a k\n");
  });

  it("T13 each line of a value of several lines, also when other text stands between", () => {
    const lines = SECRETS.key.split("\n").filter((line) => line !== "");
    expect(masking().text(lines.map((line) => `key| ${line}\n`).join(""))).toBe("key| ***\n".repeat(lines.length));
  });
});
