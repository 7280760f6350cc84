/**
 * Every command of the README, in its blocks and in its sentences: run here as a reader runs it, or named below with the
 * reason why not, and with what does run it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, readAlong } from "../support/read-along.ts";
import { DOCS, Readers } from "../support/reader.ts";

const PROJECT = join(DOCS, "..");
const README = readFileSync(join(PROJECT, "README.md"), "utf8");

/** What is not run as it stands, and why. Another command than these has to run here. */
const NOT_AS_IT_STANDS: { readonly [command: string]: string } = {
  "npm ci": "it asks a registry; CI begins with it",
  "npm ci && npm run demo": "npm ci asks a registry, and CI begins with it; `npm run demo` is run below",
  "npm ci && npm test": "npm test is what runs this",
  "npm ci && npm pack":
    "it builds dist/ anew under the other tests; `package.test.ts` packs the same by .ci/package.mjs",
  "npm install --global ./troupe-0.1.0.tgz": "`package.test.ts` installs that tarball, into a prefix of its own",
  "npm install --global troupe": "there is no release yet",
  "npx troupe": "there is no release yet",
  "npm run single": "it takes a copy of Node of 120 MB; the workflow `release` runs it, and it tries what it has made",
  "man troupe":
    "`package.test.ts` finds the page where man looks for it; `troupe man`, which is that page, is run below",
};

/** A sentence that offers others: `… zed` (or `jetbrains`, `neovim`). */
const OTHERS = /`([^`\n]+) (\w+)` \(or ((?:`\w+`(?:, | or )?)+)\)/g;
const commandsOf = (text: string): string[] => {
  const prose = text.replace(/^```.*?^```$/gms, "");
  const inline = [...prose.matchAll(/`((?:troupe|npm|npx|man) [^`]+)`/g)].map(([, command = ""]) => command);
  const others = [...prose.matchAll(OTHERS)].flatMap(([, command, , names = ""]) =>
    [...names.matchAll(/\w+/g)].map(([name]) => `${command} ${name}`),
  );
  const lines = blocksOf(text).flatMap((block) => (block.kind === "run" ? [block.line.replace(/ +#.*/, "")] : []));
  return [...new Set([...lines, ...inline, ...others])];
};
const part = (title: string): string => README.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const REPOSITORY = part("Use it in a repository");
const ELSEWHERE = part("From anywhere else");
/** What never ends by itself, or wants a terminal, is begun. */
const BEGUN = [
  ...new Set([...commandsOf(ELSEWHERE), ...commandsOf(README).filter((one) => /^troupe serve\b/.test(one))]),
];
const rest = commandsOf(README).filter(
  (command) => !(command in NOT_AS_IT_STANDS || BEGUN.includes(command) || commandsOf(REPOSITORY).includes(command)),
);

let readers: Readers;
beforeAll(() => {
  readers = new Readers();
});
afterAll(() => readers.house.leave());

test("what is there for a repository does what it says", async () => {
  const { cwd, shell } = readers.sit("readme", { TROUPE_TRUST: "1" });
  expect(blocksOf(REPOSITORY).map(({ kind }) => kind)).toEqual(["run", "run", "run", "run", "file"]);
  expect(await readAlong(REPOSITORY, cwd, shell)).toEqual([]);
});

test("what serves, or draws, begins to", async () => {
  const { shell } = readers.sit("served", { TROUPE_TRUST: "1" });
  // A free port in place of the one of the page, a server for who connects, and no browser.
  const open =
    "troupe serve --listen 127.0.0.1:0 2>log & for i in $(seq 200); do grep -q listening log && break; sleep 0.05; done";
  const at = "$(sed -n 's/.*listening on \\(ws[^ ]*\\) .*/\\1/p' log)";
  const begin = (command: string): string => {
    if (command.startsWith("troupe serve")) return `${open}; kill $!; wait $!; cat log`;
    if (command.includes("acp connect"))
      return `${open}; ${command.replace(/ws:\S+/, at)} </dev/null; kill $!; wait $!`;
    return `${command} </dev/null`;
  };
  expect(BEGUN.length).toBeGreaterThan(4);
  for (const command of BEGUN) {
    const { code, said } = await shell(begin(command));
    const needsTerminal = command.startsWith("troupe ui");
    expect([command, code, said]).toEqual([
      command,
      needsTerminal ? 1 : 0,
      expect.not.stringContaining("unknown option"),
    ]);
  }
});

test("every other command is run, with those that a sentence offers beside it", async () => {
  expect(rest).toEqual(
    expect.arrayContaining([
      "troupe doctor",
      "troupe demo",
      "troupe init --editor vscode",
      "troupe completion powershell",
    ]),
  );
  const { shell } = readers.sit("rest");
  const inProject = readers.sit("checkout").shell;
  const lines = [...rest, "troupe man"];
  const ends = await Promise.all(lines.map((command) => shell(command)));
  const demo = await inProject(`cd "${PROJECT}" && npm run --silent demo`);
  expect(lines.map((command, index) => [command, ends[index]?.code, ends[index]?.said === ""])).toEqual(
    lines.map((command) => [command, 0, false]),
  );
  expect([demo.code, demo.said]).toEqual([
    0,
    expect.stringContaining("Done: troupe-demo.txt holds one friendly line."),
  ]);
});

test("what is not run as it stands is in the README still, with a reason", () => {
  const all = commandsOf(README);
  for (const [command, reason] of Object.entries(NOT_AS_IT_STANDS)) {
    expect(all).toContain(command);
    expect(reason.length).toBeGreaterThan(20);
  }
});
