/** Every state that is named exists. */

import { own } from "../../model.ts";
import { within } from "../below.ts";
import { FAILURE_EXIT, type Node, type StepNode, type Workflow } from "../document.ts";
import { inlineName, textAt } from "../lower/common.ts";
import type { Report, ReportedFault } from "../report.ts";
import type { Path } from "../texts.ts";
import { child, type Located, locate } from "../yaml/located.ts";
import { entriesOf } from "./entries.ts";

export type Repairs = ReadonlyMap<string, string>;
type Named = { name: string; path: Path; exit: boolean };

function namedBy(node: StepNode, root: Located): Named[] {
  const at = (field: string, ...more: (string | number)[]): Path => ["states", node.name, field, ...more];
  const exit = (name: string | null, path: Path): Named[] => (name === null ? [] : [{ name, path, exit: true }]);
  const loop = node.type === "for_each" || node.type === "while";
  const memberField = node.type === "parallel" ? "parallel" : "body";
  const { located } = locate(root, ["states", node.name]);
  const listed = (names: readonly string[], field: string): Named[] => {
    const entries = entriesOf(names, child(located, field));
    return names.map((name, index) => ({ name, path: at(field, entries[index] ?? index), exit: false }));
  };
  const gotos = node.transitions.map(({ goto }) => goto);
  const ways = entriesOf(gotos, child(located, "transitions"), (item) => textAt(item, "goto"));
  return [
    ...exit(node.onSuccess, at("on_success")),
    ...exit(node.onFailure, at("on_failure")),
    ...exit(node.onSkip ?? null, at("on_skip")),
    ...exit(node.isolation?.onConflict ?? null, conflictPath(node, at)),
    ...(loop ? exit(node.onComplete, at("on_complete")) : []),
    ...gotos.flatMap((goto, index) => exit(goto, at("transitions", ways[index] ?? index, "goto"))),
    ...listed(within(node), memberField),
    ...listed(node.dependsOn, "depends_on"),
  ];
}

/** Where the file names the state that conflicts of a merge lead to. */
const conflictPath = (node: StepNode, at: (field: string, ...more: string[]) => Path): Path =>
  node.type === "operation" ? at("inputs", "on_conflict") : at("isolation", "worktree", "on_conflict");

/** The states that stand in the body of a loop. */
function bodies(workflow: Workflow): ReadonlySet<string> {
  const isLoop = (node: Node): boolean => node.type === "for_each" || node.type === "while";
  return new Set(Object.values(workflow.states).flatMap((node) => (isLoop(node) ? within(node) : [])));
}

/** `expected` and `suggestion` of a fault about a state that does not exist; `steps` leaves out the ends. */
export function stateHelp(
  name: string,
  { states }: Workflow,
  report: Report,
  steps = false,
): Pick<ReportedFault, "expected" | "suggestion"> {
  if (report.isFull) return {};
  const fits = (node: Node): boolean =>
    node.type === "terminal" ? !steps && !node.name.startsWith(inlineName("")) : true;
  const names = Object.values(states)
    .filter(fits)
    .map((node) => node.name);
  const shown = names.length > 12 ? `${names.slice(0, 12).join(", ")}, …` : names.join(", ");
  return { expected: names.length === 0 ? "a state" : `one of ${shown}`, suggestion: report.suggest(name, names) };
}

/**
 * Faults for every name that is not there. AWF does not look at where the states of a body go, nor at depends_on:
 * there such a name becomes a state that fails with a message, so that the document stays complete.
 * Returns what each misspelt name most likely means, so that one slip is not reported as many.
 */
export function checkReferences(workflow: Workflow, report: Report): Repairs {
  const repairs = new Map<string, string>();
  const help = (name: string): Pick<ReportedFault, "expected" | "suggestion"> => {
    const found = stateHelp(name, workflow, report);
    if (found.suggestion) repairs.set(name, found.suggestion);
    return found;
  };
  const { states } = workflow;
  const body = bodies(workflow);
  const code = "WORKFLOW.VALIDATION.MISSING_STATE";
  if (workflow.initial !== "" && own(states, workflow.initial) === undefined) {
    const message = `state "${workflow.initial}" does not exist`;
    report.add({ code, message, ...help(workflow.initial), path: ["states", "initial"], loads: false });
  }
  const absent = new Set<string>();
  const unnamed: { from: string; name: string }[] = [];
  const unknown = (name: string): boolean => own(states, name) === undefined;
  for (const node of Object.values(states)) {
    if (node.type === "terminal") continue;
    for (const { name, path, exit } of namedBy(node, report.root)) {
      if (!unknown(name)) continue;
      const unused = path[2] === "depends_on";
      if (!unused && !repairs.has(name)) unnamed.push({ from: node.name, name });
      const loads = unused || (exit && body.has(node.name));
      report.add({ code, message: `state "${name}" does not exist`, ...help(name), path, loads });
      if (loads && report.awf && !unused) absent.add(name);
    }
    if (report.awf) node.dependsOn = node.dependsOn.filter((name) => !unknown(name));
  }
  for (const { from, name } of unnamed) if (!repairs.has(name)) report.unsure.add(from);
  for (const name of absent) {
    states[name] = {
      type: "terminal",
      name,
      status: "failure",
      message: `state ${name} does not exist`,
      exitCode: FAILURE_EXIT,
    };
  }
  return repairs;
}
