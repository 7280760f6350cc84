/**
 * Finds steps that share one conversation by its name (`session`) and may run at the same time: a conversation has one
 * prompt at a time.
 */
import { own } from "../../model.ts";
import { nodesBelow } from "../below.ts";
import type { Node, Workflow } from "../document.ts";
import type { Report } from "../report.ts";

export function checkSessions({ states }: Workflow, report: Report): void {
  const named = (node: Node | undefined): Node[] => {
    if (node === undefined || node.type === "terminal") return [];
    return [node, ...Object.values(nodesBelow(node, states))].filter(sessionOf);
  };
  const fault = (node: Node, why: string): void =>
    report.add({
      code: "WORKFLOW.VALIDATION.BAD_CONVERSATION",
      message: `the session "${sessionOf(node)}" may be asked twice at once: ${why}`,
      expected: "another name for each, or session: isolated",
      path: ["states", node.name, "session"],
      loads: false,
    });
  for (const node of Object.values(states)) {
    if (node.type === "for_each" && node.fanned !== undefined)
      for (const one of named(node)) fault(one, `rounds of "${node.name}" run side by side`);
    if (node.type !== "parallel") continue;
    const seen = new Map<string, string>();
    for (const branch of node.branches)
      for (const one of named(own(states, branch))) {
        const before = seen.get(sessionOf(one) ?? "");
        if (before !== undefined && before !== branch) fault(one, `"${before}" and "${branch}" run side by side`);
        seen.set(sessionOf(one) ?? "", branch);
      }
  }
}

const sessionOf = (node: Node): string | undefined => (node.type === "agent" ? node.session : undefined);
