/** Every command that a page, an error's advice or a message tells a user to type is there, with its options. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROGRAM } from "../support/house.ts";

/** Its own page says what there is: words by which a command is called, and its options. */
function known(): Map<string, Set<string>> {
  const { stdout } = spawnSync(process.execPath, [PROGRAM, "man", "--markdown"], { encoding: "utf8" });
  const sections = stdout.split(/^## `troupe /m).slice(1);
  return new Map(
    sections.map((section) => {
      const words = (section.split("`")[0] ?? "").split(" ").filter((word) => /^[a-z]/.test(word));
      return [words.join(" "), new Set(section.match(/--[a-z][a-z-]*/g) ?? [])];
    }),
  );
}
const COMMANDS = known();
const GROUPS = new Set([...COMMANDS.keys()].flatMap((name) => (name.includes(" ") ? [name.split(" ")[0]] : [])));

/** Of code what a user types stands in backquotes, behind a dollar, or at the beginning of a line. */
const TYPED = /(?:^|`|\$ |· |&& )(?:TROUPE\w*=\S* )?troupe ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?([^`\n|;#]*)/gm;
/** Not shown to users, or of commands of their own. */
const OTHERS = new Set(["complete", "help", "ls"]);

function faults(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(TYPED)].flatMap(([all, first = "", second, rest = ""]) => {
    if (OTHERS.has(first)) return [];
    const name = GROUPS.has(first) && second !== undefined ? `${first} ${second}` : first;
    const options = COMMANDS.get(name);
    if (options === undefined) return [`${path}: ${all}`];
    const strange = (rest.split(" -- ")[0] ?? "")
      .match(/(?<= )--[a-z][a-z-]*/g)
      ?.filter((option) => !options.has(option));
    return (strange ?? []).map((option) => `${path}: ${all}: no ${option}`);
  });
}

test("the commands are known", () => {
  expect([COMMANDS.has("run"), COMMANDS.get("trust list") !== undefined, GROUPS.has("agents")]).toEqual([
    true,
    true,
    true,
  ]);
});

test("in pages", () => {
  expect(["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md")].flatMap(faults)).toEqual([]);
});

test("in advice and messages", () => {
  expect(globSync("{actors,machines,projections,transports}/**/*.ts").flatMap(faults)).toEqual([]);
});

test("the page of commands has the groups of the help, with the same commands", () => {
  const { stdout } = spawnSync(process.execPath, [PROGRAM, "--help"], { encoding: "utf8" });
  const groups = [...stdout.matchAll(/^([A-Z][a-z ]+):\n((?: {2}.*\n)+)/gm)].flatMap(([, title = "", lines = ""]) =>
    ["Options", "Examples"].includes(title)
      ? []
      : [[title, [...lines.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) => (name === "help" ? [] : [name])).sort()]],
  );
  const page = readFileSync("docs/commands.md", "utf8");
  const tables = [...page.matchAll(/^\*\*(.+)\*\*\n\n\| command .*\n.*\n((?:\|.*\n)+)/gm)].map(
    ([, title = "", rows = ""]) => {
      const cells = rows.split("\n").map((row) => row.split(" | ")[0] ?? "");
      const names = cells.flatMap((cell) =>
        [...cell.matchAll(/`troupe (?!acp connect)([a-z]+)/g)].map(([, name]) => name),
      );
      return [title, [...new Set(names)].sort()];
    },
  );
  expect(tables).toEqual(groups);
});
