/** `machines/glob.ts`: what globs mean, as Node's own have it, and in what time. */
import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { globOf } from "../../machines/glob.ts";

const GLOBS = [
  ...["*", "**", "*.ts", "**/*.ts", "src/**", "src/**/*.ts", "src/*/a.ts", "a/**/b", "**/a/**/b", "**/**/x", "a**b"],
  ...["a?c", "??", "[a-c]x", "[!a]x", "[^a]x", "[]a]x", "[a-]x", "[", "a[b", ".*", "*.", "**/.git/**", "*a*", "./a"],
  ...["{a,b}.ts", "{src,lib}/**/*.{ts,js}", "a{b,c{d,e}}f", "{a}", "a/{1..3}.txt", "a/{c..a}", "{a,b", "a}b", "{a,}b"],
  ...["a//b", "**/", "**/{a,b}/*", "a\\b", "src/"],
];
const PATHS = [
  ...["a.ts", "b.ts", ".ts", ".a.ts", "src/a.ts", "src/b/a.ts", "src/b/c/a.js", "src/.h/a.ts", "lib/a.js", "abc"],
  ...["ax", "bx", "cx", "-x", "]x", "abf", "acdf", "acef", "acf", "{a}", "a", "b", "a/1.txt", "a/2.txt", "a/4.txt"],
  ...["a/b", "a/c", "a/x/b", "a/x/y/b", "x/a/y/b", "x/a/b", ".git/config", "x/.git/y/z", ".x", "a.", "x", "y/x"],
  ...["axb", "ab", "src", "a[b", "{a,b", "a}b", "[", "x/a/y", ".a", "é"],
];

test.each(GLOBS)("%s means what Node's matchesGlob means", (text) => {
  const glob = globOf(text);
  expect(PATHS.filter((path) => glob.ok && glob.fits(path))).toEqual(PATHS.filter((path) => matchesGlob(path, text)));
});

test("where there is no case, there is none", () => {
  const glob = globOf("SRC/*.{Ts,js}", { caseless: true });
  expect(glob.ok && ["src/A.TS", "Src/a.js", "src/a.py"].map(glob.fits)).toEqual([true, true, false]);
});

test.each([
  [`${"*a".repeat(400)}b`, "a".repeat(255)],
  [`${"**/a/".repeat(100)}y`, `${"a/".repeat(100)}x`],
  [`${"*".repeat(500)}${"[a-z]".repeat(90)}1`, "a".repeat(255)],
])("I1: %s is soon tried", (text, path) => {
  const glob = globOf(text);
  expect(glob.ok && glob.fits(path)).toBe(false);
});

test("what stands for too much, or is of another language, is refused with why", () => {
  expect(globOf("{a,b}".repeat(20))).toEqual({ ok: false, why: "its {…} stand for too many others" });
  expect(globOf(`{1..999999}${"x".repeat(900)}`)).toMatchObject({ ok: false });
  expect(globOf("+(a|b)")).toMatchObject({ ok: false, why: expect.stringContaining("write {a,b}") });
  expect(globOf("[[:digit:]]")).toMatchObject({ ok: false, why: expect.stringContaining("write [a-z]") });
});
