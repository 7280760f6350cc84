import { expect, it } from "vitest";
import { repeated } from "../../machines/repeated.ts";

it.each([
  ["api_key", '"api_key"'],
  ["pack/fix-it", '"pack/fix-it"'],
  ["a".repeat(64), `"${"a".repeat(64)}"`],
  ["a".repeat(65), "what you gave"],
  ["7Qw9", "what you gave"],
  ["s3cret!", "what you gave"],
  ["a/b/c", "what you gave"],
  ["", "what you gave"],
])("%j", (given, shown) => expect(repeated(given)).toBe(shown));
