// `node .ci/docs.mjs`: writes what is made of docs/: docs/machines/ (`docs/machines.mjs`), the tables of docs/agents.md
// (`docs/agents.mjs`), docs/language.md (`docs/language.mjs`) and docs/errors.md (`docs/errors.mjs`).
// With `--check` it writes nothing and fails when a file is missing, stale, or left over, and when the site of the docs
// would have a fault: a link that leads nowhere, a page in no section (`site/pages.mjs`).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentsPage } from "./docs/agents.mjs";
import { errorsPage } from "./docs/errors.mjs";
import { languagePage } from "./docs/language.mjs";
import { machineFiles } from "./docs/machines.mjs";
import { root } from "./docs/root.mjs";
import { sitePages } from "./site/pages.mjs";
import { MADE } from "./site/sections.mjs";

const TARGET = "docs/machines";
const target = join(root, TARGET);

const textOf = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
/** A page of docs/ that is written whole or in part: what it is, what it is to be, and whose word that is. */
async function pageOf(path, source, write) {
  const now = textOf(path);
  return { path, source, now, anew: await write(now) };
}

const pages = [
  await pageOf("docs/agents.md", "providers say", agentsPage),
  await pageOf("docs/language.md", "schema says", languagePage),
  await pageOf("docs/errors.md", "tables say", errorsPage),
].filter(({ now, anew }) => now !== anew);
const files = await machineFiles();
const present = existsSync(target) ? readdirSync(target) : [];
const stale = [...files].filter(([name, text]) => textOf(join(TARGET, name)) !== text);
const left = present.filter((name) => !files.has(name));

if (process.argv.includes("--check")) {
  const problems = [
    ...stale.map(([name]) => `${TARGET}/${name} is not what the machines say: run \`node .ci/docs.mjs\``),
    ...left.map((name) => `${TARGET}/${name} belongs to no machine: run \`node .ci/docs.mjs\``),
    ...pages.map(({ path, source }) => `${path} is not what the ${source}: run \`node .ci/docs.mjs\``),
    ...sitePages({ unread: MADE }).faults,
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  mkdirSync(target, { recursive: true });
  for (const { path, anew } of pages) writeFileSync(join(root, path), anew);
  for (const [name, text] of stale) writeFileSync(join(target, name), text);
  for (const name of left) rmSync(join(target, name));
  process.stdout.write(`${TARGET}: ${files.size} files, ${stale.length} written, ${left.length} removed\n`);
}
