/** What stands in a loop or a parallel: steps, and not the container itself, also not by way of others. */
import { own } from "../../model.ts";
import { within } from "../below.ts";
import type { Node, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { child, locate } from "../yaml/located.ts";
import { cyclesOf } from "./cycles.ts";
import { entriesOf } from "./entries.ts";

export function checkMembers({ states }: Workflow, report: Report): void {
  const nodes = Object.values(states);
  const known = new Map<Node, number[]>();
  const entry = (node: Node, index: number): number => {
    const list = child(locate(report.root, ["states", node.name]).located, fieldOf(node));
    const entries = known.get(node) ?? entriesOf(within(node), list);
    known.set(node, entries);
    return entries[index] ?? index;
  };
  for (const node of nodes)
    for (const [index, name] of within(node).entries()) {
      if (own(states, name)?.type !== "terminal") continue;
      report.add({
        code: "WORKFLOW.PARSE.INVALID_FIELD",
        message: `"${name}" is an end, and cannot be run in "${node.name}"`,
        expected:
          node.type === "parallel" ? "a step" : `a step; one of the body may lead to "${name}" and end the loop`,
        path: ["states", node.name, fieldOf(node), entry(node, index)],
        loads: true,
      });
    }
  const members = (node: Node): Node[] => within(node).flatMap((name) => own(states, name) ?? []);
  for (const circle of cyclesOf(nodes, members)) {
    const names = nodes.filter((node) => circle.includes(node)).map(({ name }) => name);
    const first = nodes.find(({ name }) => name === names[0]);
    if (first === undefined) continue;
    const index = within(first).findIndex((name) => names.includes(name));
    report.add({
      code: "WORKFLOW.VALIDATION.CYCLE_DETECTED",
      message: names.length === 1 ? `"${first.name}" stands in itself` : `${names.join(", ")} stand in each other`,
      expected: "containers in each other that come to an end: a run would open one in the other for ever",
      path: ["states", first.name, fieldOf(first), entry(first, index)],
      loads: false,
    });
  }
}

const fieldOf = ({ type }: Node): "parallel" | "body" => (type === "parallel" ? "parallel" : "body");
