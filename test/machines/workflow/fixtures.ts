/** Our own workflow files, and short ways to parse text. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { byPlugin, OPERATIONS } from "../../../actors/operations/registry.ts";
import type { Workflow } from "../../../machines/workflow/document.ts";
import type { Finding } from "../../../machines/workflow/finding.ts";
import { type ParseOptions, parseWorkflow } from "../../../machines/workflow/parse.ts";

const FOLDER = fileURLToPath(new URL("../../fixtures/workflows/", import.meta.url));

export const templateSource = (name: string): string | null =>
  name === "greeting" ? readFileSync(`${FOLDER}templates/${name}.yaml`, "utf8") : null;

/** Name and text of every fixture. */
export const FIXTURES: readonly (readonly [file: string, source: string])[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".yaml"))
  .sort()
  .map((file) => [file, readFileSync(FOLDER + file, "utf8")]);

export const fixture = (name: string): string => readFileSync(`${FOLDER}${name}.yaml`, "utf8");

export const parse = (source: string, options: Partial<ParseOptions> = {}) =>
  parseWorkflow(source, { file: null, awf: false, templateSource, operations: byPlugin(OPERATIONS), ...options });

/** The document of a text that must have no findings. */
export function documentOf(source: string): Workflow {
  const { workflow, findings } = parse(source);
  if (workflow === null || findings.length > 0) throw new Error(`unexpected findings: ${brief(findings).join("; ")}`);
  return workflow;
}

/** `line:column code`, one per finding; warnings are marked. */
export const brief = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ line, column, code, severity }) =>
      `${line}:${column} ${code.split(".").at(-1)}${severity === "warning" ? " (warning)" : ""}`,
  );

/** What each finding underlines. */
export const underlined = (source: string, findings: readonly Finding[]): string[] =>
  findings.map(({ range }) => source.slice(range.start, range.end));
