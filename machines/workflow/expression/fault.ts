/** Owns how reading a text stops: the one fault after which nothing sensible can be read. */

import type { ExpressionFault, Range } from "./syntax.ts";

/** Thrown inside the parser only; `parseExpression` turns it into a fault. */
export class Unreadable extends Error {
  override name = "Unreadable";
  readonly fault: ExpressionFault;

  constructor(message: string, range: Range, suggestion?: string | null) {
    super(message);
    this.fault = faultAt(message, range, suggestion);
  }

  /** The same fault of a text that AWF's dialect has. */
  static foreign(message: string, range: Range, suggestion: string): Unreadable {
    const thrown = new Unreadable(message, range, suggestion);
    thrown.fault.foreign = true;
    return thrown;
  }
}

/** A fault, with a suggestion only where there is one. */
export function faultAt(message: string, range: Range, suggestion?: string | null): ExpressionFault {
  return suggestion ? { message, range, suggestion } : { message, range };
}
