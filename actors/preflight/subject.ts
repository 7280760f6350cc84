/** One workflow that is looked at before it runs, and what is found wrong with it. */

import { flowOf } from "../../machines/workflow/check/flow.ts";
import { placeOf } from "../../machines/workflow/check/place.ts";
import { surelyReached } from "../../machines/workflow/check/surely.ts";
import { toleratedSteps } from "../../machines/workflow/check/tolerated.ts";
import type { Workflow } from "../../machines/workflow/document.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import { Report, type ReportedFault } from "../../machines/workflow/report.ts";
import { readYaml } from "../../machines/workflow/yaml/read.ts";

/** The workflow as it was read; `source` is its file's text. */
export type Subject = { workflow: Workflow; source: string };
/**
 * `at`: the field of the state, or of the workflow itself. `loads` and `refuses` are the subject's to say. `cause`: faults of one cause are one
 * finding, at the first step that they refuse a run for, which names the others. `passes`: the step runs all the same.
 * `given`: it is what the run's inputs make; where a condition may keep the run from the step, only the step itself fails.
 */
export type StepFault = Omit<ReportedFault, "path" | "loads" | "refuses"> & {
  at: readonly (string | number)[];
  cause?: string;
  passes?: boolean;
  given?: boolean;
};

const MOST_NAMED = 5;

/** A longer file is not read a second time to point at more than a line. */
const MOST_LOCATED = 32 * 1024;

export class Faults {
  readonly #subject: Subject;
  readonly #found: { fault: ReportedFault; states: string[] }[] = [];
  readonly #causes = new Map<string, { fault: ReportedFault; states: string[] }>();
  #ends: ((state: string) => boolean) | null = null;
  #sure: ReadonlySet<string> | null = null;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** `state`: null for what the workflow itself says. */
  add(state: string | null, { at, cause, passes = false, given = false, ...told }: StepFault): void {
    const path = state === null ? at : ["states", state, ...at];
    const isDoubtful = given && state !== null && !this.#isSure(state);
    const fault = isDoubtful ? { ...told, maybe: true } : told;
    const refuses = !passes && !isDoubtful && (state === null || this.#endsTheRun(state));
    const found = { fault: { ...fault, path, loads: true, refuses }, states: state === null ? [] : [state] };
    const known = cause === undefined ? undefined : this.#causes.get(cause);
    if (known === undefined) {
      this.#found.push(found);
      if (cause !== undefined) this.#causes.set(cause, found);
      return;
    }
    known.states.push(...found.states);
    if (known.fault.refuses !== true && refuses) known.fault = found.fault;
  }

  /** In the order of the file. */
  findings(): Finding[] {
    if (this.#found.length === 0) return [];
    const { workflow, source } = this.#subject;
    const report = new Report(source, workflow.awf === true);
    const isShort = source.length <= MOST_LOCATED;
    if (isShort) report.root = readYaml(source).root ?? report.root;
    for (const { fault: one, states } of this.#found) {
      const fault = { ...one, message: `${one.message}${othersThan(String(one.path[1]), states)}` };
      const [root, state = "", ...rest] = fault.path;
      const [owner, field] = root === "states" ? [String(state), rest] : [null, fault.path];
      if (isShort) report.add({ ...fault, path: placeOf(report.root, workflow, owner, field).path });
      else report.add({ ...fault, on: this.#line(String(state)) });
    }
    return report.findings();
  }

  #line(state: string): { start: number; end: number } {
    const { workflow, source } = this.#subject;
    const before = source.split("\n").slice(0, (workflow.states[state]?.line ?? 1) - 1);
    const start = before.reduce((sum, line) => sum + line.length + 1, 0);
    return { start, end: source.indexOf("\n", start) };
  }

  #isSure(state: string): boolean {
    this.#sure ??= surelyReached(this.#subject.workflow);
    return this.#sure.has(state);
  }

  #endsTheRun(state: string): boolean {
    if (this.#ends === null) {
      const { workflow } = this.#subject;
      const tolerated = toleratedSteps(workflow);
      const { reached } = flowOf(workflow, new Map());
      this.#ends = (name) => reached.has(name) && !tolerated.has(name);
    }
    return this.#ends(state);
  }
}

function othersThan(state: string, states: readonly string[]): string {
  const others = states.filter((name) => name !== state);
  if (others.length === 0) return "";
  const named = others.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : "";
  return `; ${others.length === 1 ? "step" : "steps"} ${named.join(", ")}${more} ${others.length === 1 ? "needs" : "need"} it too`;
}
