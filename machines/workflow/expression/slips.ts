/** Owns the messages for what authors carry over from templates: `{{.inputs.x}}` and `.inputs.x`. */

import { Unreadable } from "./fault.ts";
import type { ExpressionToken } from "./tokens.ts";

/** `{{ … }}` in an expression. */
export function templateBraces(source: string, start: number): Unreadable {
  const close = source.indexOf("}}", start);
  const end = close < 0 ? source.length : close + 2;
  const inside = source.slice(start + 2, close < 0 ? source.length : close);
  const plain = inside.trim().replace(/^\./, "");
  const message = "an expression names values directly, without {{ }}";
  return new Unreadable(message, { start, end }, plain === "" ? null : plain);
}

/** A dot before the first name. */
export function leadingDot(dot: ExpressionToken, following: ExpressionToken): Unreadable {
  const name = following.kind === "word" ? following.text : null;
  const range = { start: dot.range.start, end: following.range.end };
  return new Unreadable("expected a value: a name starts without a dot", name === null ? dot.range : range, name);
}
