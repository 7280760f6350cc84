/**
 * Every row of the page on habits and pains names tests that are there, by file and title, or says that it is still so.
 *
 * I1. A title is a whole text of its file, but for the numbers in brackets at its end.
 * I2. What is named runs wherever the suite runs: nothing of `test/real`, and nothing that is skipped somewhere.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rows = readFileSync(file("docs/habits.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (client|\|) /.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** What the test column names. Throws for what is no file and title. */
function namedIn(cell: string): { path: string; title: string }[] {
  return cell.split("<br>").map((entry) => {
    const [, path, title] = /^`(test\/[^`]+)`: (.+)$/.exec(entry) ?? [];
    if (path === undefined || title === undefined) throw new Error(`expected a file and a title, found "${entry}"`);
    return { path, title };
  });
}
const escaped = (title: string): string => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Whether a file has a text of this title, with or without numbers in brackets behind it (I1). */
const hasTitle = (source: string, title: string): boolean =>
  new RegExp(`(["'\`])${escaped(title)}(?: \\([A-Z]\\d[^()"]*\\))?\\1`).test(source);
/** Whether the test of this title may be left out (I2). */
const mayBeSkipped = (source: string, title: string): boolean =>
  new RegExp(`\\.(?:skip|todo|(?:skipIf|runIf)\\(.*\\))\\(\\s*["'\`]${escaped(title)}`).test(source);

test("all fifteen pains have a row", () => {
  const numbers = rows.map(([, first = ""]) => Number(first)).filter((n) => n > 0);
  expect(numbers).toEqual(Array.from({ length: 15 }, (_, n) => n + 1));
});

test.each(rows.map((cells) => [cells[2] ?? "", cells[3] ?? "", cells[4] ?? ""]))("%s", (_, does, named) => {
  if (named === "") return expect(does).toMatch(/^still so: /);
  for (const { path, title } of namedIn(named)) {
    expect(path).not.toMatch(/^test\/real\//);
    const source = readFileSync(file(path), "utf8");
    const found = { title, isThere: hasTitle(source, title), mayBeSkipped: mayBeSkipped(source, title) };
    expect(found).toEqual({ title, isThere: true, mayBeSkipped: false });
  }
});

test("a title that was changed is missed", () => {
  expect(hasTitle('test("an answer is shown once (I1, I2)", run)', "an answer is shown once")).toBe(true);
  expect(hasTitle('test("an answer is shown once, mostly", run)', "an answer is shown once")).toBe(false);
  expect(hasTitle("an answer is shown once", "an answer is shown once")).toBe(false);
  expect(mayBeSkipped('test.skipIf(none())(\n  "an answer"', "an answer")).toBe(true);
  expect(mayBeSkipped('test("an answer"', "an answer")).toBe(false);
});
