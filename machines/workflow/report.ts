/**
 * Collects the faults of one file and turns them into findings.
 *
 * I1. Where AWF loads a file as it is, a fault that AWF does not refuse is a warning there and an error elsewhere.
 * I2. Findings come out in the order of the file.
 * I3. What a report costs is bounded, whatever the file: so many findings, each of so many characters, and so much
 *     time for what might have been meant. Further faults are counted; where one is an error, so is the count.
 */
import type { Finding, FindingCode, Range, Severity } from "./finding.ts";
import { FILE_LIMITS } from "./limits.ts";
import { Suggestions } from "./suggest.ts";
import type { Path } from "./texts.ts";
import { type Found, type Located, locate, pathText } from "./yaml/located.ts";

export type ReportedFault = {
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
  /** True where a run that begins here and now is refused for it, though it is only a warning. */
  refuses?: boolean;
};

/** The most characters of a message and of a path. */
const LONGEST_TEXT = 1_000;
const cut = (text: string): string => (text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`);

export class Report {
  readonly source: string;
  readonly awf: boolean;
  root: Located = { value: null, range: { start: 0, end: 0 } };
  readonly #most: number;
  readonly #findings: Finding[] = [];
  readonly #told = new Set<string>();
  readonly #lines: number[] = [0];
  readonly #suggestions = new Suggestions();
  /** States whose ways on were not all read: what no way leads to may be where they lead. */
  readonly unsure = new Set<string>();
  /** States that could not be read as they stand, and were read as they were most likely meant: how they stand then. */
  readonly mended = new Map<string, Located>();
  /** The paths of fields that are there under a misspelt name. */
  readonly meant = new Set<string>();
  /** An input could not be read: a name that is not declared may be its. */
  lostInput = false;
  #more = 0;
  #worst: Severity = "warning";

  /** `most`: how many findings are reported. */
  constructor(source: string, awf: boolean, most: number = FILE_LIMITS.findings) {
    this.source = source;
    this.awf = awf;
    this.#most = most;
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.#lines.push(at + 1);
  }

  /** No more is reported: what a finding would say need not be found out. */
  get isFull(): boolean {
    return this.#findings.length >= this.#most;
  }

  add(fault: ReportedFault): void {
    const severity = (this.awf && fault.loads) || fault.maybe === true ? "warning" : "error";
    if (this.isFull) {
      this.#more += 1;
      if (severity === "error") this.#worst = severity;
      return;
    }
    const found = locate(this.root, fault.path);
    const range = this.#tidy(rangeOf(fault, found));
    const elsewhere = found.located.written?.();
    const message = cut(elsewhere === undefined ? fault.message : `${elsewhere}: ${fault.message}`);
    // A value that stands for several states is wrong once.
    const same = `${range.start} ${range.end} ${fault.code} ${message}`;
    if (this.#told.has(same)) return;
    this.#told.add(same);
    const { expected, suggestion } = fault;
    this.#findings.push({
      code: fault.code,
      severity,
      message,
      ...(expected === undefined ? {} : { expected: cut(expected) }),
      ...(suggestion === undefined || suggestion === null ? {} : { suggestion }),
      path: cut(pathText(fault.path)),
      ...(fault.refuses === true && severity === "warning" ? { refuses: true as const } : {}),
      ...this.#placed(range),
    });
  }

  /** The candidate that `word` most likely means; null also where the time for such help is spent (I3). */
  suggest(word: string, candidates: Iterable<string>): string | null {
    return this.isFull ? null : this.#suggestions.suggest(word, candidates);
  }

  /** All findings so far, in file order. */
  findings(): Finding[] {
    const told = this.#findings.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
    if (this.#more === 0) return told;
    const code = "WORKFLOW.PARSE.LIMIT_EXCEEDED";
    const { length } = this.source;
    const place = this.#placed({ start: length, end: length });
    return [...told, { code, severity: this.#worst, message: `and ${this.#more} more`, path: "", ...place }];
  }

  #placed(range: Range): Pick<Finding, "range" | "line" | "column" | "endLine" | "endColumn"> {
    const from = this.position(range.start);
    const to = this.position(range.end);
    return { range, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
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

  /** A range inside the file that covers something and no line break at its end. */
  #tidy({ start, end }: Range): Range {
    const from = Math.max(0, Math.min(start, this.source.length));
    const to = from + this.source.slice(from, Math.max(from, end)).trimEnd().length;
    return { start: from, end: Math.max(to, Math.min(from + 1, this.source.length)) };
  }
}

function rangeOf({ on = "value" }: ReportedFault, found: Found): Range {
  if (typeof on === "object") return on;
  // What is missing is shown at the key above it; an empty value at its own key.
  if (on === "key" || !found.exact || found.located.value === null) return found.key ?? found.located.range;
  return found.located.range;
}
