/**
 * The workflows that can be run in a directory.
 *
 * I1. Only data is read: nothing is run, rendered or fetched, in a trusted directory or not (T6).
 * I2. A listing is complete: a file that cannot be run is in it with its fault. In a directory with more than
 *     `MOST_CHECKED` files only the heads are read, and a fault behind the head shows when the file is loaded.
 * I3. A document is given out only when it has no error; what runs is the text that was checked.
 */
import { relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Fault } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { checkCalls, type FindCallee } from "../../machines/workflow/check/calls.ts";
import type { Workflow } from "../../machines/workflow/document.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import type { WorkflowHead } from "../../machines/workflow/head.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import type { Validation, WorkflowSummary } from "../facade.ts";
import type { Discovery, Found } from "./discover.ts";
import { Discoveries } from "./discoveries.ts";
import { findById, findByPath, isPath } from "./identifier.ts";
import { type Glance, type ParsedFile, ParsedFiles } from "./parsed-files.ts";
import type { CatalogueOptions, Origin } from "./places.ts";
import { watchWorkflows } from "./watching.ts";

export type { CatalogueOptions } from "./places.ts";

export type Loaded = {
  id: string;
  workflow: Workflow;
  /** Warnings only. */
  findings: Finding[];
  /** The text of the file. */
  source: string;
  file: string;
  /** The file without links: what was read. */
  real: string;
  origin: Origin;
  /** It stands in one of AWF's places. */
  awf: boolean;
};

/** The most files that a listing checks whole. */
export const MOST_CHECKED = 200;
/** The longest time in milliseconds that a listing keeps other work waiting. */
const SLICE_MS = 10;

/** `file:line:column message`, the file as seen from `cwd` where it is below it. */
function placed(finding: Finding, file: string, cwd: string): string {
  const path = relative(cwd, file);
  const help = finding.suggestion === undefined ? "" : ` (did you mean "${finding.suggestion}"?)`;
  const expected = finding.expected === undefined ? "" : `: expected ${finding.expected}`;
  const where = `${path.startsWith("..") ? file : path}:${finding.line}:${finding.column}`;
  return `${where}: ${finding.message}${expected}${help}`;
}

const errorsOf = (findings: readonly Finding[]): Finding[] => findings.filter((each) => each.severity === "error");

function faultOf({ findings }: ParsedFile, { file }: Found, cwd: string): Fault | null {
  const [first, ...rest] = errorsOf(findings);
  if (first === undefined) return null;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return { code: first.code, message: `${placed(first, file, cwd)}${more}` };
}

/** What a parsed file adds to its summary. */
function wholeSummary(parsed: ParsedFile, found: Found, cwd: string): Partial<WorkflowSummary> {
  const { workflow } = parsed;
  const fault = faultOf(parsed, found, cwd);
  if (workflow === null) return { fault: fault ?? { code: "WORKFLOW.VALIDATION.FAILED", message: notOne(found) } };
  return { ...shownOf(workflow), fault };
}

const shownOf = ({ name, description = "", version, inputs }: WorkflowHead): Partial<WorkflowSummary> => ({
  ...(name === "" ? {} : { name }),
  description,
  version: version ?? null,
  // A listing is read by everybody.
  inputs: inputs.map((input) =>
    input.default !== undefined && isSecretName(input.name) ? { ...input, default: "***" } : input,
  ),
});

const notOne = ({ file }: Found): string => `${file} is not a workflow`;

export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #discoveries: Discoveries;
  readonly #files: ParsedFiles;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#discoveries = new Discoveries(options);
    this.#files = new ParsedFiles(options.servers);
  }

  /** Calls `changed` when what `list` finds may have changed, until the answer is called. */
  watch(cwd: string, changed: () => void): () => void {
    return watchWorkflows(cwd, this.#options, changed);
  }

  /** Every workflow of a directory in the order of precedence, then of names; broken ones with their fault. */
  async list(cwd: string): Promise<WorkflowSummary[]> {
    const summaries: WorkflowSummary[] = [];
    const { found: all } = this.#discoveries.of(cwd);
    const whole = all.size <= MOST_CHECKED;
    let since = performance.now();
    for (const found of all.values()) {
      summaries.push(this.#summary(found, cwd, whole));
      if (performance.now() - since < SLICE_MS) continue;
      await setImmediate();
      since = performance.now();
    }
    return summaries;
  }

  /** What a listing left out, and why: one sentence each. */
  async warnings(cwd: string): Promise<string[]> {
    return this.#discoveries.of(cwd).warnings;
  }

  /**
   * A workflow that can be run, by id or by the path of its file. `from` is the file of the workflow that calls it:
   * a bare name means that file's pack first.
   * Throws USER.FACADE.*, SYSTEM.IO.*, or WORKFLOW.VALIDATION.FAILED with the errors in its details.
   */
  async load(cwd: string, identifier: string, from: string | null = null): Promise<Loaded> {
    const found = this.#find(cwd, identifier, from);
    if (found.fault !== null) throw troupeError(found.fault);
    const parsed = this.#files.read(found);
    const { workflow, findings, source } = parsed;
    const fault = faultOf(parsed, found, cwd);
    const { id, file, real, origin, awf } = found;
    if (workflow !== null && fault === null) return { id, workflow, findings, source, file, real, origin, awf };
    const message = fault?.message ?? notOne(found);
    throw new TroupeError("WORKFLOW.VALIDATION.FAILED", message, { id, file, findings: errorsOf(findings) });
  }

  /**
   * All findings of a workflow's file, those of its calls of other files included. Throws only when there is no such
   * file or it cannot be read.
   */
  async validate(cwd: string, identifier: string): Promise<Validation> {
    const discovery = this.#discoveries.of(cwd);
    const found = this.#find(cwd, identifier, null, discovery);
    const { workflow, findings, source } = this.#files.read(found);
    const calls = workflow === null ? [] : checkCalls(workflow, source, found.awf, this.#callees(cwd, discovery));
    const all = [...findings, ...calls].sort((a, b) => a.range.start - b.range.start);
    return { id: found.id, file: found.file, source, findings: all, workflow };
  }

  #callees(cwd: string, discovery: Discovery): FindCallee {
    return (name, from) => {
      try {
        const found = this.#find(cwd, name, from, discovery);
        if (found.fault !== null) return { missing: found.fault.message };
        return { file: found.file, workflow: this.#files.read(found).workflow };
      } catch (error) {
        return { missing: troupeError(error).message };
      }
    };
  }

  #find(cwd: string, identifier: string, from: string | null, discovery = this.#discoveries.of(cwd)): Found {
    if (isPath(identifier)) return findByPath(identifier, cwd, this.#options, discovery);
    const caller = from === null ? undefined : [...discovery.found.values()].find((each) => each.file === from);
    const pack = caller?.origin === "pack" ? (caller.id.split("/")[0] ?? null) : null;
    return findById(identifier, discovery, pack);
  }

  #summary(found: Found, cwd: string, whole: boolean): WorkflowSummary {
    const { id, origin, file, fault } = found;
    const name = id.slice(id.indexOf("/") + 1);
    const empty = { id, name, description: "", version: null, source: origin, file, inputs: [], fault };
    if (fault !== null) return empty;
    try {
      const glance: Glance = whole ? { type: "whole", parsed: this.#files.read(found) } : this.#files.glance(found);
      if (glance.type === "whole") return { ...empty, ...wholeSummary(glance.parsed, found, cwd) };
      return { ...empty, ...shownOf(glance.head) };
    } catch (error) {
      const { code, message } = troupeError(error);
      return { ...empty, fault: { code, message } };
    }
  }
}
