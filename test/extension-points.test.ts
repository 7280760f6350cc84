/**
 * What is added to Troupe is added where docs/architecture.md says: the compiler names each of these files, and no other.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { edited, filesThatFail } from "./support/type-faults.ts";

const LIMIT_MS = 240_000;
const PAGE = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");
const DOCUMENT = "machines/workflow/document.ts";
const PROVIDERS = "machines/workflow/providers.ts";

/** The files that a row of the table "Where does it go?" names. */
function filesOf(what: string): string[] {
  const row = PAGE.split("\n").find((line) => line.startsWith(`| ${what} |`)) ?? "";
  return [...row.matchAll(/`((?:machines|actors|projections|transports)\/[\w/-]+\.ts)`/g)].map(
    ([, path]) => path ?? "",
  );
}
const sorted = (...lists: string[][]): string[] => [...new Set(lists.flat())].sort();

/** The document's file with a kind of node more. */
const withKind = (fields: string, union: "WorkNode" | "MachineNode") =>
  edited(DOCUMENT, `export type ${union} =`, `export type FakeNode = ${fields};\nexport type ${union} = FakeNode |`);

test("a new kind of step and a new provider fail in the files of the table", { timeout: LIMIT_MS }, () => {
  const kind = withKind('Common & { type: "fake" }', "WorkNode");
  const provider = edited(PROVIDERS, '  "claude",\n', '  "claude",\n  "fake",\n');
  const failing = sorted([PROVIDERS], filesThatFail({ ...kind, ...provider }));
  expect(failing).toEqual(sorted(filesOf("a kind of step"), filesOf("a provider")));
  // With the file of its own work.
  expect(filesOf("a kind of step").length + 1).toBeLessThanOrEqual(8);
});

test("a new kind of step that runs other steps does so too", { timeout: LIMIT_MS }, () => {
  const kind = withKind('Common & { type: "fake"; body: string[] }', "MachineNode");
  const shared = filesOf("a kind of step").filter((path) => path !== "actors/effects/work.ts");
  // The compiler asks for the machine's input when the machine is born.
  const later = ["actors/effects/work.ts", "machines/contracts.ts"];
  const named = sorted(shared, filesOf("a kind of step that runs other steps"));
  expect(filesThatFail(kind)).toEqual(named.filter((path) => !later.includes(path)));
});
