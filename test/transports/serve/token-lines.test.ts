/** Lines of a token file that let nobody in, or the wrong one, are faults at the start and not 401 later. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readTokens } from "../../../transports/serve/tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "troupe-token-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));
const TOKEN = "k".repeat(32);
function subjectsIn(text: string | Buffer): unknown[] {
  const file = join(folder, "tokens");
  writeFileSync(file, text, { mode: 0o600 });
  return readTokens(file).map(({ subject }) => subject);
}

test.each([
  ["of two subjects", `${TOKEN}\nann ${TOKEN}\n`, /line 2: another subject has this token/],
  ["that no header carries", `ann ${"ü".repeat(32)}\n`, /line 1: a token has letters, digits and signs of ASCII/],
  ["with a comma", `ann ${TOKEN},\n`, /line 1: .* without commas/],
  ["of bytes that are no text", Buffer.alloc(64, 0xff), /line 1: a token has letters/],
])("a token %s is a fault", (_, text, words) => {
  expect(() => subjectsIn(text)).toThrow(words);
});

test("a line may be there twice", () => {
  expect(subjectsIn(`ann ${TOKEN}\nann ${TOKEN}\n`)).toEqual(["ann", "ann"]);
});

test("a folder is said to be one, whoever may read it", () => {
  expect(() => readTokens(folder)).toThrow("is a folder; expected a file with a token on each line");
});
