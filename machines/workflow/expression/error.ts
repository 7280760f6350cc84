/** Owns the error of an evaluation. */

import type { Range } from "./syntax.ts";

/**
 * A value that does not fit its operator or function, or an exceeded budget. `range` is the part of the source to blame.
 * Messages name kinds and lengths, never the text of a value: it may be a secret.
 */
export class ExpressionError extends Error {
  override name = "ExpressionError";
  readonly code = "WORKFLOW.EXPRESSION.EVALUATION";
  readonly range: Range;
  readonly suggestion: string | undefined;

  constructor(message: string, range: Range, suggestion?: string | null) {
    super(message);
    this.range = range;
    this.suggestion = suggestion ?? undefined;
  }
}
