/**
 * Owns patterns: RE2 syntax as in Go, matched in time linear in the text.
 *
 * I1. No pattern reaches the engine of the host language, which backtracks.
 */

import { RE2JS, RE2JSException } from "re2js";

/** Longest pattern, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 1024;

export type CompiledPattern =
  | {
      ok: true /** Size of the compiled program; the time of a match is this times the length of the text. */;
      size: number;
      test: (text: string) => boolean;
    }
  | { ok: false; message: string };

export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    const message = `the pattern has ${pattern.length} characters: at most ${MAX_PATTERN_LENGTH} are allowed`;
    return { ok: false, message };
  }
  try {
    const compiled = RE2JS.compile(pattern);
    return { ok: true, size: compiled.programSize(), test: (text) => compiled.test(text) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { ok: false, message: `the pattern is not RE2 syntax: ${error.message}` };
  }
}
