/** Covers what the scripts of shells that no test can start must say. */
import { expect, test } from "vitest";
import { completionScript } from "../../../projections/shells/script.ts";

test("PowerShell passes `--` on, leaves out what stands behind the cursor, and quotes what it would read as its own", () => {
  const script = completionScript("powershell");
  expect(script).toContain("troupe complete '--' @words");
  expect(script).toContain("$_.Extent.StartOffset -lt $cursor");
  const plain = /-match '(\^.*\$)'\)/.exec(script)?.[1] ?? "";
  const isPlain = (word: string): boolean => new RegExp(plain).test(word);
  expect(["list", "name=", "pack/flow", "--format", "r1", "@last", "a b", "$x"].map(isPlain)).toEqual([
    ...[true, true, true, true, true],
    ...[false, false, false],
  ]);
});
