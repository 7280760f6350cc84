/** States that no run reaches, ways that never end, and steps that lead nowhere. */
import type { Node, Workflow } from "../document.ts";
import { exits } from "../graph.ts";
import { isUnread } from "../lower/stand-in.ts";
import type { Report } from "../report.ts";
import { after, enter, exit, type Flow, type Moment } from "./flow.ts";

const hidden = (name: string): boolean => name.startsWith("__inline_error_");

function checkReached(workflow: Workflow, flow: Flow, report: Report): void {
  for (const name of Object.keys(workflow.states)) {
    if (flow.reached.has(name) || hidden(name)) continue;
    const message = `no way leads to state "${name}"`;
    const path = ["states", name];
    report.add({ code: "WORKFLOW.VALIDATION.UNREACHABLE_STATE", message, expected: "a transition to it, or none of it", path, on: "key", loads: true });
  }
}

/** AWF refuses a file without an end, and a command that leads nowhere unless it is a branch. */
function checkExits(workflow: Workflow, flow: Flow, report: Report): void {
  const code = "WORKFLOW.VALIDATION.INVALID_TRANSITION";
  const nodes = Object.values(workflow.states);
  const ends = (node: Node): boolean => (node.type === "terminal" && !hidden(node.name)) || isUnread(node);
  if (!nodes.some(ends)) {
    report.add({ code, message: "the workflow has no end", expected: "a state of type terminal", path: ["states"], on: "key", loads: false });
  }
  for (const node of nodes) {
    if (node.type === "terminal" || isUnread(node) || exits(node).length > 0) continue;
    if (!flow.followed.has(node.name) || flow.bodies.has(node.name)) continue;
    const message = `state "${node.name}" leads nowhere`;
    const expected = "on_success, on_failure or transitions";
    report.add({ code, message, expected, path: ["states", node.name], on: "key", loads: node.type !== "command" });
  }
}

/** Everything from which an end can be reached. */
function ending(flow: Flow, terminals: readonly Node[]): Set<Moment> {
  const back = new Map<Moment, Moment[]>();
  for (const [from, targets] of flow.edges) {
    for (const to of targets) back.set(to, [...(back.get(to) ?? []), from]);
  }
  const reversed: Flow = { ...flow, edges: back };
  return new Set(terminals.flatMap((node) => [enter(node.name), ...after(reversed, enter(node.name))]));
}

/** One fault per cycle that cannot be left, at the state of it that comes first in the file. */
function checkCycles(workflow: Workflow, flow: Flow, report: Report): void {
  const ends = ending(flow, Object.values(workflow.states).filter((node) => node.type === "terminal" || isUnread(node)));
  const told = new Set<string>();
  for (const name of Object.keys(workflow.states)) {
    if (!flow.followed.has(name) || told.has(name) || ends.has(exit(name))) continue;
    const next = after(flow, exit(name));
    if (!next.has(exit(name)) || [...next].some((moment) => ends.has(moment))) continue;
    const cycle = Object.keys(workflow.states).filter((each) => next.has(exit(each)) && after(flow, exit(each)).has(exit(name)));
    for (const each of cycle) told.add(each);
    const shown = cycle.length > 6 ? `${cycle.slice(0, 6).join(", ")}, …` : cycle.join(", ");
    const message = cycle.length === 1 ? `state "${name}" only leads back to itself` : `no end can be reached from ${shown}`;
    report.add({ code: "WORKFLOW.VALIDATION.CYCLE_DETECTED", message, expected: "a transition that leads to an end", path: ["states", name], on: "key", loads: true });
  }
}

export function checkGraph(workflow: Workflow, flow: Flow, report: Report): void {
  checkExits(workflow, flow, report);
  if (!flow.reached.size) return;
  checkReached(workflow, flow, report);
  checkCycles(workflow, flow, report);
}
