import type { Json } from "../../../../machines/model.ts";
import { ExpressionError } from "../../../../machines/workflow/expression/error.ts";
import { type EvaluationScope, evaluate, holds } from "../../../../machines/workflow/expression/evaluate.ts";
import { type Expression, parseExpression } from "../../../../machines/workflow/expression/parse.ts";

/** Parses an expression that is known to be valid. */
export function read(source: string): Expression {
  const parsed = parseExpression(source);
  if (parsed.ok) return parsed.expression;
  throw new Error(`${source}: ${parsed.faults.map((fault) => fault.message).join("; ")}`);
}

export const resultOf = (source: string, scope: EvaluationScope = {}): Json => evaluate(read(source), scope);
export const isTrue = (source: string, scope: EvaluationScope = {}): boolean => holds(read(source), scope);

/** The error of an evaluation as data, with the text it blames. */
export function errorOf(
  source: string,
  scope: EvaluationScope = {},
  run: (source: string, scope: EvaluationScope) => Json = resultOf,
): Json {
  try {
    return { value: run(source, scope) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, range, suggestion } = error;
    const blamed = source.slice(range.start, range.end);
    return { code, message, blamed, ...(suggestion === undefined ? {} : { suggestion }) };
  }
}
