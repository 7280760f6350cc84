/** What Troupe and its reader say to each other: one question on standard input, lines of JSON on standard output. */
import type { FileLimits } from "../../../machines/workflow/limits.ts";
import type { WorkflowSummary } from "../../api/records.ts";
import type { BudgetLimits } from "../../base/budget.ts";
import type { Details } from "../../errors/troupe-error.ts";
import type { Checked, Loaded } from "../catalogue.ts";
import type { Environment, Installed } from "../search-paths.ts";

export type ReaderLimits = {
  /** Milliseconds for one answer. */
  ms: number;
  /** Mebibytes of its heap. */
  heapMiB: number;
};

export type Ask =
  /** `skip`: ids of files that are not to be opened. */
  | { type: "list"; cwd: string; skip: readonly string[] }
  | { type: "warnings"; cwd: string }
  | { type: "validate"; cwd: string; identifier: string }
  | { type: "load"; cwd: string; identifier: string; from: string | null };

export type Question = {
  ask: Ask;
  environment: Environment;
  homedir: string;
  servers: readonly string[];
  installed?: Installed;
  agents: readonly string[] | null;
  limits: FileLimits;
  folder: BudgetLimits;
};

export type Said =
  /** All workflows of a list, by their names alone. */
  | { type: "found"; summaries: readonly WorkflowSummary[] }
  /** A workflow of the list that is about to be opened. */
  | { type: "opens"; id: string }
  | { type: "read"; summaries: readonly WorkflowSummary[] }
  | { type: "listed" }
  | { type: "warnings"; warnings: readonly string[] }
  | { type: "validation"; validation: Checked }
  | { type: "loaded"; loaded: Loaded }
  | { type: "fault"; code: string; message: string; details: Details };
