/**
 * Whether the files of a tool call are those that a rule names.
 *
 * I1. A pattern is relative to the run's folder, or absolute. `*` and `**` match names that begin with a dot as well.
 * I2. A file counts under the name that was given and under the one that links lead to. To allow, every name of every
 *     file must match; to refuse or to ask, one is enough. A call that names no file matches no pattern.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { RE2JS } from "re2js";
import type { Location } from "../../../machines/exchange.ts";

export function pathsMatch(locations: readonly Location[], pattern: string, cwd: string, all: boolean): boolean {
  const glob = compiled(isAbsolute(pattern) ? pattern : join(real(cwd), pattern));
  const lexical = isAbsolute(pattern) ? glob : compiled(join(cwd, pattern));
  const matches = locations.flatMap(({ path }) => {
    const given = resolve(cwd, path);
    return [lexical.matches(given) || glob.matches(given), glob.matches(real(given))];
  });
  if (matches.length === 0) return false;
  return all ? matches.every(Boolean) : matches.some(Boolean);
}

/** The path with its links followed, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}

/** A search asks for thousands of files. */
const MOST_KEPT = 1_000;
const kept = new Map<string, RE2JS>();

function compiled(pattern: string): RE2JS {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : RE2JS.quote(part);
  });
  const made = RE2JS.compile(source, RE2JS.DOTALL);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(pattern, made);
  return made;
}
