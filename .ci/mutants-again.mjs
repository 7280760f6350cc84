// The second look of `npm run mutation`: a change that the tests of its own concern missed is made in a copy of the
// project, and all tests of its folder that import the file (vitest finds them) are run on it until one fails.
// Nothing of Stryker's takes part: tests run as ever, so none has to be left out.
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A run hangs that takes longer than so many times the one without a change, and this. */
const TIMES = 5;
const LEAST_MS = 60_000;

/** Nothing in these rooms keeps anything outside of what it is given, so their tests may share a process: that is three times as fast. */
const PURE = /^test\/(?:machines|projections)\b/;

/** A copy of what git knows of the project at `root`, by hard links. Answers its folder. */
function copied(root) {
  const copy = mkdtempSync(join(root, ".vitest/mutated-"));
  const { stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  for (const file of stdout.split("\0").filter((one) => one !== "")) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    linkSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** A text with one of Stryker's changes made. Lines and columns count from 1. */
export function changed(text, { location: { start, end }, replacement }) {
  const lines = text.split("\n");
  const offset = ({ line, column }) =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return text.slice(0, offset(start)) + replacement + text.slice(offset(end));
}

/**
 * Which of these mutants the tests in `folder` notice: by failing, or by hanging. Throws where they fail without a
 * change, since they would notice anything then.
 */
export function noticedAgain(root, folder, mutants) {
  const copy = copied(root);
  const fails = (file, limitMs) => {
    const tests = ["related", file, "--run", "--root", ".", "--config", ".ci/vitest.mutation.mjs", "--passWithNoTests"];
    const how = ["--bail", "1", "--retry", "1", "--testTimeout", "20000"]; // what a busy machine fails notices nothing
    if (PURE.test(folder)) how.push("--no-isolate");
    const { status, signal } = spawnSync(join(root, "node_modules/.bin/vitest"), [...tests, ...how], {
      cwd: copy,
      env: { ...process.env, MUTATION_TESTS: JSON.stringify([`${folder}/**/*.test.ts`]) },
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    return status !== 0 || signal !== null;
  };
  const noticed = new Set();
  try {
    for (const [fileName, some] of Map.groupBy(mutants, (one) => one.fileName)) {
      const file = relative(root, fileName);
      const began = performance.now();
      if (fails(file)) throw new Error(`tests in ${folder} fail without a change of ${file}`);
      const limitMs = LEAST_MS + Math.ceil(TIMES * (performance.now() - began));
      const text = readFileSync(fileName, "utf8");
      for (const mutant of some) {
        rmSync(join(copy, file));
        writeFileSync(join(copy, file), changed(text, mutant));
        if (fails(file, limitMs)) noticed.add(mutant);
      }
      rmSync(join(copy, file));
      writeFileSync(join(copy, file), text);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return noticed;
}
