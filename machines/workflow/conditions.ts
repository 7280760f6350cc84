/** Conditions and bounds of a document, evaluated for machines. Parsed once per text; a fault is a value, never a throw. */
import type { Fault } from "../model.ts";
import type { Scope } from "../scope.ts";
import type { ExpressionText } from "./document.ts";
import { type EvaluationScope, holds, type Remark } from "./expression/evaluate.ts";
import { type Expression, parseExpression } from "./expression/parse.ts";
import { rfc3339 } from "./times.ts";

/** `warnings`: what a reader should know of the answer, in words that are the same for the same condition. */
export type Judged = ({ ok: true; holds: boolean } | { ok: false; fault: Fault }) & { warnings: string[] };

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

/** A scope as expressions see it: when the run began is text, as templates show it. */
export function expressionScope(scope: Scope): EvaluationScope {
  const { StartedAt, ...workflow } = scope.workflow;
  const seen = {
    ...workflow,
    // Few conditions ask.
    get StartedAt() {
      return rfc3339(StartedAt);
    },
  };
  return { ...scope, workflow: seen } as unknown as EvaluationScope;
}

/** Whether a condition holds in a scope. A comparison with a state that has not run is false; a wrong type is a fault. */
export function judge(text: ExpressionText, scope: Scope): Judged {
  const expression = expressionOf(text);
  if ("code" in expression) return { ok: false, fault: expression, warnings: [] };
  const warnings: string[] = [];
  try {
    const note = (remark: Remark): void => {
      const words = wordsOf(remark, text);
      if (!warnings.includes(words)) warnings.push(words);
    };
    return {
      ok: true,
      holds: holds(expression, expressionScope(scope), note),
      warnings,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      fault: { code: "WORKFLOW.EXPRESSION.EVALUATION", message: `in "${text}": ${message}` },
      warnings,
    };
  }
}

function wordsOf({ kind, state }: Remark, text: ExpressionText): string {
  switch (kind) {
    case "not run":
      return `in "${text}": state "${state}" has not run, so the comparison with it is false`;
    case "cut":
      return `in "${text}": the output of "${state}" was cut at its limit; states.${state}.Truncated tells`;
    default:
      return kind satisfies never;
  }
}
