/** What a word of a conversation may become: files that are named with `@`, as a prompt reads them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { promptBlocks } from "../../../actors/conversations/prompt-blocks.ts";
import type { Conversation } from "../../../actors/troupe.ts";
import { completions } from "../../../transports/chat/completion.ts";

let cwd: string;
const words = (before: string): string[] =>
  completions(before, { cwd, edits: [], state: { commands: [] } } as unknown as Conversation).map(({ word }) => word);
const put = (...names: string[]): void => {
  for (const name of names) writeFileSync(join(cwd, name), "");
};
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "troupe-completion-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
});

it("a name with blanks is completed from its beginning, and from the midst of it", () => {
  put("my first file.txt", "my second.txt", "other.txt");
  expect(words("see @my")).toEqual(["see @my\\ first\\ file.txt", "see @my\\ second.txt"]);
  expect(words("see @my\\ f")).toEqual(["see @my\\ first\\ file.txt"]);
  expect(words("see @my\\")).toEqual(words("see @my"));
  expect(words("see @my\\ first\\ file.txt and")).toEqual([]);
  expect(words("a@my")).toEqual([]);
});

it("what is completed is what a prompt reads", () => {
  const names = ["a b", 'say "x"', "back\\slash", "tab\there"];
  put(...names);
  const taken = words("@").flatMap((word) => promptBlocks(word, { cwd, takesImages: false, maxBytes: 1 }).slice(1));
  expect(taken.map((block) => "name" in block && block.name).toSorted()).toEqual(names.toSorted());
});

it("also from the root, from here, and of many files the one that is meant", () => {
  mkdirSync(join(cwd, "src"));
  put("src/a.ts", ...Array.from({ length: 300 }, (_, index) => `n${index}`), "zebra");
  expect(words(`@${cwd}/sr`)).toEqual([`@${cwd}/src/`]);
  expect(words(`@${cwd.slice(0, 3)}`)).toContain(`@/${cwd.split("/")[1]}/`);
  expect(words("@./sr")).toEqual(["@./src/"]);
  expect(words("@src/")).toEqual(["@src/a.ts"]);
  expect(words("@ze")).toEqual(["@zebra"]);
});
