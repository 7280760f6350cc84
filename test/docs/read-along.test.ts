/** The tutorial, the cookbook, and what the README has for a repository, done as a reader does them. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { blocksOf, lackingIn, readAlong } from "../support/read-along.ts";

const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
const textOf = (path: string): string => readFileSync(join(DOCS, path), "utf8");
const pagesIn = (folder: string): string[] =>
  readdirSync(join(DOCS, folder))
    .map((name) => `${folder}/${name}`)
    .filter((name) => name !== "tutorial/README.md");

let house: House;
beforeAll(() => {
  house = openHouse([]);
  mkdirSync(join(house.root, "bin"));
  const program = join(house.root, "bin", "troupe");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(program, 0o755);
});
afterAll(() => house.leave());

/** As a reader's terminal has it, but that nobody sits at it. */
function reader(name: string, more: { [name: string]: string } = {}) {
  const cwd = join(house.root, name.replaceAll("/", "-"));
  mkdirSync(join(cwd, ".troupe", "workflows"), { recursive: true });
  const env = {
    ...house.env,
    TROUPE_HOME: join(cwd, ".home"),
    TROUPE_DOCS: DOCS,
    PATH: `${join(house.root, "bin")}:${house.env["PATH"]}`,
    ...more,
  };
  const shell = (line: string): Promise<{ code: number; said: string }> =>
    new Promise((resolve) => {
      const child = execFile("sh", ["-c", line], { cwd, env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: out + err }),
      );
      child.stdin?.end();
    });
  return { cwd, shell };
}

describe("each page does what it says", () => {
  test.concurrent.each([...pagesIn("tutorial"), ...pagesIn("cookbook"), "from-awf.md"])("%s", async (name) => {
    const { cwd, shell } = reader(name);
    expect(await readAlong(textOf(name), cwd, shell)).toEqual([]);
  });
});

/** What the README has beside, and never ends by itself, or needs what a test machine may lack. */
const SERVES = /^troupe (?:serve|mcp|ui|acp connect)/;

test("the README: what is there for a repository runs; what serves begins to", async () => {
  const readme = readFileSync(join(DOCS, "..", "README.md"), "utf8");
  const part = (title: string): string => readme.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  const { cwd, shell } = reader("readme", { TROUPE_TRUST: "1" });
  const own = part("Use it in a repository");
  expect(blocksOf(own).map(({ kind }) => kind)).toEqual(["run", "run", "run", "run", "file"]);
  expect(await readAlong(own, cwd, shell)).toEqual([]);
  const served = blocksOf(part("From anywhere else")).flatMap((block) => (block.kind === "run" ? [block.line] : []));
  expect(served.filter((line) => !SERVES.test(line))).toEqual([]);
  // A free port in place of the one of the page, a server for who connects, and no browser.
  const open =
    "troupe serve --listen 127.0.0.1:0 2>log & for i in $(seq 200); do grep -q listening log && break; sleep 0.05; done";
  const at = "$(sed -n 's/.*listening on \\(ws[^ ]*\\) .*/\\1/p' log)";
  const begin = (line: string): string => {
    const [command = ""] = line.split(/ +#/);
    if (command.startsWith("troupe serve")) return `${open}; kill $!; wait $!; cat log`;
    if (command.includes("acp connect"))
      return `${open}; ${command.replace(/ws:\S+/, at)} </dev/null; kill $!; wait $!`;
    return `${command} </dev/null`;
  };
  for (const line of served) {
    const { code, said } = await shell(begin(line));
    const needsTerminal = line.startsWith("troupe ui");
    expect([line, code, said]).toEqual([line, needsTerminal ? 1 : 0, expect.not.stringContaining("unknown option")]);
  }
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
  const faults = await readAlong(page, house.root, reader("faulty").shell);
  expect(faults).toEqual([expect.stringContaining("exit code 3, not 0"), expect.stringContaining("not said: two")]);
  expect(blocksOf("```sh\nexit 3 # exit code 3\n```\n")).toEqual([{ kind: "run", line: "exit 3", code: 3 }]);
  expect(lackingIn("b a", ["a", "b"])).toBe("b");
  expect(lackingIn("took 13 ms (x)", ["took … (x)"])).toBeNull();
});
