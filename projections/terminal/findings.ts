/** What `validate` found in a file: each finding with its place, what was expected, and the lines around it. */
import { FINDING_CODES, type Finding, hintsOf } from "../../machines/workflow/finding.ts";
import { codeFrame } from "../../machines/workflow/frame.ts";
import { paint } from "./paint.ts";
import { safeLine, safeText } from "./safe.ts";
import { count } from "./words.ts";

export type FindingsView = {
  id: string;
  file: string | null;
  /** The file's text; empty when there is none to show. */
  source: string;
  findings: readonly Finding[];
};

export function findingLines(
  { id, file, source, findings }: FindingsView,
  { colours }: { colours: boolean },
): string[] {
  const { bold, dim, green, red, yellow } = paint(colours);
  const where = safeLine(file ?? id);
  // A name that there is not has no file to show a line of.
  const placeOf = ({ range, line, column }: Finding): string =>
    file === null && range.end === 0 ? where : `${where}:${line}:${column}`;
  const lines = findings.flatMap((finding) => {
    const mark = finding.severity === "error" ? red("error") : yellow("warning");
    return [
      `${bold(placeOf(finding))} ${mark} ${safeLine(finding.message)} ${dim(`[${finding.code}]`)}`,
      ...hintsOf(finding).map((hint) => `  ${safeLine(hint)}`),
      ...(source === "" || source.split("\n").length < finding.line
        ? []
        : safeText(codeFrame(source, finding)).split("\n")),
      "",
    ];
  });
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const verdict =
    findings.length === 0
      ? `${green("✓")} ${bold(safeLine(id))} is valid`
      : `${errors > 0 ? red("✗") : yellow("!")} ${bold(safeLine(id))}: ${count(errors, "error")}, ${count(warnings, "warning")}`;
  return [...lines, verdict];
}

/** For what a run that begins here and now would be refused, though the file is right: a program or a model is missing. */
export const refusalLines = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ refuses }) => refuses === true)
    .map(({ line, column, message, ...rest }) => {
      const why = [message, ...hintsOf({ line, column, message, ...rest })].map(safeLine).join("; ");
      return `! a run would be refused here: line ${line}, column ${column}: ${why}`;
    });

/** Of a file that could not be looked into at all. */
export function unreadFinding({ code, message }: { code: string; message: string }): Finding {
  const known = FINDING_CODES.find((one) => one === code) ?? "WORKFLOW.VALIDATION.FAILED";
  const START = { range: { start: 0, end: 0 }, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { code: known, severity: "error", message, path: "", ...START };
}

/** What a listing leaves out, each with why. */
export const leftOutLines = (warnings: readonly string[], { colours }: { colours: boolean }): string[] =>
  warnings.map((warning) => `${paint(colours).yellow("warning")}: ${safeLine(warning)}`);
