/** Covers `tool-names.ts`. */
import { expect, test } from "vitest";
import { namedApart } from "../../../actors/agents/tool-names.ts";

const of = (server: string, tool: string) => ({ name: `${server}__${tool}`, title: `${server}: ${tool}` });
const named = (...tools: { name: string; title: string }[]): [string, string][] =>
  namedApart(tools).map(({ title, name }) => [title, name]);

test("a tool's name is its own, with what a model cannot write left out", () => {
  const long = "x".repeat(70);
  expect(named({ name: "Read", title: "Read" }, of("s", "a.b"), of("s", long))).toEqual([
    ["Read", "Read"],
    ["s: a.b", "s__a_b"],
    [`s: ${long}`, "x".repeat(64)],
  ]);
});

test("two tools never have one name, and have the same ones in any order (I1)", () => {
  const long = "y".repeat(64);
  const tools = [
    ...[of("s", "a.b"), of("s", "a_b"), of("s", "a b"), of("s", "other")],
    ...[of("s", `1${long}`), of("s", `2${long}`)],
    ...[of("x", "y__z"), of("x__y", "z")],
  ];
  const names = named(...tools);
  expect(new Set(names.map(([, name]) => name)).size).toBe(tools.length);
  for (const [, name] of names) expect(name).toMatch(/^[\w-]{1,64}$/);
  expect(Object.fromEntries(names)).toMatchObject({
    "s: other": "s__other",
    "s: a.b": expect.stringMatching(/^s__a_b_/),
  });
  expect(Object.fromEntries(named(...tools.toReversed()))).toEqual(Object.fromEntries(names));
});

test("a tool that a server lists twice is offered once", () => {
  expect(named(of("s", "a"), of("s", "a"))).toEqual([["s: a", "s__a"]]);
});
