import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../../machines/workflow/expression/parse.ts";
import { printExpression } from "../../../../machines/workflow/expression/print.ts";
import { BINARY_POWER, type BinaryOperator, type Expression } from "../../../../machines/workflow/expression/syntax.ts";
import { read } from "./reading.ts";

const range = { start: 0, end: 0 };
const name = fc.constantFrom("inputs", "states", "loop", "été", "$x", "constructor", "__proto__");
const member = fc.oneof(name, fc.constantFrom("not", "in", "true", "matches"));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const part = tie("expression");
  const pattern = fc.constant<Expression>({ kind: "literal", value: "a+", range });
  return {
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record<Expression & { kind: "literal" }>({
        kind: fc.constant("literal"),
        value: fc.oneof(
          fc.constantFrom(null, true, false),
          fc.nat(),
          fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
          fc.string({ unit: "binary" }),
        ),
        range: fc.constant(range),
      }),
      name.map<Expression>((value) => ({ kind: "name", name: value, range })),
      fc.array(part, { maxLength: 3 }).map<Expression>((items) => ({ kind: "array", items, range })),
      fc
        .array(fc.record({ key: fc.oneof(member, fc.string()), value: part }), { maxLength: 3 })
        .map<Expression>((entries) => ({ kind: "map", entries, range })),
      fc
        .tuple(part, member, fc.boolean())
        .map<Expression>(([object, to, optional]) => ({ kind: "member", object, name: to, optional, range })),
      fc
        .tuple(part, part, fc.boolean())
        .map<Expression>(([object, index, optional]) => ({ kind: "index", object, index, optional, range })),
      fc
        .tuple(part, fc.option(part), fc.option(part))
        .map<Expression>(([object, from, to]) => ({ kind: "slice", object, from, to, range })),
      fc
        .tuple(name, part, part)
        .map<Expression>(([bound, value, body]) => ({ kind: "let", name: bound, value, body, range })),
      fc
        .tuple(fc.constantFrom("not" as const, "-" as const, "+" as const), part)
        .map<Expression>(([operator, operand]) => ({ kind: "unary", operator, operand, range })),
      fc
        .tuple(fc.constantFrom(...(Object.keys(BINARY_POWER) as BinaryOperator[])), part, part, pattern)
        .map<Expression>(([operator, left, right, literal]) => {
          // A literal to the right of `matches` must be a pattern.
          const isLiteral = operator === "matches" && right.kind === "literal";
          return { kind: "binary", operator, left, right: isLiteral ? literal : right, range };
        }),
      fc
        .tuple(part, part, part)
        .map<Expression>(([test_, then, otherwise]) => ({ kind: "conditional", test: test_, then, otherwise, range })),
      fc
        .tuple(fc.constantFrom("contains", "has_prefix"), part, part)
        .map<Expression>(([callee, a, b]) => ({ kind: "call", name: callee, arguments: [a, b], range })),
    ),
  };
});

/** The same tree, with the same range everywhere. */
function bare(node: Expression): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) => (key === "range" ? range : value)));
}

describe("printExpression", () => {
  test("I1: a printed expression is read as the same expression", () => {
    fc.assert(
      fc.property(expression, (node) => {
        expect(bare(read(printExpression(node)))).toEqual(bare(node));
      }),
      { numRuns: 2000 },
    );
  });

  test("I2: every printed pair of parentheses is needed, except around a sign or a not", () => {
    fc.assert(
      fc.property(expression, (node) => {
        const text = printExpression(node);
        for (const [open, close] of parentheses(text)) {
          const without = `${text.slice(0, open)} ${text.slice(open + 1, close)} ${text.slice(close + 1)}`;
          const parsed = parseExpression(without);
          expect(parsed.ok ? bare(parsed.expression) : "fault").not.toEqual(bare(node));
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["(1 + 2) * 3", "(1 + 2) * 3"],
    ["((1 * 2)) + 3", "1 * 2 + 3"],
    ["not (a in b)", "a not in b"],
    ["!(a && b)", "not (a and b)"],
    ["- -a", "--a"],
    ["(-2) ** 2", "(-2) ** 2"],
    ["(a < b) < c", "(a < b) < c"],
    ["a?.b['c']", 'a?.b["c"]'],
    ["(a ? b : c).d", "(a ? b : c).d"],
  ])("%s is printed as %s", (source, text) => {
    expect(printExpression(read(source))).toEqual(text);
  });
});

/** Pairs of parentheses that only group, outside string literals. */
function parentheses(text: string): [number, number][] {
  const pairs: [number, number][] = [];
  const open: number[] = [];
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|[()]/g)) {
    if (token === "(") open.push(index);
    if (token !== ")") continue;
    const start = open.pop() ?? 0;
    if (/^(?:not |[-+])/.test(text.slice(start + 1))) continue;
    if (!/(?:contains|has_prefix)$/.test(text.slice(0, start))) pairs.push([start, index]);
  }
  return pairs;
}
