// `npm run references`: every numbered reference in a comment, a test or a page resolves to a text in this repository.
//   R1. D1 (a decision), T1 (a threat), C1 (a conflict), H1 (a demand on the harness), S1 (a scenario) are defined by a
//       row of a table: in docs/decisions/README.md, docs/threats.md, docs/conflicts.md, docs/harness.md, docs/conformance.md.
//   R2. I1 (an invariant), L1 (a lint rule) and the like stand in the head of the file itself, or of a file in the room
//       of what it imports or mirrors.
//   R3. A link between pages, and a path that a page names, leads to a file.
//   R4. A decision's note has a number of its own, that of its title, and the table of notes links to it.
//   R5. A name that docs/architecture.md sets in code stands in the source, or is a script of package.json.
//   R6. A file that a comment of the source names is there: beside it, among what it imports, by its path, or by a
//       name that no other file has.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const TABLES = {
  D: "docs/decisions/README.md",
  T: "docs/threats.md",
  C: "docs/conflicts.md",
  H: "docs/harness.md",
  S: "docs/conformance.md",
};
const read = (file) => readFileSync(join(root, file), "utf8");
const files = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .stdout.split("\n")
  .filter((file) => /\.(ts|mjs|md)$/.test(file) && existsSync(join(root, file)))
  .filter((file) => !/^(test\/fixtures|docs\/machines)\/|^\.ci\/references\.mjs$/.test(file));

const defined = new Map();
for (const [letter, file] of Object.entries(TABLES)) {
  const row = new RegExp(`^\\| \\[?(${letter}\\d+)\\b`, "gm");
  defined.set(letter, new Set(existsSync(join(root, file)) ? [...read(file).matchAll(row)].map(([, id]) => id) : []));
}

/** Comments and names of tests; a page counts whole. */
function prose(file, text) {
  if (file.endsWith(".md")) return text;
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? [];
  const titles = text.match(/\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)?\(\s*(["'`])(?:(?!\1).)*\1/g) ?? [];
  return [...comments, ...(file.startsWith("test/") ? titles : [])].join("\n");
}
/** The invariants that a file defines: lines of comments that begin with their number. */
const heads = new Map();
function headOf(file) {
  if (!heads.has(file))
    heads.set(file, new Set([...read(file).matchAll(/^\s*(?:\*|\/\/)\s*([A-Z]\d+)[.:]\s/gm)].map(([, id]) => id)));
  return heads.get(file);
}
function importsOf(file, text) {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map(([, to]) => to);
  return specifiers.map((to) => normalize(join(dirname(file), to))).filter((to) => files.includes(to));
}
/** The files beside this one: a test of a room may name the invariants of any of its files. */
const roomOf = (file) => files.filter((other) => dirname(other) === dirname(file) && !other.endsWith(".md"));
const mirrorOf = (file) => file.replace(/^test\//, "").replace(/\.test\.ts$/, ".ts");

const problems = [];
for (const file of files) {
  const text = read(file);
  const words = prose(file, text);
  for (const [, letter, number] of words.matchAll(/(?<![\w.#/%-])([DTCHS])([1-9]\d{0,3})(?![\w.]*[\w])/g)) {
    if (!defined.get(letter).has(letter + number) && !headOf(file).has(letter + number))
      problems.push(`${file}: ${letter}${number} is no row of ${TABLES[letter]}`);
  }
  if (/\bdecisions? \d/i.test(words)) problems.push(`${file}: name a decision by its letter: D1`);
  if (file.endsWith(".md")) continue;
  const near = new Set(headOf(file));
  const around = file.startsWith("test/") ? [mirrorOf(file), ...importsOf(file, text)] : importsOf(file, text);
  for (const other of around) for (const room of roomOf(other)) for (const id of headOf(room)) near.add(id);
  for (const [, id] of words.matchAll(/(?<![\w.#/%-])([IAL][1-9]\d{0,3})(?![\w.]*[\w])/g)) {
    if (!near.has(id)) problems.push(`${file}: ${id} stands in no head of it or of what it imports`);
  }
}
const named = Map.groupBy(files, (file) => file.slice(file.lastIndexOf("/") + 1));
for (const file of files.filter((name) => /^(machines|actors|projections|transports)\//.test(name))) {
  const text = read(file);
  const imported = importsOf(file, text);
  for (const [, name] of prose(file, text).matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)) {
    const beside = normalize(join(dirname(file), name));
    const known = files.includes(name) || files.includes(beside) || imported.some((one) => one.endsWith(`/${name}`));
    if (!known && named.get(name)?.length !== 1) problems.push(`${file}: names ${name}, which is not near it`);
  }
}
for (const file of files.filter((name) => name.endsWith(".md"))) {
  for (const [, to] of read(file).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)) {
    if (!existsSync(join(root, dirname(file), to))) problems.push(`${file}: links to ${to}, which is not there`);
  }
}
const notes = files.filter((file) => /^docs\/decisions\/\d{4}-/.test(file));
const numberOf = (file) => file.slice("docs/decisions/".length).slice(0, 4);
for (const note of notes) {
  if (notes.some((other) => other !== note && numberOf(other) === numberOf(note)))
    problems.push(`${note}: another note has the number ${numberOf(note)}`);
  if (!read(note).startsWith(`# ${Number(numberOf(note))}. `)) problems.push(`${note}: its title has another number`);
  if (!read(TABLES.D).includes(`(${note.slice("docs/decisions/".length)})`))
    problems.push(`${note}: ${TABLES.D} does not link to it`);
}
const PATH = /`((?:machines|actors|projections|transports|test|docs)\/[\w./-]*[\w/])`/g;
for (const file of files.filter((name) => name.endsWith(".md"))) {
  for (const [, to] of read(file).matchAll(PATH))
    if (!existsSync(join(root, to))) problems.push(`${file}: names ${to}, which is not there`);
}
const source = files.filter((file) => /^(machines|actors|projections|transports)\/.*\.ts$/.test(file)).map(read);
const { scripts } = JSON.parse(read("package.json"));
const isThere = (name) =>
  (/^npm run /.test(name) && name.slice(8) in scripts) ||
  (/^node /.test(name) && existsSync(join(root, name.slice(5)))) ||
  existsSync(join(root, name)) ||
  source.some((text) => text.includes(name.replace(/…$/, "")));
const MAP = "docs/architecture.md";
for (const [, name] of read(MAP)
  .replace(/```[\s\S]*?```/g, "")
  .matchAll(/`([^`\n]+)`/g)) {
  if (!isThere(name)) problems.push(`${MAP}: names ${name}, which stands in no source`);
}
const seen = [...new Set(problems)];
for (const problem of seen) process.stderr.write(`${problem}\n`);
if (seen.length > 0) process.stderr.write(`references: ${seen.length} resolve to nothing\n`);
process.exit(seen.length > 0 ? 1 : 0);
