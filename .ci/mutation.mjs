// `npm run mutation`: changes the source a little at a time (Stryker) and counts the changes that a test notices.
// Arguments: files or folders (default: all of ROOMS); `--sample N` takes N files of each folder, drawn by `--seed`.
// Prints every change that no test noticed, and merges the counts into docs/mutation.md, file by file: so it can be
// run in parts. With `--share P` only P percent of the changes of these files are tried; what that says of the whole
// folder, and how surely, goes into a table of samples. A file's changes are judged by the tests of its own concern
// (testsOf); those that these missed by all tests of its folder (mutants-again.mjs), but with `--own`.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { noticedAgain } from "./mutants-again.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: "boolean", default: false },
    sample: { type: "string" },
    share: { type: "string" },
    seed: { type: "string", default: "troupe" },
  },
});

const ROOMS = ["machines", "projections", "actors/host", "actors/masking"];
const PAGE = "docs/mutation.md";
const [BEGIN, END] = ["<!-- counts: npm run mutation -->", "<!-- end of counts -->"];
const [SAMPLES_BEGIN, SAMPLES_END] = ["<!-- samples: npm run mutation -->", "<!-- end of samples -->"];

const roomOf = (file) => ROOMS.find((one) => file.startsWith(`${one}/`));

/** The concern a file belongs to: outside of machines/ the file, if tests name it; else a folder, in machines/ itself the noun of the file. */
function concernOf(file) {
  const room = roomOf(file);
  if (room === undefined) throw new Error(`${file} is in none of ${ROOMS.join(", ")}`);
  if (room !== "machines" && testsNaming(room, file).length > 0) return file;
  if (room.startsWith("actors/")) return room;
  const first = file.slice(room.length + 1).split("/")[0];
  return `${room}/${first.replace(/(-machine)?\.ts$/, "")}`;
}

/**
 * Changes are made in the process of the test alone: what it starts runs without them. And that process is a thread,
 * which cannot tell what files may be opened by whom.
 */
const startsPrograms = (test) => /host-process|owners\.ts|the user's alone/.test(readFileSync(test, "utf8"));
/** The tests of a room that mirror a file of it, or say that they cover it: each of those gets its tests alone. */
function testsNaming(room, file) {
  const mirror = join("test", file.replace(/\.ts$/, ".test.ts"));
  const covers = new RegExp(`Covers [^*]*\`${basename(file).replaceAll(".", "\\.")}\``);
  return globSync(`test/${room}/**/*.test.ts`)
    .filter((test) => (test === mirror || covers.test(readFileSync(test, "utf8"))) && !startsPrograms(test))
    .sort();
}

/** The tests that mirror a concern; where it has none of its own, those that lie in its room. */
function testsOf(concern) {
  const room = ROOMS.find((one) => concern.startsWith(`${one}/`) || concern === one);
  if (concern.endsWith(".ts")) return testsNaming(room, concern);
  const own = globSync([`test/${concern}/**/*.test.ts`, `test/${concern}{,-machine}.test.ts`]).filter(
    (test) => !startsPrograms(test),
  );
  return own.length > 0 ? own.sort() : globSync(`test/${dirname(concern)}/*.test.ts`).sort();
}

function filesUnder(path) {
  const name = relative(root, path);
  if (!existsSync(name)) throw new Error(`there is no ${name}`);
  return statSync(name).isFile() ? [name] : globSync(`${name}/**/*.ts`);
}

/** `count` of the files, the same ones for a seed, and still mostly the same after files came or went. */
function sample(files, { count, seed }) {
  const rank = (file) => createHash("sha256").update(`${seed} ${file}`).digest("hex");
  return files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count);
}

/** Runs the mutants of one concern's files. Answers Stryker's results; none where no test can judge them. */
async function run(concern, files) {
  const tests = testsOf(concern);
  if (tests.length === 0) {
    process.stdout.write(`${concern} has no test of its own: not counted\n`);
    return [];
  }
  process.env["MUTATION_TESTS"] = JSON.stringify(tests);
  const results = await new Stryker({
    mutate: files,
    testRunner: "vitest",
    plugins: [
      fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner")),
      join(root, ".ci/mutants-drawn.mjs"),
    ],
    vitest: { configFile: ".ci/vitest.mutation.mjs", related: false },
    ...(values.share === undefined ? {} : { checkers: ["drawn"] }),
    concurrency: 1,
    dryRunTimeoutMinutes: 30,
    tempDirName: ".vitest/mutation",
    ignorePatterns: ["docs/pictures", "coverage", ".vitest"],
    reporters: ["progress-append-only"],
    allowConsoleColors: false,
    warnings: false,
    logLevel: "warn",
  }).runMutationTest();
  if (values.own) return results;
  const missed = results.filter(({ status }) => MISSED.has(status));
  const again = noticedAgain(root, `test/${roomOf(files[0])}`, missed);
  return results.map((one) => (again.has(one) ? { ...one, status: BY_FOLDER } : one));
}

/** Stryker's names of what became of a change, and ours for one that only other tests of its folder notice. */
const BY_FOLDER = "by the folder";
const NOTICED = new Set(["Killed", "Timeout", BY_FOLDER]);
const MISSED = new Set(["Survived", "NoCoverage"]);

/** Counts by file. A mutant that does not compile or start is no change, and counts nowhere. */
function count(files, results) {
  const counts = new Map(files.map((file) => [file, { noticed: 0, missed: 0, byFolder: 0 }]));
  for (const { fileName, status } of results) {
    const row = counts.get(relative(root, fileName));
    if (status === BY_FOLDER) row.byFolder += 1;
    if (NOTICED.has(status)) row.noticed += 1;
    if (MISSED.has(status)) row.missed += 1;
  }
  return counts;
}

function show({ fileName, location, mutatorName, replacement, status }) {
  const place = `${relative(root, fileName)}:${location.start.line}:${location.start.column}`;
  const change = replacement.replaceAll(/\s+/g, " ").slice(0, 120);
  process.stdout.write(
    `${place} ${status === "NoCoverage" ? "no test runs it" : "missed"} (${mutatorName}): ${change}\n`,
  );
}

// The page: its table of files is the store of the counts.

/** The page before, within and behind the two marks. */
function parted(begin, end) {
  const [head, rest] = readFileSync(PAGE, "utf8").split(begin);
  const [table, tail] = rest.split(end);
  return { head, table, tail };
}

/** What the page says so far, without files that are gone. */
function counted() {
  const { table } = parted(BEGIN, END);
  const rows = table.matchAll(/^\| `(?<file>[^`]+\.ts)` \| (?<noticed>\d+) \| (?<missed>\d+) \|/gm);
  const known = [...rows].map(({ groups: { file, noticed, missed } }) => [
    file,
    { noticed: Number(noticed), missed: Number(missed) },
  ]);
  return new Map(known.filter(([file]) => existsSync(file)));
}

function row(name, { noticed, missed }) {
  const all = noticed + missed;
  return `| ${name} | ${noticed} | ${missed} | ${all === 0 ? "–" : `${Math.floor((100 * noticed) / all)} %`} |`;
}

function write(counts) {
  const files = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (rows) =>
    rows.reduce((a, [, b]) => ({ noticed: a.noticed + b.noticed, missed: a.missed + b.missed }), {
      noticed: 0,
      missed: 0,
    });
  const folders = ROOMS.map((room) => {
    const within = files.filter(([file]) => file.startsWith(`${room}/`));
    return row(`\`${room}/\` (${within.length} of ${filesUnder(room).length} files)`, sum(within));
  });
  const line = "|---|---:|---:|---:|";
  const text = [
    ...["| folder | noticed | missed | score |", line, ...folders, row("all that was run", sum(files)), ""],
    ...["| file | noticed | missed | score |", line, ...files.map(([file, one]) => row(`\`${file}\``, one))],
  ].join("\n");
  const { head, tail } = parted(BEGIN, END);
  writeFileSync(PAGE, `${head}${BEGIN}\n${text}\n${END}${tail}`);
}

/** Writes what a sample says of a folder: its score, and the 95 % interval that follows from how much files differ. */
function writeSample(room, rows) {
  const all = rows.map(({ noticed, missed }) => ({ noticed, tried: noticed + missed }));
  const noticed = all.reduce((sum, one) => sum + one.noticed, 0);
  const tried = all.reduce((sum, one) => sum + one.tried, 0);
  const byFolder = rows.reduce((sum, one) => sum + one.byFolder, 0);
  const score = noticed / tried;
  const apart = all.reduce((sum, one) => sum + (one.noticed - score * one.tried) ** 2, 0);
  const error = Math.sqrt((all.length * apart) / (all.length - 1)) / tried;
  const [from, to] = [score - 1.96 * error, Math.min(1, score + 1.96 * error)].map((one) => Math.round(100 * one));
  const cells = [
    `\`${room}/\``,
    `${all.length} of ${filesUnder(room).length}`,
    tried,
    noticed - byFolder,
    byFolder,
    `${Math.round(100 * score)} %`,
    `${from} to ${to} %`,
    values.seed,
  ];
  const { head, table, tail } = parted(SAMPLES_BEGIN, SAMPLES_END);
  const [title, line, ...others] = table.trim().split("\n");
  const kept = others.filter((one) => !one.startsWith(`| ${cells[0]} |`));
  const text = [title, line, ...[...kept, `| ${cells.join(" | ")} |`].sort()].join("\n");
  writeFileSync(PAGE, `${head}${SAMPLES_BEGIN}\n${text}\n${SAMPLES_END}${tail}`);
}

const asked = (positionals.length > 0 ? positionals : ROOMS).map(filesUnder);
const some = (files) =>
  values.sample === undefined ? files : sample(files, { count: Number(values.sample), seed: values.seed });
const chosen = [...new Set(asked.flatMap(some))];
process.env["MUTATION_SHARE"] = values.share;
process.env["MUTATION_SEED"] = values.seed;
process.env["MUTATION_ROOT"] = root;
const lost = new Set();
const counts = values.share === undefined ? counted() : new Map();
for (const [concern, files] of Map.groupBy(chosen.sort(), concernOf)) {
  process.stdout.write(`${concern}: ${files.length} files\n`);
  const results = await run(concern, files).catch((error) => {
    process.stdout.write(`${concern} was not run: ${error.message}\n`);
    process.exitCode = 1;
    for (const file of files) lost.add(roomOf(file));
    return [];
  });
  for (const result of results) if (MISSED.has(result.status)) show(result);
  for (const [file, one] of count(files, results)) {
    process.stdout.write(`${row(file, one)}\n`);
    if (one.noticed + one.missed > 0) counts.set(file, one);
  }
  if (values.share === undefined) write(counts);
}
if (values.share !== undefined) {
  for (const [room, rows] of Map.groupBy(counts, ([file]) => roomOf(file))) {
    if (lost.has(room)) process.stdout.write(`${room} has no sample: a part of it was not run\n`);
    else
      writeSample(
        room,
        rows.map(([, one]) => one),
      );
  }
}
