/**
 * Owns reading a source: a Pratt parser over the tokens.
 *
 * I1. Never throws: every text gives an expression or at least one fault, and each fault's range lies in the source.
 * I2. Source length, bracket depth and tree depth are bounded, so nothing that walks a tree can run out of stack.
 * I3. Only functions of the table can be called, with a number of arguments each accepts; nothing else is callable.
 */

import { BracketParser } from "./brackets.ts";
import { checkCall } from "./check.ts";
import type { TokenCursor } from "./cursor.ts";
import { faultAt, Unreadable } from "./fault.ts";
import { infixOperator, isNegation, LITERAL_WORDS, tokenText, UNARY_SPELLINGS } from "./operators.ts";
import { leadingDot, templateBraces } from "./slips.ts";
import {
  BINARY_POWER,
  type BinaryOperator,
  type Expression,
  type ExpressionFault,
  isOrdering,
  MAX_SOURCE_LENGTH,
  RESERVED_WORDS,
  UNARY_POWER,
  type UnaryOperator,
} from "./syntax.ts";
import type { ExpressionToken } from "./tokens.ts";

export type { Expression, ExpressionFault } from "./syntax.ts";

export type ParsedExpression = { ok: true; expression: Expression } | { ok: false; faults: ExpressionFault[] };

/** Reads a condition or an arithmetic expression. Faults come in the order of the source, at least one when not ok. */
export function parseExpression(source: string): ParsedExpression {
  if (source.length > MAX_SOURCE_LENGTH) {
    const message = `the expression has ${source.length} characters: at most ${MAX_SOURCE_LENGTH} are allowed`;
    return { ok: false, faults: [faultAt(message, { start: MAX_SOURCE_LENGTH, end: source.length })] };
  }
  const faults: ExpressionFault[] = [];
  try {
    const expression = new ExpressionParser(source, faults).readAll();
    if (faults.length === 0) return { ok: true, expression };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    faults.push(error.fault);
  }
  return { ok: false, faults: faults.sort((a, b) => a.range.start - b.range.start) };
}

const isExpression = (text: string): boolean => parseExpression(text).ok;

/** What follows the `if` of AWF's dialect. */
const FOREIGN_IF = /^[^{]+\{[\s\S]*\}\s*else\b/;

const isLet = (cursor: TokenCursor): boolean => {
  const [word, name, equals] = [cursor.next(), cursor.next(1), cursor.next(2)];
  return word.kind === "word" && word.text === "let" && name.kind === "word" && equals.text === "=";
};

class ExpressionParser extends BracketParser {
  /** The whole source as one expression. Throws `Unreadable`. */
  readAll(): Expression {
    if (this.cursor.next().kind === "end") {
      throw new Unreadable("the expression is empty: expected a value", { start: 0, end: this.source.length });
    }
    const expression = this.whole();
    this.cursor.expectEnd();
    return expression;
  }

  protected override whole(): Expression {
    if (isLet(this.cursor)) return this.#let();
    const test = this.#operators(0);
    if (!this.cursor.skip("?")) return test;
    const then = this.nested(() => this.whole());
    this.cursor.expect(":", 'between the two values of "? :"');
    const otherwise = this.nested(() => this.whole());
    const range = { start: test.range.start, end: otherwise.range.end };
    return this.tree.node({ kind: "conditional", test, then, otherwise, range }, [test, then, otherwise]);
  }

  /** `let name = value; body`: the name is known in the body. */
  #let(): Expression {
    const { range: start } = this.cursor.take();
    const name = this.cursor.take().text;
    this.cursor.expect("=", "after the name");
    const value = this.nested(() => this.whole());
    this.cursor.expect(";", 'behind the value of "let"');
    const body = this.nested(() => this.whole());
    const range = { start: start.start, end: body.range.end };
    return this.tree.node({ kind: "let", name, value, body, range }, [value, body]);
  }

  #operators(power: number): Expression {
    let left = this.#prefix();
    let previous: BinaryOperator | null = null;
    for (;;) {
      // A pipe binds loosest, and what follows it takes its result.
      if (power === 0 && this.cursor.skip("|")) {
        left = this.postfix(this.#pipe(left));
        previous = null;
        continue;
      }
      const negated = isNegation(this.cursor.next(), this.cursor.next(1));
      const operator = infixOperator(this.cursor.next(negated ? 1 : 0));
      if (operator === null || BINARY_POWER[operator] < power) return left;
      const { range } = this.cursor.take();
      if (negated) this.cursor.take();
      if (previous !== null && isOrdering(previous) && isOrdering(operator)) {
        throw Unreadable.foreign(`"a ${previous} b ${operator} c" compares twice: join two with "and"`, range, "and");
      }
      previous = operator;
      // `**` alone groups to the right.
      const right =
        operator === "**"
          ? this.nested(() => this.#operators(BINARY_POWER[operator]))
          : this.#operators(BINARY_POWER[operator] + 1);
      left = this.#binary(operator, left, right);
      if (negated) {
        const whole = { ...left.range };
        left = this.tree.node({ kind: "unary", operator: "not", operand: left, range: whole }, [left]);
      }
    }
  }

  #binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
    const range = { start: left.range.start, end: right.range.end };
    const node = this.tree.node({ kind: "binary", operator, left, right, range }, [left, right]);
    this.faults.push(...checkCall(node));
    return node;
  }

  #pipe(value: Expression): Expression {
    const token = this.cursor.take();
    if (token.kind !== "word" || !this.cursor.isNext("(")) {
      throw new Unreadable(`expected a function such as lower() after "|", found ${tokenText(token)}`, token.range);
    }
    return this.call(token, token.text, [value]);
  }

  #prefix(): Expression {
    const token = this.cursor.take();
    switch (token.kind) {
      case "number":
      case "string":
        return this.postfix(this.tree.node({ kind: "literal", value: token.value, range: token.range }, []));
      case "word":
        return this.#word(token, token.text);
      case "symbol":
        return this.#symbol(token, token.text);
      case "end":
        throw new Unreadable("expected a value, found the end", token.range);
      default:
        return token satisfies never;
    }
  }

  #word(token: ExpressionToken, text: string): Expression {
    const unary = UNARY_SPELLINGS.get(text);
    if (unary !== undefined) return this.#unary(token, unary);
    const value = LITERAL_WORDS.get(text);
    if (value !== undefined) return this.postfix(this.tree.node({ kind: "literal", value, range: token.range }, []));
    if (text === "if" && FOREIGN_IF.test(this.source.slice(token.range.end))) {
      throw Unreadable.foreign('"if … { } else { }" is not known here: write test ? this : that', token.range, "? :");
    }
    if (text === "$" && this.source.startsWith("{{", token.range.end))
      throw templateBraces(this.source, token.range.end, isExpression);
    if (this.cursor.isNext("(")) return this.postfix(this.call(token, text, []));
    if (RESERVED_WORDS.has(text)) {
      throw new Unreadable(`expected a value before the operator "${text}"`, token.range);
    }
    return this.postfix(this.tree.node({ kind: "name", name: text, range: token.range }, []));
  }

  #symbol(token: ExpressionToken, text: string): Expression {
    const unary = UNARY_SPELLINGS.get(text);
    if (unary !== undefined) return this.#unary(token, unary);
    switch (text) {
      case "(": {
        const inner = this.nested(() => this.whole());
        const range = { start: token.range.start, end: this.cursor.expect(")", 'to close "("').range.end };
        return this.postfix(this.tree.widened(inner, range));
      }
      case "[": {
        const items = this.list("]", 'to close "["');
        return this.postfix(this.tree.node({ kind: "array", items, range: this.cursor.since(token.range) }, items));
      }
      case "{":
        if (this.cursor.isNext("{")) throw templateBraces(this.source, token.range.start, isExpression);
        return this.postfix(this.map(token));
      case ".":
        throw leadingDot(token, this.cursor.next());
      default:
        throw new Unreadable(`expected a value, found ${tokenText(token)}`, token.range);
    }
  }

  #unary(token: ExpressionToken, operator: UnaryOperator): Expression {
    const operand = this.nested(() => this.#operators(UNARY_POWER[operator]));
    const range = { start: token.range.start, end: operand.range.end };
    return this.tree.node({ kind: "unary", operator, operand, range }, [operand]);
  }
}
