/**
 * Collects the faults of one file and turns them into findings.
 *
 * I1. Where AWF loads a file as it is, a fault that AWF does not refuse is a warning there and an error elsewhere.
 * I2. Findings come out in the order of the file.
 */
import type { Finding, FindingCode, Range } from "./finding.ts";
import type { Path } from "./texts.ts";
import { type Located, locate, pathText } from "./yaml/located.ts";

export type Fault = {
  code: FindingCode;
  message: string;
  expected?: string | undefined;
  suggestion?: string | null | undefined;
  path: Path;
  /** What is underlined: the value (default), its key, or a range of the file. */
  on?: "value" | "key" | Range;
  /** True where AWF loads the file all the same. */
  loads: boolean;
  /** True where only a run can say whether it is one. */
  maybe?: boolean;
};

/** The most findings that one file is worth. */
export const MAX_FINDINGS = 500;

export class Report {
  readonly source: string;
  readonly awf: boolean;
  root: Located = { value: null, range: { start: 0, end: 0 } };
  readonly #findings: Finding[] = [];
  readonly #lines: number[] = [0];

  constructor(source: string, awf: boolean) {
    this.source = source;
    this.awf = awf;
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.#lines.push(at + 1);
  }

  add(fault: Fault): void {
    if (this.#findings.length >= MAX_FINDINGS) return;
    const range = this.#tidy(this.#rangeOf(fault));
    // A value that stands for several states is wrong once.
    const same = (each: Finding): boolean =>
      each.range.start === range.start &&
      each.range.end === range.end &&
      each.code === fault.code &&
      each.message === fault.message;
    if (this.#findings.some(same)) return;
    const from = this.position(range.start);
    const to = this.position(range.end);
    this.#findings.push({
      code: fault.code,
      severity: (this.awf && fault.loads) || fault.maybe === true ? "warning" : "error",
      message: fault.message,
      ...(fault.expected === undefined ? {} : { expected: fault.expected }),
      ...(fault.suggestion === undefined || fault.suggestion === null ? {} : { suggestion: fault.suggestion }),
      path: pathText(fault.path),
      range,
      line: from.line,
      column: from.column,
      endLine: to.line,
      endColumn: to.column,
    });
  }

  /** All findings so far, in file order. */
  findings(): Finding[] {
    return this.#findings.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  }

  /** 1-based line and column of an offset. */
  position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lines[low] ?? 0) + 1 };
  }

  #rangeOf({ on = "value", path }: Fault): Range {
    if (typeof on === "object") return on;
    const found = locate(this.root, path);
    // What is missing is shown at the key above it; an empty value at its own key.
    if (on === "key" || !found.exact || found.located.value === null) return found.key ?? found.located.range;
    return found.located.range;
  }

  /** A range inside the file that covers something and no line break at its end. */
  #tidy({ start, end }: Range): Range {
    const from = Math.max(0, Math.min(start, this.source.length));
    let to = Math.max(from, Math.min(end, this.source.length));
    while (to > from + 1 && /\s/.test(this.source[to - 1] ?? "")) to -= 1;
    return { start: from, end: Math.max(to, Math.min(from + 1, this.source.length)) };
  }
}
