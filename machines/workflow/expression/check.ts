/** Owns what can be said about a node without evaluating it: functions, their arguments, and literal patterns. */

import { suggest } from "../suggest.ts";
import { faultAt } from "./fault.ts";
import { FUNCTION_NAMES, functionNamed, type Signature } from "./functions/table.ts";
import { compilePattern } from "./pattern.ts";
import type { Expression, ExpressionFault, Range } from "./syntax.ts";

const NEED_PREDICATES: ReadonlySet<string> = new Set([
  ...["all", "any", "none", "one", "filter", "map", "count", "find", "findIndex", "findLast", "findLastIndex"],
  ...["groupBy", "sortBy", "reduce"],
]);

/** Functions of GitHub Actions that ask how what stands before has ended. */
const OUTCOMES: ReadonlySet<string> = new Set(["success", "failure", "always", "cancelled"]);

/** The faults of one call (`at` is its name), or of one `matches` with a literal pattern; of nothing else. */
export function checkCall(node: Expression, at: Range = node.range): ExpressionFault[] {
  if (node.kind === "call") return checkArguments(node.name, node.arguments.length, at);
  if (node.kind !== "binary" || node.operator !== "matches") return [];
  const { right } = node;
  if (right.kind !== "literal" || typeof right.value !== "string") return [];
  const compiled = compilePattern(right.value);
  return compiled.ok ? [] : [faultAt(compiled.message, right.range)];
}

function checkArguments(name: string, given: number, at: Range): ExpressionFault[] {
  const signature = functionNamed(name);
  if (signature === null) {
    if (NEED_PREDICATES.has(name)) {
      return [faultAt(`${name}() needs a predicate, which expressions do not have: compute it in a step`, at)];
    }
    if (OUTCOMES.has(name)) {
      const instead = "compare a state's Status, as in states.build.Status == 'completed'";
      return [{ ...faultAt(`unknown function "${name}": ${instead}`, at), foreign: true }];
    }
    const near = suggest(name, FUNCTION_NAMES);
    const message = `unknown function "${name}"${near === null ? "" : `: did you mean "${near}"?`}`;
    // AWF calls by name whatever there is when it evaluates.
    return [{ ...faultAt(message, at, near), foreign: true }];
  }
  if (given >= signature.least && given <= signature.most) return [];
  return [faultAt(`${name}() takes ${arity(signature)}, got ${given}: ${name}${signature.usage}`, at)];
}

function arity({ least, most }: Signature): string {
  const plural = (count: number): string => `${count} argument${count === 1 ? "" : "s"}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${plural(least)}`;
  return least === most ? plural(least) : `${least} to ${plural(most)}`;
}
