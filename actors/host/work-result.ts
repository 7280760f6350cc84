/**
 * Whether a result of work can go into snapshots: what cannot would make every later commit fail.
 *
 * I1. It is JSON.
 * I2. Lists and maps stand in each other at most MOST_DEEP deep: what walks through them, to mask or to store them, comes
 *     to its end.
 */
import { shapeFault } from "../acp-client/shape.ts";
import { MOST_DEEP } from "../base/limits.ts";

const TOO_DEEP = `is nested more than ${MOST_DEEP} deep: lists and maps within each other`;

/** What is wrong with it, in words; null where it can be kept. */
export function whyNotKept(output: unknown): string | null {
  let text: string | undefined;
  try {
    text = JSON.stringify(output);
  } catch (error) {
    // A value that was parsed can be nested deeper than can be written.
    if (error instanceof RangeError && error.message.includes("stack")) return TOO_DEEP;
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const limits = { maxDepth: MOST_DEEP, maxEntries: Number.POSITIVE_INFINITY };
  if (text === undefined || shapeFault(text, limits) === null) return null;
  return TOO_DEEP;
}
