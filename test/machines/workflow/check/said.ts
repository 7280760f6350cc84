/** All that is said of a file, as plain values. */
import { parse } from "../fixtures.ts";

/** All that a finding says, but where its end lies. */
export function said(source: string, awf = false): object[] {
  return parse(source, { awf }).findings.map(({ code, severity, message, expected, suggestion, path, range }) => ({
    code: code.split(".").at(-1),
    ...(severity === "error" ? {} : { severity }),
    message,
    expected,
    suggestion,
    path,
    at: source.slice(range.start, range.end),
  }));
}
/** A file with these states, and the end `d`. */
export const states = (more: string, head = ""): string =>
  `name: x\n${head}states:\n  initial: a\n${more}  d: {type: terminal}\n`;
/** One state, on a line of its own. */
export const step = (name: string, field: string, to: string): string => `  ${name}: {${field}, on_success: ${to}}\n`;
