/**
 * Which test files get a process of their own. The others follow each other in one, which loads each module once: that
 * is half the time of a short test.
 *
 * I1: a test whose process would differ for the next one has its own: it mocks or spies, sets what belongs to the process,
 *     looks at the process's memory, or a helper that it imports registers hooks as it is loaded (hooks of a module that
 *     is loaded once belong to the first test alone).
 * I2: another reason is told by a line of the test that begins with `// own process:`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const CHANGES =
  /\bvi\.(mock|doMock|stubEnv|stubGlobal|useFakeTimers|spyOn)\b|\bprocess\.env(\[[^\]]*\]|\.\w+) *=[^=]|\bprocess\.(chdir|umask|memoryUsage|on|once)\b|\bgc\(|^\/\/ own process: /m;
const HOOKS = /^(before|after)(All|Each)\(/m;
const IMPORTS = /from "(\.[^"]+)"/g;

/** The test files below `folder`, as absolute paths, that need a process of their own. */
export function needingOwnProcess(folder: string): string[] {
  const root = resolve(folder);
  const known = new Map<string, boolean>();
  const needs = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false);
    const text = readFileSync(file, "utf8");
    const found =
      CHANGES.test(text) ||
      (!isTest(file) && HOOKS.test(text)) ||
      importsOf(file, text, root).some((one) => needs(one));
    known.set(file, found);
    return found;
  };
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter(isTest)
    .map((file) => join(root, file))
    .filter(needs);
}

const isTest = (file: string): boolean => file.endsWith(".test.ts");

function importsOf(file: string, text: string, root: string): string[] {
  return [...text.matchAll(IMPORTS)]
    .map((found) => resolve(dirname(file), found[1] ?? ""))
    .filter((one) => one.startsWith(`${root}/`) && one.endsWith(".ts") && existsSync(one));
}
