import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeWireName, encodeWireName } from "../../../machines/prompt/wire-name.ts";

describe("wire names", () => {
  test.each([
    ["review", "review"],
    ["speckit/specify", "speckit:specify"],
    ["a/b/c", "a:b%2Fc"],
    ["odd:name", "odd%3Aname"],
    ["50%/größe", "50%25:gr%C3%B6%C3%9Fe"],
  ])("%s is %s", (name, wire) => {
    expect(encodeWireName(name)).toBe(wire);
    expect(decodeWireName(wire)).toBe(name);
  });

  test("I1: every well-formed name survives the way there and back", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (name) => decodeWireName(encodeWireName(name)) === name));
  });

  test("I1: a wire name is one word that a slash command can hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => !/[\s"'\\/]/.test(encodeWireName(name).replaceAll("'", ""))),
    );
  });

  test("the canonical form is taken as it is", () => expect(decodeWireName("pack/name")).toBe("pack/name"));

  test.each(["a%2Fb", "a%2Fb:c", "%", "%zz", "a:%E0%A4"])("%s is no name", (wire) => {
    expect(decodeWireName(wire)).toBe(null);
  });
});
