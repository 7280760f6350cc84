/** `max_iterations` of a loop: a number, or a template or arithmetic that comes to one. */
import type { Json } from "../../machines/model.ts";
import type { Scope } from "../../machines/scope.ts";
import { expressionScope } from "../../machines/workflow/conditions.ts";
import { type LoopNode, MAX_ITERATIONS } from "../../machines/workflow/document.ts";
import { ExpressionError } from "../../machines/workflow/expression/error.ts";
import { evaluate } from "../../machines/workflow/expression/evaluate.ts";
import { parseExpression } from "../../machines/workflow/expression/parse.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Rendering } from "./rendering.ts";

/** A whole number from 1 to the most that a loop may have. Throws a `TroupeError` that says what was found. */
export function boundOf(node: LoopNode, scope: Scope, rendering: Rendering): number {
  const where = `states.${node.name}.max_iterations`;
  const fault = (found: string) =>
    new TroupeError(
      "WORKFLOW.LOOP.BAD_BOUND",
      `${where}: expected a whole number from 1 to ${MAX_ITERATIONS}, found ${found}`,
      { field: where },
    );
  const checked = (value: Json, found: string): number => {
    const number = typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= MAX_ITERATIONS)
      return number;
    throw fault(found);
  };
  if (typeof node.maxIterations === "number") return checked(node.maxIterations, String(node.maxIterations));
  const text = rendering.text(node.maxIterations, where).trim();
  if (/^-?\d+$/.test(text)) return checked(Number(text), text);
  const parsed = parseExpression(text);
  if (!parsed.ok) throw fault(`"${text}" (${parsed.faults[0]?.message ?? "no arithmetic"})`);
  try {
    const value = evaluate(parsed.expression, expressionScope(scope));
    return checked(value, `${JSON.stringify(value)} as the value of "${text}"`);
  } catch (error) {
    if (error instanceof ExpressionError) throw fault(`"${text}" (${error.message})`);
    throw error;
  }
}
