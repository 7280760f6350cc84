/**
 * Steps that go on in the tree of another one: that one is there, has a tree, and can have run before. What a file says
 * in vain of a tree is a fault.
 */
import { own } from "../../model.ts";
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";
import { enter, exit, type Flow, laterThan } from "./flow.ts";

/** How far all questions of order together may walk. */
const MOST_STEPS = 1_000_000;

export function checkTrees({ states }: Workflow, flow: Flow, report: Report): void {
  const steps = { left: MOST_STEPS };
  const apart = Object.values(states).flatMap((node) =>
    node.type !== "terminal" && node.isolation !== undefined && node.type !== "operation" ? [node.name] : [],
  );
  const branches = new Set(Object.values(states).flatMap((node) => (node.type === "parallel" ? node.branches : [])));
  for (const node of Object.values(states)) {
    if (node.type === "terminal" || node.isolation === undefined) continue;
    for (const [field, message, expected] of inVain(node, branches.has(node.name)))
      report.add({
        code: "WORKFLOW.PARSE.INVALID_FIELD",
        message,
        expected,
        path: [...placeOf(node), field],
        on: "key",
        loads: false,
      });
    if (node.isolation.of === undefined) continue;
    const { of } = node.isolation;
    // A template is known when it is rendered; a branch has a stroke in its name.
    if (of === "" || of.includes("{{") || of.includes("/")) continue;
    const path = [...placeOf(node), node.type === "operation" ? "tree" : "of"];
    if (apart.includes(of)) {
      if (!flow.reached.has(node.name) || laterThan(flow, exit(of), steps)(enter(node.name))) continue;
      report.add({
        code: "WORKFLOW.VALIDATION.FORWARD_REFERENCE",
        message: `"${node.name}" goes on in the worktree of "${of}", which cannot have run before it`,
        expected: "a step that runs earlier",
        path,
        loads: true,
      });
      continue;
    }
    const others = apart.filter((name) => name !== node.name);
    const there = own(states, of) !== undefined;
    report.add({
      code: "WORKFLOW.VALIDATION.UNDEFINED_STATE",
      message: there
        ? `step "${of}" works in no worktree of its own`
        : `there is no step "${of}" that leaves a worktree`,
      expected: others.length === 0 ? "a step with isolation: worktree" : `one of ${others.join(", ")}, or a branch`,
      suggestion: there ? null : report.suggest(of, others),
      path,
      loads: false,
    });
  }
}

/** Where the file speaks of its tree. */
const placeOf = ({ type, name }: StepNode): Path =>
  type === "operation" ? ["states", name, "inputs"] : ["states", name, "isolation", "worktree"];

/** Fields that would change nothing, each with why and what to write instead. */
function inVain({ name, type, isolation }: StepNode, isBranch: boolean): [string, string, string][] {
  if (isolation === undefined) return [];
  const { of, from, setup, onConflict } = isolation;
  const found: [string, string, string][] = [];
  const isOther = of !== undefined && type !== "operation";
  const why = `"${name}" works in a tree that is there already: it is neither begun nor set up again`;
  if (isOther && from !== "") found.push(["from", why, "of without from"]);
  if (isOther && setup !== null) found.push(["setup", why, "of without setup"]);
  if (isBranch && onConflict !== undefined) {
    const message = `"${name}" is a branch and leads nowhere, also where its merge has conflicts: they stand in its result`;
    found.push(["on_conflict", message, "a transition of the parallel, or worktree.merge after it"]);
  }
  return found;
}
