/** What stands in brackets and behind a value: the whole tree of each, and each fault with its place. */
import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../../machines/workflow/expression/parse.ts";
import { MAX_DEPTH } from "../../../../machines/workflow/expression/syntax.ts";
import { read } from "./reading.ts";

const range = (start: number, end: number) => ({ start, end });
const name = (text: string, start: number) => ({
  kind: "name",
  name: text,
  range: range(start, start + text.length),
});
const number = (value: number, start: number) => ({ kind: "literal", value, range: range(start, start + 1) });
/** Each fault as message, text and suggestion. */
const faults = (source: string): unknown => {
  const parsed = parseExpression(source);
  if (parsed.ok) return "none";
  return parsed.faults.map((fault) => [
    fault.message,
    source.slice(fault.range.start, fault.range.end),
    fault.suggestion,
  ]);
};

describe("trees", () => {
  test("a map: keys that are words, texts and numbers, in their order", () => {
    expect(read("{a: b, 'c d': 2, 0x10: 3,}")).toEqual({
      kind: "map",
      entries: [
        { key: "a", value: name("b", 4) },
        { key: "c d", value: number(2, 14) },
        { key: "16", value: number(3, 23) },
      ],
      range: range(0, 26),
    });
    expect(read("{}")).toEqual({ kind: "map", entries: [], range: range(0, 2) });
  });

  test("a list, and the arguments of a call", () => {
    expect(read("[a, 2,]")).toEqual({ kind: "array", items: [name("a", 1), number(2, 4)], range: range(0, 7) });
    expect(read("[]")).toEqual({ kind: "array", items: [], range: range(0, 2) });
    expect(read(" split(a, b)")).toEqual({
      kind: "call",
      name: "split",
      arguments: [name("a", 7), name("b", 10)],
      range: range(1, 12),
    });
    expect(read("a | split(b)")).toEqual({
      kind: "call",
      name: "split",
      arguments: [name("a", 0), name("b", 10)],
      range: range(0, 12),
    });
  });

  test("members and indexes, optional or not", () => {
    const member = (object: unknown, of: string, optional: boolean, end: number) => ({
      kind: "member",
      object,
      name: of,
      optional,
      range: range(0, end),
    });
    const index = (object: unknown, at: unknown, optional: boolean, end: number) => ({
      kind: "index",
      object,
      index: at,
      optional,
      range: range(0, end),
    });
    expect(read("a.b?.c")).toEqual(member(member(name("a", 0), "b", false, 3), "c", true, 6));
    expect(read("a[b]?.[1]")).toEqual(index(index(name("a", 0), name("b", 2), false, 4), number(1, 7), true, 9));
    expect(read("a.not")).toEqual(member(name("a", 0), "not", false, 5));
    expect(read("a[b + 1]")).toEqual(
      index(
        name("a", 0),
        { kind: "binary", operator: "+", left: name("b", 2), right: number(1, 6), range: range(2, 7) },
        false,
        8,
      ),
    );
    expect(faults("[a ? 1 : 2, {b: a ? 1 : 2}, c[a ? 1 : 2], d[a ? 1 : 2:a ? 1 : 2], string(a ? 1 : 2)]")).toBe("none");
  });

  test("slices, with each bound left out", () => {
    const slice = (from: unknown, to: unknown, end: number) => ({
      kind: "slice",
      object: name("a", 0),
      from,
      to,
      range: range(0, end),
    });
    expect(read("a[1:b]")).toEqual(slice(number(1, 2), name("b", 4), 6));
    expect(read("a[1:]")).toEqual(slice(number(1, 2), null, 5));
    expect(read("a[:2]")).toEqual(slice(null, number(2, 3), 5));
    expect(read("a[:]")).toEqual(slice(null, null, 4));
  });
});

describe("faults", () => {
  test("of maps, lists and calls: what was expected instead", () => {
    expect(faults("{a: 1 b: 2}")).toEqual([['expected "}" to close "{", found "b"', "b", undefined]]);
    expect(faults("{a 1}")).toEqual([['expected ":" after the key, found "1"', "1", undefined]]);
    expect(faults("{[1]: 2}")).toEqual([['expected a key or "}", found "["', "[", undefined]]);
    expect(faults("{")).toEqual([['expected a key or "}", found the end', "", undefined]]);
    expect(faults("[1 2]")).toEqual([['expected "]" to close "[", found "2"', "2", undefined]]);
    expect(faults("len(a b)")).toEqual([['expected ")" to close "len(", found "b"', "b", undefined]]);
    expect(faults("a | split(b c)")).toEqual([['expected ")" to close "split(", found "c"', "c", undefined]]);
    expect(faults("a[1 2]")).toEqual([['expected "]" to close "[", found "2"', "2", undefined]]);
    expect(faults("a[1:2 3]")).toEqual([['expected "]" to close "[", found "3"', "3", undefined]]);
    expect(faults("a[]")).toEqual([['expected a value, found "]"', "]", undefined]]);
  });

  test("of members: a name is expected, and a number is an index", () => {
    expect(faults("a.'b'")).toEqual([["expected a member's name after \".\", found the string 'b'", "'b'", undefined]]);
    expect(faults("a?.'b'")).toEqual([
      ["expected a member's name after \"?.\", found the string 'b'", "'b'", undefined],
    ]);
    expect(faults("a?. 7")).toEqual([['expected a member\'s name after "?.", found "7"', "7", "[7]"]]);
  });

  test("of what is called: only the name of a function, and what is meant where there is one", () => {
    const message = "only a function's name can be called: write name(value), not value.name() or (value)()";
    expect(faults("a.b.lower()")).toEqual([[message, "(", "lower(a.b, …)"]]);
    expect(faults("a.low()")).toEqual([[message, "(", undefined]]);
    expect(faults("(a)(1)")).toEqual([[message, "(", undefined]]);
    expect(faults("a[0](1)")).toEqual([[message, "(", undefined]]);
  });

  test("of arguments stand at the name, and come with those of the values", () => {
    expect(faults("lower(a, uper(b), len())")).toEqual([
      ["lower() takes 1 argument, got 3: lower(text)", "lower", undefined],
      ['unknown function "uper": did you mean "upper"?', "uper", "upper"],
      ["len() takes 1 argument, got 0: len(text or array or map)", "len", undefined],
    ]);
    expect(faults("a | lower(1)")).toEqual([["lower() takes 1 argument, got 2: lower(text)", "lower", undefined]]);
  });
});

test.each([
  ["maps", "{a: ", "1", "}"],
  ["lists", "[", "1", "]"],
  ["arguments", "lower(", "a", ")"],
  ["indexes", "a[", "1", "]"],
  ["ends of slices", "a[:", "1", "]"],
  ["beginnings of slices", "a[", "1", ":]"],
  ["both", "a[1:", "1", "]"],
])("%s nest as deep as is allowed, and no deeper", (_, open, inner, close) => {
  const nested = (levels: number): string => open.repeat(levels) + inner + close.repeat(levels);
  const message = `the expression is nested more than ${MAX_DEPTH} levels deep`;
  expect(faults(nested(MAX_DEPTH - 1))).toBe("none");
  expect(faults(nested(MAX_DEPTH))).toEqual([[message, nested(MAX_DEPTH), undefined]]);
  expect(faults(nested(MAX_DEPTH + 1))).toEqual([[message, inner, undefined]]);
});

test("a chain of members, indexes or slices is as high as its length", () => {
  const message = `the expression is nested more than ${MAX_DEPTH} levels deep`;
  for (const [link, part] of [
    [".b", ".b"],
    ["[0]", "[0]"],
    ["[1:2]", "[1:2]"],
  ] as const) {
    expect(faults(`a${link.repeat(MAX_DEPTH - 1)}`)).toBe("none");
    expect(faults(`a${part.repeat(MAX_DEPTH + 3)}`)).toEqual([[message, `a${part.repeat(MAX_DEPTH)}`, undefined]]);
  }
});
