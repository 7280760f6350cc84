/** The tutorial, the cookbook, and how AWF is left, done as a reader does them. The README: `readme.test.ts`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf, lackingIn, readAlong } from "../support/read-along.ts";
import { DOCS, Readers } from "../support/reader.ts";

const textOf = (path: string): string => readFileSync(join(DOCS, path), "utf8");
const pagesIn = (folder: string): string[] =>
  readdirSync(join(DOCS, folder))
    .map((name) => `${folder}/${name}`)
    .filter((name) => name !== "tutorial/README.md");

let readers: Readers;
beforeAll(() => {
  readers = new Readers();
});
afterAll(() => readers.house.leave());

describe("each page does what it says", () => {
  test.concurrent.each([...pagesIn("tutorial"), ...pagesIn("cookbook"), "from-awf.md"])("%s", async (name) => {
    const { cwd, shell } = readers.sit(name);
    expect(await readAlong(textOf(name), cwd, shell)).toEqual([]);
  });
});

test("every recipe's file is named by its page, and every page stands in the list", () => {
  const list = textOf("cookbook/README.md");
  for (const page of readdirSync(join(DOCS, "cookbook")).filter((name) => name !== "README.md"))
    expect(list).toContain(`](${page})`);
  const lessons = readdirSync(join(DOCS, "tutorial")).filter((name) => name !== "README.md");
  expect(lessons.map((name) => name.slice(0, 2))).toEqual(["01", "02", "03", "04", "05", "06", "07", "08"]);
  for (const page of lessons) expect(textOf("tutorial/README.md")).toContain(`](${page})`);
});

test("a line that ends otherwise, and words that are not said, are found (I1, I2)", async () => {
  const page = "```sh\necho one\nexit 3\n```\n```text\none\ntwo\n```\n";
  const faults = await readAlong(page, readers.house.root, readers.sit("faulty").shell);
  expect(faults).toEqual([expect.stringContaining("exit code 3, not 0"), expect.stringContaining("not said: two")]);
  expect(blocksOf("```sh\nexit 3 # exit code 3\n```\n")).toEqual([{ kind: "run", line: "exit 3", code: 3 }]);
  expect(lackingIn("b a", ["a", "b"])).toBe("b");
  expect(lackingIn("took 13 ms (x)", ["took … (x)"])).toBeNull();
});
