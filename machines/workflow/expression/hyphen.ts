/** Owns the guess that a subtraction was meant as a name: `states.unit-tests.ExitCode`. */

import { printExpression } from "./print.ts";
import type { Expression } from "./syntax.ts";

/** The way to write the name, or null when the two sides do not touch the hyphen or are not names. */
export function hyphenatedName(left: Expression, right: Expression): string | null {
  if (left.kind !== "member" || right.range.start !== left.range.end + 1) return null;
  const path = memberPath(right);
  if (path === null) return null;
  const [head = "", ...tail] = path;
  const key = JSON.stringify(`${left.name}-${head}`);
  return `${printExpression(left.object)}[${key}]${tail.map((name) => `.${name}`).join("")}`;
}

function memberPath(node: Expression): string[] | null {
  if (node.kind === "name") return [node.name];
  if (node.kind !== "member") return null;
  const path = memberPath(node.object);
  return path === null ? null : [...path, node.name];
}
