/**
 * Whether a result of work can go into snapshots: what cannot would make every later commit fail.
 *
 * I1. It is JSON.
 * I2. Lists and maps stand in each other at most MOST_DEEP deep: what walks through them, to mask or to store them, comes
 *     to its end.
 */
import { shapeFault } from "../acp-client/shape.ts";
import { MOST_DEEP } from "../base/limits.ts";

/** What is wrong with it, in words; null where it can be kept. */
export function whyNotKept(output: unknown): string | null {
  let text: string | undefined;
  try {
    text = JSON.stringify(output);
  } catch (error) {
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const limits = { maxDepth: MOST_DEEP, maxEntries: Number.POSITIVE_INFINITY };
  if (text === undefined || shapeFault(text, limits) === null) return null;
  return `is nested more than ${MOST_DEEP} deep: lists and maps within each other`;
}
