/**
 * The workflows that can be run in a directory.
 *
 * I1. Only data is read: nothing is run, rendered or fetched, in a trusted directory or not (T6).
 * I2. A listing is complete: a file that cannot be run is in it with its fault. In a directory with more than
 *     `MOST_CHECKED` files only the heads are read, and a fault behind the head shows when the file is loaded.
 * I3. A document is given out only when it has no error; what runs is the text that was checked.
 * I4. A look costs no more than its budget; what it is not enough for is listed with that as its fault.
 */
import { setImmediate } from "node:timers/promises";
import { own } from "../../machines/model.ts";
import { identified } from "../../machines/naming/identifier.ts";
import { checkCalls, type FindCallee } from "../../machines/workflow/check/calls.ts";
import { checkEnvironment } from "../../machines/workflow/check/environment.ts";
import { checkFileTexts } from "../../machines/workflow/check/file-texts.ts";
import { checkScripts } from "../../machines/workflow/check/scripts.ts";
import type { Input, Workflow } from "../../machines/workflow/document.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import { FILE_LIMITS } from "../../machines/workflow/limits.ts";
import type { Validation, WorkflowSummary } from "../api/records.ts";
import { Budget, type BudgetLimits, SMALL } from "../base/budget.ts";
import { systemClock } from "../base/clock.ts";
import { sizeOf } from "../base/read-text.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import type { Discovery, FoundWorkflow } from "./discover.ts";
import { Discoveries } from "./discoveries.ts";
import { withElsewhere } from "./elsewhere.ts";
import { findById, findByPath, isPath } from "./identifier.ts";
import { KeptParses } from "./kept-parses.ts";
import { withNamed } from "./named-within.ts";
import { type Glance, ParsedFiles } from "./parsed-files.ts";
import { ProjectInputs } from "./project-inputs.ts";
import { scriptReader } from "./scripts.ts";
import type { CatalogueOptions, Origin } from "./search-paths.ts";
import { emptySummary, errorsOf, faultOf, notOne, shownOf, tooMuch, wholeSummary } from "./summary.ts";
import { watchWorkflows } from "./watching.ts";

export type { CatalogueOptions } from "./search-paths.ts";

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

/** `draft`: see `Parsed`. */
export type Checked = Validation & { draft: Workflow | null };
type Beside = { found: FoundWorkflow; source: string; cwd: string; discovery: Discovery; budget: Budget };

export type ListOptions = {
  budget?: Budget;
  /** Ids of files that are not opened. */
  skip?: ReadonlySet<string>;
  /** Hears of all workflows before any is opened, by their names alone. */
  found?: (summaries: readonly WorkflowSummary[]) => void;
  /** Hears of each before it is opened, with its bytes. */
  opens?: (file: { id: string; size: number }) => void;
  read?: (summary: WorkflowSummary) => void;
};

/** What can be asked of the workflows of a directory. */
export type Workflows = {
  watch(cwd: string, changed: () => void): () => void;
  warnings(cwd: string): Promise<string[]>;
  list(cwd: string): Promise<WorkflowSummary[]>;
  load(cwd: string, identifier: string, from?: string | null): Promise<Loaded>;
  validate(cwd: string, identifier: string): Promise<Checked>;
};

/** What one look at a directory may cost where nothing else is said. */
export const FOLDER: BudgetLimits = { bytes: 32 * 1024 * 1024, entries: 20_000, marks: Number.POSITIVE_INFINITY };

/** The most files that a listing checks whole. */
export const MOST_CHECKED = 200;
/** The longest time in milliseconds that a listing keeps other work waiting. */
const SLICE_MS = 10;

export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #discoveries: Discoveries;
  readonly #files: ParsedFiles;
  readonly #project = new ProjectInputs();

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#discoveries = new Discoveries(options);
    const { servers, installed, agents, limits, cacheChars, keptParses } = options;
    this.#files = new ParsedFiles({
      ...(servers ? { servers } : {}),
      ...(installed ? { installed } : {}),
      ...(agents ? { agents } : {}),
      ...(limits ? { limits } : {}),
      ...(cacheChars ? { cacheChars } : {}),
      ...(keptParses ? { keptParses: new KeptParses(keptParses) } : {}),
    });
  }

  #budget(): Budget {
    return new Budget(this.#options.folder?.() ?? FOLDER);
  }

  /** Calls `changed` when what `list` finds may have changed, until the answer is called. */
  watch(cwd: string, changed: () => void): () => void {
    return watchWorkflows(cwd, this.#options, changed);
  }

  /** Every workflow of a directory in the order of precedence, then of names; broken ones with their fault. */
  async list(cwd: string, { budget = this.#budget(), ...o }: ListOptions = {}): Promise<WorkflowSummary[]> {
    const summaries: WorkflowSummary[] = [];
    const { found: all } = this.#discoveries.of(cwd, budget);
    o.found?.([...all.values()].map(emptySummary));
    if (budget.isTrial) budget.foresee(this.#unread(all));
    const whole = all.size <= MOST_CHECKED;
    let since = systemClock.elapsed();
    for (const found of all.values()) {
      if (budget.isTrial && budget.isSpent) break;
      o.opens?.({ id: found.id, size: sizeOf(found.real) });
      const summary = o.skip?.has(found.id) ? tooMuch(found) : this.#summary(found, cwd, { whole, budget });
      summaries.push(summary);
      o.read?.(summary);
      if (systemClock.elapsed() - since < SLICE_MS) continue;
      await setImmediate();
      since = systemClock.elapsed();
    }
    this.#files.close();
    return summaries;
  }

  /** Bytes of the files that would have to be read. */
  #unread(all: Discovery["found"]): number {
    if (all.size > SMALL.entries) return Number.POSITIVE_INFINITY;
    return [...all.values()].reduce((sum, each) => sum + (this.#files.isKnown(each) ? 0 : sizeOf(each.real)), 0);
  }

  /** What a listing left out, and why: one sentence each. */
  async warnings(cwd: string, budget = this.#budget()): Promise<string[]> {
    return this.#discoveries.of(cwd, budget).warnings;
  }

  /**
   * A workflow that can be run, by id or by the path of its file. `from` is the file of the workflow that calls it:
   * a bare name means that file's pack first.
   * Throws USER.FACADE.*, SYSTEM.IO.*, or WORKFLOW.VALIDATION.FAILED with the errors in its details.
   */
  async load(cwd: string, identifier: string, from: string | null = null, budget = this.#budget()): Promise<Loaded> {
    const found = this.#find(cwd, identifier, from, this.#discoveries.of(cwd, budget), budget);
    if (found.fault !== null) throw troupeError(found.fault);
    const parsed = this.#files.read(found, budget);
    this.#files.close();
    const { workflow, findings, source } = parsed;
    const fault = faultOf(parsed, found, cwd);
    const { id, file, real, origin, awf } = found;
    if (workflow !== null && fault === null) {
      const inputs = from === null ? this.#project.into(workflow.inputs, found, cwd) : workflow.inputs;
      const named = identified(workflow, id);
      const document = inputs === workflow.inputs ? named : { ...named, inputs };
      return { id, workflow: document, findings, source, file, real, origin, awf };
    }
    const message = fault?.message ?? notOne(found);
    throw new TroupeError("WORKFLOW.VALIDATION.FAILED", message, { id, file, findings: errorsOf(findings) });
  }

  /**
   * All findings of a workflow's file, those of its calls of other files included. Throws only when there is no such
   * file or it cannot be read.
   */
  async validate(cwd: string, identifier: string, budget = this.#budget()): Promise<Checked> {
    const discovery = this.#discoveries.of(cwd, budget);
    const found = this.#find(cwd, identifier, null, discovery, budget);
    const { workflow, draft, findings, source } = this.#files.read(found, budget);
    const read = workflow ?? draft;
    const beside = read === null ? [] : this.#beside(read, { found, source, cwd, discovery, budget });
    this.#files.close();
    const all = [...findings, ...beside].sort((a, b) => a.range.start - b.range.start);
    return { id: found.id, file: found.file, source, findings: all, workflow, draft };
  }

  /** What a document's calls, variables and scripts make wrong. */
  #beside(workflow: Workflow, { found, source, cwd, discovery, budget }: Beside): Finding[] {
    const { environment } = this.#options;
    const read = scriptReader(cwd, found.file, environment, budget);
    return [
      ...checkCalls(workflow, source, found.awf, this.#callees(cwd, discovery, budget)),
      ...checkEnvironment(workflow, source, (name) => own(environment, name)),
      ...checkScripts(workflow, source, read),
      ...checkFileTexts(workflow, source, read),
    ];
  }

  #callees(cwd: string, discovery: Discovery, budget: Budget): FindCallee {
    return (name, from) => {
      try {
        const found = this.#find(cwd, name, from, discovery, budget);
        if (found.fault !== null) return { missing: found.fault.message };
        return { file: found.file, workflow: this.#files.read(found, budget).workflow };
      } catch (error) {
        return { missing: troupeError(error).message };
      }
    };
  }

  #find(cwd: string, identifier: string, from: string | null, discovery: Discovery, budget: Budget): FoundWorkflow {
    if (isPath(identifier)) return findByPath(identifier, cwd, this.#options, discovery);
    const caller = from === null ? undefined : [...discovery.found.values()].find((each) => each.file === from);
    const pack = caller?.origin === "pack" ? (caller.id.split("/")[0] ?? null) : null;
    try {
      return findById(identifier, discovery, pack);
    } catch (error) {
      const lost = from === null ? withElsewhere(error, identifier, cwd, discovery) : error;
      const found = discovery.found.values();
      throw withNamed(lost, identifier, { found, nameOf: (each) => this.#files.nameIn(each, budget) });
    }
  }

  #summary(found: FoundWorkflow, cwd: string, { whole, budget }: { whole: boolean; budget: Budget }): WorkflowSummary {
    const empty = emptySummary(found);
    const { description } = this.#options.limits?.() ?? FILE_LIMITS;
    if (found.fault !== null) return empty;
    try {
      const given = <T extends { inputs: Input[] }>(of: T): T => ({
        ...of,
        inputs: this.#project.into(of.inputs, found, cwd),
      });
      const glance: Glance = whole
        ? { type: "whole", parsed: this.#files.read(found, budget) }
        : this.#files.glance(found, budget);
      if (glance.type === "head") return { ...empty, ...shownOf(given(glance.head), description) };
      const { workflow } = glance.parsed;
      const parsed = { ...glance.parsed, workflow: workflow === null ? null : given(workflow) };
      return { ...empty, ...wholeSummary(parsed, found, cwd, description) };
    } catch (error) {
      const { code, message } = troupeError(error);
      return { ...empty, fault: { code, message } };
    }
  }
}
