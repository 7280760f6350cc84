/** Every row of the page on habits and pains names a test that is there, or says that it is still so. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rows = readFileSync(file("docs/habits.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (client|\|) /.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("all fifteen pains have a row", () => {
  const numbers = rows.map(([, first = ""]) => Number(first)).filter((n) => n > 0);
  expect(numbers).toEqual(Array.from({ length: 15 }, (_, n) => n + 1));
});

test.each(rows.map((cells) => [cells[2] ?? "", cells[3] ?? "", cells[4] ?? ""]))("%s", (_, does, named) => {
  if (named === "") return expect(does).toMatch(/^still so: /);
  expect(existsSync(file(named.replaceAll("`", "")))).toBe(true);
});
