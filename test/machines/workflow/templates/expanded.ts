/** A workflow with templates beside it: what is made of it, and what is said. */
import type { Json } from "../../../../machines/model.ts";
import { FILE_LIMITS, type FileLimits } from "../../../../machines/workflow/limits.ts";
import { Report } from "../../../../machines/workflow/report.ts";
import { expandTemplates } from "../../../../machines/workflow/templates/expand.ts";
import { readYaml } from "../../../../machines/workflow/yaml/read.ts";

export type Files = { [name: string]: string };
/** What the states become, what is found, and which files were read. */
export function expanded(states: string, files: Files, limits: Partial<FileLimits> = {}) {
  const source = `name: x\nstates:\n${states.replace(/^/gm, "  ")}\n`;
  const report = new Report(source, false, 100);
  const all = { ...FILE_LIMITS, ...limits };
  const { root } = readYaml(source, FILE_LIMITS);
  if (root === null) throw new Error("not read");
  report.root = root;
  const asked: string[] = [];
  const from = (name: string): string | null => {
    asked.push(name);
    return files[name] ?? null;
  };
  const made = expandTemplates(root, report, from, all);
  const found = report.findings().map(({ code, message, expected, suggestion, severity, range }) => ({
    code: code.split(".").at(-1),
    severity,
    message,
    ...(expected === undefined ? {} : { expected }),
    ...(suggestion === undefined ? {} : { suggestion }),
    at: source.slice(range.start, range.end),
  }));
  return { states: (made.value as { states: Json }).states, found, asked, same: made === root, value: made.value };
}
export const template = (states: string, head = ""): string =>
  `name: t\n${head}states:\n${states.replace(/^/gm, "  ")}\n`;
export const use = (more = ""): string => `a: {use_template: t, on_success: d, on_failure: f${more}}`;
