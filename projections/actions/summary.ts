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
import { safeLine } from "../terminal/safe.ts";
import { duration } from "../terminal/words.ts";

type Line = { name: string; status: string; ms: number };
const MOST_LINES = 100;
const MARKS: { readonly [status: string]: string } = { completed: "✅", failed: "❌", cancelled: "🟨", skipped: "⚪" };

/** How a run stands that has not ended. */
type Standing = { workflow: string; status: string };

export class JobSummary {
  readonly #run: string;
  readonly #failures = new Failures(true);
  readonly #down = new Downtime();
  readonly #began = new Map<string, number>();
  readonly #lines: Line[] = [];
  /** What it asks, by the question. */
  readonly #asked = new Map<string, string>();
  #workflow = "";
  #title: Line | null = null;
  #isAtRest = false;
  #more = 0;
  constructor(run: string) {
    this.#run = run;
  }

  see(frame: Frame): void {
    if (isLive(frame)) return;
    const row = this.#down.leftOut(frame);
    this.#failures.see(row);
    if (row.type === "turn.started" || row.type === "turn.completed") this.#isAtRest = row.type === "turn.completed";
    if (row.run !== this.#run) return;
    const path = row.step ?? "";
    if (row.type === "run.started") {
      this.#began.set("", row.at);
      this.#workflow = row.payload.workflow;
    }
    if (row.type === "input.required") this.#asked.set(row.payload.input, row.payload.prompt);
    if (row.type === "input.answered") this.#asked.delete(row.payload.input);
    if (row.type === "step.started" && !path.includes("/")) this.#began.set(path, row.at);
    if (row.type === "step.completed" && !path.includes("/")) {
      if (this.#lines.length < MOST_LINES)
        this.#lines.push(this.#line(path, row.payload.name, row.payload.status, row.at));
      else this.#more += 1;
    }
    if (row.type === "run.completed") this.#title = this.#line("", row.payload.workflow, row.payload.status, row.at);
  }

  /** Empty while the run runs, and of one that was stopped, unless `standing` says how it stands. */
  text(standing: Standing | null = null): string {
    const title = this.#titled() ?? (standing && `${code(standing.workflow)} has not ended: ${standing.status}`);
    if (title === null) return "";
    const steps = this.#lines.map((line) => `| ${mark(line.status)} | ${code(line.name)} | ${duration(line.ms)} |`);
    return [
      `### ${title}`,
      "",
      ...(steps.length === 0 ? [] : ["| | step | took |", "|---|---|---|", ...steps, ""]),
      ...(this.#more === 0 ? [] : [`… and ${this.#more} more`, ""]),
      ...(this.#title === null ? [...this.#asked.values()].flatMap((prompt) => fenced(prompt.split("\n"))) : []),
      ...(this.#failures.ofTurn().failed?.steps ?? []).flatMap(failure),
    ].join("\n");
  }

  #titled(): string | null {
    if (this.#title !== null) {
      const { name, status, ms } = this.#title;
      return `${mark(status)} ${code(name)} ${status} in ${duration(ms)}`;
    }
    if (!this.#isAtRest || this.#asked.size === 0) return null;
    return `💬 ${code(this.#workflow)} waits for an answer`;
  }

  #line(path: string, name: string, status: string, at: number): Line {
    const began = this.#began.get(path) ?? at;
    this.#began.delete(path);
    return { name, status, ms: at - began };
  }
}

/** Of a run that was refused, or whose log could not be followed: why. */
export function refusedSummary(workflow: string, fault: { code: string; message: string }): string {
  const lines = [...fault.message.split("\n"), `[${fault.code}]`];
  return [`### ${mark("failed")} ${code(workflow)}`, "", ...fenced(lines)].join("\n");
}

const mark = (status: string): string => MARKS[status] ?? "";

/** One line of text as code, which nothing in it can end. */
function code(text: string): string {
  const line = visibleLine(text).replaceAll("|", "¦");
  const ticks = "`".repeat(1 + longestTicks(line));
  return `${ticks} ${line} ${ticks}`;
}

function failure({ address, exitCode, error, stderr, stdout }: FailedStep): string[] {
  const lines = [error?.message ?? `exit code ${exitCode ?? 1}`, ...(stderr.length > 0 ? stderr : stdout)];
  return [`#### ${mark("failed")} ${code(address)}`, "", ...fenced(lines)];
}

/** Lines that nothing in them ends. */
function fenced(texts: readonly string[]): string[] {
  const lines = texts.map(safeLine);
  const fence = "`".repeat(Math.max(3, 1 + longestTicks(lines.join("\n"))));
  return [`${fence}text`, ...lines, fence, ""];
}

const longestTicks = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
