/** The examples are found by the names that their heads and the docs say. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const FOLDER = "docs/examples";
const examples = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));

it.each(examples)("%s is called what its file is called, and its head runs it by that name", (file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  const name = basename(file, ".yaml");
  expect((parse(text) as { name: string }).name).toBe(name);
  const runs = [...text.matchAll(/^#.*troupe run (\S+)/gm)].map(([, run]) => run);
  expect(runs.filter((run) => run !== name)).toEqual([]);
});
