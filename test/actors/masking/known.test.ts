/** Covers I1 to I3 of `known.ts`. */
import { describe, expect, it } from "vitest";
import { KEPT } from "../../../actors/masking/finder.ts";
import { Known, MAX_SECRET, type Owner } from "../../../actors/masking/known.ts";
import { formsOf } from "../../../actors/masking/patterns.ts";
import type { Json } from "../../../machines/model.ts";

const LONG = "hunter2-and-more";
const knowing = (...values: [string, Json][]): Known => {
  const known = new Known();
  for (const [name, value] of values) known.learn(name, value);
  return known;
};
const ownersIn = (known: Known): Owner[] => {
  const owners: Owner[] = [];
  for (let at = 0; ; at++) {
    const owner: Owner | undefined = known.owner(at);
    if (owner === undefined) return owners;
    owners.push(owner);
  }
};

describe("what is learned", () => {
  it.each<[string, Json]>([
    ["nothing", null],
    ["a truth", true],
    ["a list", [LONG]],
    ["an empty text", ""],
  ])("%s is no secret", (_, value) => {
    const known = knowing(["a", value]);
    expect([known.finder, known.words, known.hasShort, known.valueOf("a")]).toEqual([null, null, false, undefined]);
  });

  it("a long value is looked for in every text, a short one as a word, without the space around it", () => {
    const long = knowing(["a", LONG]);
    expect([long.hasShort, long.isSought("a"), long.words]).toEqual([false, true, null]);
    expect(long.finder?.scan(`is ${LONG}.`).hits).toHaveLength(1);
    const short = knowing(["a", " ab "]);
    expect(short.words?.masked("is ab, no table")).toBe("is ***, no table");
    expect([short.hasShort, short.isSought("a"), short.finder]).toEqual([true, false, null]);
  });

  it("a value is looked for once, under the name that it was learned by first (I1)", () => {
    const known = knowing(["a", LONG]);
    const { finder } = known;
    const owners = ownersIn(known);
    known.learn("b", LONG);
    known.learn("a", LONG);
    expect([known.nameOf(LONG), known.valueOf("b"), known.isSought("b")]).toEqual(["a", LONG, true]);
    expect(ownersIn(known)).toEqual(owners);
    expect(known.finder).toBe(finder); // nothing is built anew (I3)
  });

  it("a name that gets another value keeps its first one, and the other has a name of its own (I2)", () => {
    const known = knowing(["a", LONG], ["a", "ab"], ["a", LONG], ["a", "ab"], ["a", "cd"]);
    expect([known.valueOf("a"), known.isSought("a"), known.nameOf("ab")]).toEqual([LONG, true, "a#value 2"]);
    expect(["a#value 2", "a#value 3", "a#value 4"].map((name) => known.valueOf(name))).toEqual(["ab", "cd", LONG]);
    expect(known.formOf({ name: "a#value 2", form: 0 })).toBe("ab");
  });

  it("a name whose value is corrected has the forms of that one", () => {
    const known = knowing(["a", LONG]);
    known.relearn("a", "");
    known.relearn("a", "ab");
    expect([known.valueOf("a"), known.isSought("a"), known.formOf({ name: "a", form: 0 })]).toEqual([
      "ab",
      false,
      "ab",
    ]);
    known.learn("b", "another-long-one");
    expect(known.finder?.scan("another-long-one").hits).toHaveLength(1);
  });

  it("of a value that is very long the beginning is looked for", () => {
    const known = knowing(["a", "x".repeat(MAX_SECRET + 10)]);
    expect(known.formOf({ name: "a", form: 0 })).toHaveLength(MAX_SECRET);
    expect(known.valueOf("a")).toHaveLength(MAX_SECRET + 10);
  });

  it("what programs break into lines is looked for without its first units as well, and nothing else is", () => {
    const forms = formsOf(LONG);
    const cut = ownersIn(knowing(["a", LONG])).filter((owner) => owner.cut > 0);
    const wrapping = forms.flatMap(({ text, wraps }, form) =>
      wraps && text.length > 2 * KEPT - 1 ? [{ name: "a", form, cut: KEPT - 1 }] : [],
    );
    expect(cut).toEqual(wrapping);
    expect(cut.length).toBeLessThan(forms.length);
  });
});

describe("what is known", () => {
  it("a number is one from six digits on, and as a whole", () => {
    const known = knowing(["six", "123456"], ["seven", 1234567], ["five", "12345"], ["one", 7]);
    expect([123456, 1234567, 12345, 7, 654321].map((number) => known.nameOfNumber(number))).toEqual([
      "six",
      "seven",
      ...[undefined, undefined, undefined],
    ]);
  });

  it("a form has its place; a short value has itself alone", () => {
    const known = knowing(["a", LONG], ["b", "ab"]);
    expect(known.formOf({ name: "a", form: 0 })).toBe(LONG);
    expect(known.formOf({ name: "a", form: 1 })).toBe(formsOf(LONG)[1]?.text);
    expect(known.formOf({ name: "a", form: 999 })).toBeUndefined();
    expect(known.formOf({ name: "b", form: 0 })).toBe("ab");
    expect(known.formOf({ name: "b", form: 1 })).toBeUndefined();
    expect(known.formOf({ name: "c", form: 0 })).toBeUndefined();
  });
});
