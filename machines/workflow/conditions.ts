/** Conditions and bounds of a document, evaluated for machines. Parsed once per text; a fault is a value, never a throw. */
import type { Fault, Json } from "../model.ts";
import type { Scope } from "../scope.ts";
import type { ExpressionText } from "./document.ts";
import { holds } from "./expression/evaluate.ts";
import { type Expression, parseExpression } from "./expression/parse.ts";

export type Judged = { ok: true; holds: boolean } | { ok: false; fault: Fault };

const MAX_CACHED = 1_000;
const parsed = new Map<ExpressionText, Expression | Fault>();

function expressionOf(text: ExpressionText): Expression | Fault {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const result = parseExpression(text);
  const expression: Expression | Fault = result.ok
    ? result.expression
    : {
        code: "WORKFLOW.VALIDATION.BAD_EXPRESSION",
        message: `in "${text}": ${result.faults[0]?.message ?? "not an expression"}`,
      };
  if (parsed.size >= MAX_CACHED) parsed.clear();
  parsed.set(text, expression);
  return expression;
}

/** Whether a condition holds in a scope. A name that is missing makes it false; a wrong type is a fault. */
export function judge(text: ExpressionText, scope: Scope): Judged {
  const expression = expressionOf(text);
  if ("code" in expression) return { ok: false, fault: expression };
  try {
    return { ok: true, holds: holds(expression, scope as unknown as { readonly [name: string]: Json }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, fault: { code: "WORKFLOW.EXPRESSION.EVALUATION", message: `in "${text}": ${message}` } };
  }
}
