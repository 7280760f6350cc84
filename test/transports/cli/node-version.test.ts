/** Covers `node-version.ts`. `test/real/oldest-node.test.ts` runs the program on the oldest of each line. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isNewEnough } from "../../../transports/cli/node-version.ts";

test.each([
  ["20.20.2", false],
  ["22.19.0", false],
  ["22.20.0", true],
  ["22.100.1", true],
  ["23.11.1", false],
  ["24.6.0", false],
  ["24.7.0", true],
  ["25.0.0", true],
  ["26.10.0", true],
  ["27.0.0-nightly2026", true],
])("%s: %s", (version, expected) => expect(isNewEnough(version)).toBe(expected));

test("package.json and the readers are told the same (I1)", () => {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  expect(JSON.parse(read("package.json")).engines).toEqual({ node: "^22.20 || >=24.7" });
  expect(read("README.md")).toContain("Node 24.7 or newer, or 22.20 or newer of Node 22");
  expect(read("docs/trouble.md")).toContain("needs Node 24.7 or newer, or 22.20 or newer of Node 22");
  expect(read(".ci/prepare.mjs")).toContain("22: 20, 24: 7");
});
