// Prints what the last test run counted, as one plain line: `N passed, N failed, N skipped`.
// A file that could not be loaded counts as one failed test. Prints nothing when no tests ran.
import { readFileSync } from "node:fs";

const file = process.argv[2];
let report;
try {
  report = JSON.parse(readFileSync(file, "utf8"));
} catch {
  process.exit(0);
}
const unloaded = report.testResults.filter(
  (one) => one.status === "failed" && one.assertionResults.length === 0,
).length;
const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
const failed = report.numFailedTests + unloaded;
process.stdout.write(`${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
