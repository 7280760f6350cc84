/** The table of demands on the ACP client names every demand once, and only tests that exist. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { HARNESS } from "./harness.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const demands = [...read("../../docs/harness.md").matchAll(/^\| (H\d+) \|/gm)].map(([, id]) => id);

test("every demand has its place, in order", () => {
  expect(Object.keys(HARNESS)).toEqual(demands);
  expect(demands).toHaveLength(56);
});

test.each(Object.entries(HARNESS))("%s: its tests exist; without tests it says what is lacking", (_, standing) => {
  const { tests, lacks } = standing;
  expect(tests.length > 0 || lacks !== undefined).toBe(true);
  for (const [file, title] of tests) expect(read(`../${file}`)).toContain(title);
});

test("the page of conformance has the table", () => {
  const page = read("../../docs/conformance.md");
  for (const [id, { lacks, tests }] of Object.entries(HARNESS)) {
    const is = lacks === undefined ? "whole" : tests.length === 0 ? "absent" : "part";
    expect(page).toContain(`| ${id} | ${is} |`);
    if (lacks !== undefined) expect(page).toContain(lacks);
  }
});
