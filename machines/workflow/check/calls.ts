/**
 * Calls of other workflows, looked at across files: what is called must be there, and must not call its way back.
 *
 * I1. Only names that stand in the file are followed; what a template will name is not known here.
 */
import type { Workflow } from "../document.ts";
import type { Finding } from "../finding.ts";
import { Report, type ReportedFault } from "../report.ts";
import { readYaml } from "../yaml/read.ts";
import { placeOf } from "./place.ts";

/** A workflow that is called: the file it stands in, and its document where that can be read. */
export type Callee = { file: string; workflow: Workflow | null };
/** Finds what `name` means in the workflow of the file `from`; null, or why there is none. */
export type FindCallee = (name: string, from: string | null) => Callee | { missing: string };

type CallSite = { state: string; name: string };

const callsOf = (workflow: Workflow): CallSite[] =>
  Object.values(workflow.states).flatMap((node) =>
    node.type === "call_workflow" && !node.workflow.includes("{{") ? [{ state: node.name, name: node.workflow }] : [],
  );

/** The names by which `workflow`, called as `name`, leads back to the file `home`, `name` first; null where it does not. */
export function wayBack(name: string, callee: Callee, home: string, find: FindCallee): string[] | null {
  const seen = new Set<string>();
  const follow = (at: Callee, names: string[]): string[] | null => {
    if (at.file === home) return names;
    if (seen.has(at.file) || at.workflow === null) return null;
    seen.add(at.file);
    for (const call of callsOf(at.workflow)) {
      const next = find(call.name, at.file);
      const way = "missing" in next ? null : follow(next, [...names, call.name]);
      if (way !== null) return way;
    }
    return null;
  };
  return follow(callee, [name]);
}

/** The faults of a workflow's calls. `source` is the text of its file, which is read again only to point at a fault. */
export function checkCalls(workflow: Workflow, source: string, awf: boolean, find: FindCallee): Finding[] {
  const { file } = workflow;
  if (file === null) return [];
  const report = new Report(source, awf);
  const faults = callsOf(workflow).flatMap(({ state, name }): ReportedFault[] => {
    const path = ["states", state, "workflow"];
    const callee = find(name, file);
    if ("missing" in callee) {
      return [{ code: "USER.FACADE.WORKFLOW_NOT_FOUND", message: callee.missing, path, loads: true }];
    }
    const way = wayBack(name, callee, file, find);
    if (way === null) return [];
    const message =
      way.length === 1 ? `"${name}" calls itself` : `"${name}" calls its way back here: ${way.join(", then ")}`;
    const expected = "calls that come to an end: a run ends with an error where a workflow calls itself";
    return [{ code: "WORKFLOW.CALL.CIRCULAR", message, expected, path, loads: true }];
  });
  if (faults.length === 0) return [];
  report.root = readYaml(source).root ?? report.root;
  for (const { path, ...fault } of faults) {
    const [, state, ...field] = path;
    report.add({ ...fault, path: placeOf(report.root, workflow, String(state), field).path });
  }
  return report.findings();
}
