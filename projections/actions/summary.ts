/**
 * A run as the summary of a job in GitHub Actions, in Markdown.
 *
 * I1. What comes from outside is text: no Markdown, no HTML, no link (T25).
 */
import type { Frame } from "../../machines/exchange.ts";
import { isLive } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";
import { Downtime } from "../runs/downtime.ts";
import { Failures } from "../runs/failures.ts";
import type { FailedStep } from "../runs/tree.ts";
import { safeLine, safeLines } from "../terminal/safe.ts";
import { duration } from "../terminal/words.ts";

type Line = { name: string; status: string; ms: number };
const MOST_LINES = 100;
const MARKS: { readonly [status: string]: string } = { completed: "✅", failed: "❌", cancelled: "🟨", skipped: "⚪" };

export class JobSummary {
  readonly #run: string;
  readonly #failures = new Failures(true);
  readonly #down = new Downtime();
  readonly #began = new Map<string, number>();
  readonly #lines: Line[] = [];
  #title: Line | null = null;
  #more = 0;
  constructor(run: string) {
    this.#run = run;
  }

  see(frame: Frame): void {
    if (isLive(frame)) return;
    const row = this.#down.leftOut(frame);
    this.#failures.see(row);
    if (row.run !== this.#run) return;
    const path = row.step ?? "";
    if (row.type === "run.started") this.#began.set("", row.at);
    if (row.type === "step.started" && !path.includes("/")) this.#began.set(path, row.at);
    if (row.type === "step.completed" && !path.includes("/")) {
      if (this.#lines.length < MOST_LINES)
        this.#lines.push(this.#line(path, row.payload.name, row.payload.status, row.at));
      else this.#more += 1;
    }
    if (row.type === "run.completed") this.#title = this.#line("", row.payload.workflow, row.payload.status, row.at);
  }

  /** Empty while the run runs. */
  text(): string {
    const title = this.#title;
    if (title === null) return "";
    const steps = this.#lines.map((line) => `| ${mark(line.status)} | ${code(line.name)} | ${duration(line.ms)} |`);
    return [
      `### ${mark(title.status)} ${code(title.name)} ${title.status} in ${duration(title.ms)}`,
      "",
      ...(steps.length === 0 ? [] : ["| | step | took |", "|---|---|---|", ...steps, ""]),
      ...(this.#more === 0 ? [] : [`… and ${this.#more} more`, ""]),
      ...(this.#failures.ofTurn().failed?.steps ?? []).flatMap(failure),
    ].join("\n");
  }

  #line(path: string, name: string, status: string, at: number): Line {
    const began = this.#began.get(path) ?? at;
    this.#began.delete(path);
    return { name, status, ms: at - began };
  }
}

/** Of a run that was refused, or whose log could not be followed: why. */
export function refusedSummary(workflow: string, fault: { code: string; message: string }): string {
  const lines = [...safeLines(fault.message), `[${fault.code}]`];
  return [`### ${mark("failed")} ${code(workflow)}`, "", ...fenced(lines), ""].join("\n");
}

const mark = (status: string): string => MARKS[status] ?? "";

/** One line of text as code, which nothing in it can end. */
function code(text: string): string {
  const line = visibleLine(text).replaceAll("|", "¦");
  const ticks = "`".repeat(1 + longestTicks(line));
  return `${ticks} ${line} ${ticks}`;
}

function failure({ address, exitCode, error, stderr, stdout }: FailedStep): string[] {
  const lines = [error?.message ?? `exit code ${exitCode ?? 1}`, ...(stderr.length > 0 ? stderr : stdout)].map(
    safeLine,
  );
  return [`#### ${mark("failed")} ${code(address)}`, "", ...fenced(lines), ""];
}

/** Lines that nothing in them ends. */
function fenced(lines: readonly string[]): string[] {
  const fence = "`".repeat(Math.max(3, 1 + longestTicks(lines.join("\n"))));
  return [`${fence}text`, ...lines, fence];
}

const longestTicks = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
