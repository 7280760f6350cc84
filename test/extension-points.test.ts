/**
 * What is added to Troupe is added where docs/architecture.md says: the compiler names each of these files, and no other.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { edited, filesThatFail } from "./support/type-faults.ts";

const LIMIT_MS = 120_000;
const PAGE = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

/** The files that a row of the table "Where does it go?" names, sorted. */
function filesOf(what: string): string[] {
  const row = PAGE.split("\n").find((line) => line.startsWith(`| ${what} |`)) ?? "";
  return [...row.matchAll(/`([a-z]+\/[\w/-]+\.ts)`/g)].map(([, path]) => path ?? "").sort();
}

test("a new provider fails in the files of the table", { timeout: LIMIT_MS }, () => {
  const list = "machines/workflow/providers.ts";
  const added = edited(list, '  "claude",\n', '  "claude",\n  "fake",\n');
  expect([list, ...filesThatFail(added)].sort()).toEqual(filesOf("a provider"));
});
