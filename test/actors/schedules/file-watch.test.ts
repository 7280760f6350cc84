/** `actors/schedules/file-watch.ts`: files of a real directory, heard of as the system tells them. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Globs, names, watchFiles } from "../../../actors/schedules/file-watch.ts";

let root: string;
let cwd: string;
let end: () => Promise<void>;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-watch-")));
  cwd = join(root, "repo");
  for (const folder of ["src/deep", "other", "node_modules/x", ".git"])
    mkdirSync(join(cwd, folder), { recursive: true });
  mkdirSync(join(root, "outside"));
  for (const file of ["src/a.ts", "src/a.md", "other/a.ts", "node_modules/x/a.ts", ".git/a.ts"])
    writeFileSync(join(cwd, file), "");
  writeFileSync(join(root, "outside", "a.ts"), "");
  end = async () => undefined;
});
afterEach(async () => {
  await end();
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string): void => appendFileSync(join(root, path), "more");
/** What is heard of until all of these are, and the last file is. */
async function heard(globs: Globs, act: () => void, awaited: string[] = []): Promise<string[]> {
  const paths = new Set<string>();
  const all = Promise.withResolvers<void>();
  end = await watchFiles(cwd, [{ paths: [...globs.paths, "src/last"], ignore: globs.ignore }], {
    changed: (path) => {
      paths.add(path);
      if ([...awaited, "src/last"].every((one) => paths.has(one))) all.resolve();
    },
    failed: (why) => all.reject(new Error(why)),
  });
  act();
  writeFileSync(join(cwd, "src/last"), "");
  await all.promise;
  return [...paths].filter((path) => path !== "src/last").sort();
}

test("a change, a new file, one in a new folder, and one that goes", async () => {
  const awaited = ["src/a.ts", "src/deep/new.ts", "src/gone.ts", "src/made/new.ts"];
  writeFileSync(join(cwd, "src/gone.ts"), "");
  const act = (): void => {
    write("repo/src/a.ts");
    write("repo/src/a.md");
    write("repo/other/a.ts");
    writeFileSync(join(cwd, "src/deep/new.ts"), "");
    mkdirSync(join(cwd, "src/made"));
    writeFileSync(join(cwd, "src/made/new.ts"), "");
    rmSync(join(cwd, "src/gone.ts"));
  };
  expect(await heard({ paths: ["src/**/*.ts"], ignore: [] }, act, awaited)).toEqual(awaited);
});

test("I1: what a link leads to is not watched", async () => {
  symlinkSync(join(root, "outside"), join(cwd, "src/link"));
  const found = heard({ paths: ["**/*.ts"], ignore: [] }, () => write("outside/a.ts"));
  expect(await found).toEqual([]);
});

test("I2: the folders of git and of packages are never watched, nor what is left out", async () => {
  const found = heard({ paths: ["**"], ignore: ["other/**"] }, () => {
    for (const file of ["node_modules/x/a.ts", ".git/a.ts", "other/a.ts", "src/a.md"]) write(`repo/${file}`);
  });
  expect(await found).toEqual(["src/a.md"]);
});

test("names: globs from the root of the repository", () => {
  const globs = { paths: ["./src/**", "*.md"], ignore: ["src/gen/**"] };
  const all = ["src/a", "src/b/c", "x.md", "docs/x.md", "src/gen/a", "src/node_modules/a", "lib/src/a"];
  expect(all.filter((file) => names(globs, file))).toEqual(["src/a", "src/b/c", "x.md"]);
});
