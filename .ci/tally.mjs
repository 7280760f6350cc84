// Prints what the last test runs counted together, as one plain line: `N passed, N failed, N skipped`.
// Arguments: vitest's JSON reports. A file that could not be loaded counts as one failed test. Prints nothing when no
// tests ran.
import { readFileSync } from "node:fs";

/** One report, or none where the run was ended before it was written. */
function read(file) {
  try {
    return [JSON.parse(readFileSync(file, "utf8"))];
  } catch {
    return [];
  }
}
const reports = process.argv.slice(2).flatMap(read);
if (reports.length === 0) process.exit(0);

const sum = (count) => reports.map(count).reduce((a, b) => a + b, 0);
const unloaded = sum(
  (report) => report.testResults.filter((one) => one.status === "failed" && one.assertionResults.length === 0).length,
);
const passed = sum((report) => report.numPassedTests);
const failed = sum((report) => report.numFailedTests) + unloaded;
const skipped = sum((report) => report.numPendingTests + (report.numTodoTests ?? 0));
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
