/** Steps that go on in the tree of another one: that one is there and has a tree. What a file says in vain of a tree is a fault. */
import { own } from "../../model.ts";
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";

export function checkTrees({ states }: Workflow, report: Report): void {
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
    if (of === "" || of.includes("{{") || of.includes("/") || apart.includes(of)) continue;
    const there = own(states, of) !== undefined;
    report.add({
      code: "WORKFLOW.VALIDATION.UNDEFINED_STATE",
      message: there
        ? `step "${of}" works in no worktree of its own`
        : `there is no step "${of}" that leaves a worktree`,
      expected: apart.length === 0 ? "a step with isolation: worktree" : `one of ${apart.join(", ")}, or a branch`,
      suggestion: there ? null : report.suggest(of, apart),
      path: [...placeOf(node), node.type === "operation" ? "tree" : "of"],
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
