/** Steps that go on in the tree of another one: that one is there and has a tree; and what of such a step says nothing. */
import { own } from "../../model.ts";
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";

export function checkTrees({ states }: Workflow, report: Report): void {
  const apart = Object.values(states).flatMap((node) =>
    node.type !== "terminal" && node.isolation !== undefined && node.type !== "operation" ? [node.name] : [],
  );
  for (const node of Object.values(states)) {
    if (node.type === "terminal" || node.isolation?.of === undefined) continue;
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
      path: treePath(node),
      loads: false,
    });
  }
}

/** Where the file names it. */
const treePath = ({ type, name }: StepNode): Path =>
  type === "operation" ? ["states", name, "inputs", "tree"] : ["states", name, "isolation", "worktree", "of"];
