/** States that no run reaches, ways that never end, and steps that lead nowhere. */
import { own } from "../../model.ts";
import { neededBy } from "../../parallel/order.ts";
import { INLINE_ERROR, type Node, type Workflow } from "../document.ts";
import { exits, successors } from "../graph.ts";
import { isUnread } from "../lower/stand-in.ts";
import type { Report } from "../report.ts";
import { cyclesOf } from "./cycles.ts";
import { enter, exit, type Flow, leadingTo, type Moment } from "./flow.ts";

const hidden = (name: string): boolean => name.startsWith(INLINE_ERROR);

/** The states that no way leads to, but for those that only others of them lead to. */
function firstUnreached(workflow: Workflow, flow: Flow): string[] {
  const unreached = Object.values(workflow.states).filter(({ name }) => !flow.reached.has(name) && !hidden(name));
  const led = new Set(unreached.flatMap((node) => successors(node).filter((name) => name !== node.name)));
  const covered = new Set<string>();
  const cover = (from: string): void => {
    const open = [from];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const node = own(workflow.states, name);
      if (node === undefined || covered.has(name)) continue;
      covered.add(name);
      open.push(...successors(node));
    }
  };
  const first = unreached.filter(({ name }) => !led.has(name));
  for (const { name } of first) cover(name);
  // What is left leads in circles: the first of each stands for it.
  const circles = unreached.filter(({ name }) => {
    if (covered.has(name)) return false;
    cover(name);
    return true;
  });
  const told = new Set([...first, ...circles].map(({ name }) => name));
  return unreached.map(({ name }) => name).filter((name) => told.has(name));
}

function checkReached(workflow: Workflow, flow: Flow, report: Report): void {
  for (const name of firstUnreached(workflow, flow)) {
    const message = `no way leads to state "${name}"`;
    const path = ["states", name];
    report.add({
      code: "WORKFLOW.VALIDATION.UNREACHABLE_STATE",
      message,
      expected: "a transition to it, or none of it",
      path,
      on: "key",
      loads: true,
    });
  }
}

/**
 * AWF refuses a file without an end, and a command that leads nowhere unless it is a branch. Returns whether there is
 * such a state: then what no way leads to is most likely where it should.
 */
function checkExits(workflow: Workflow, flow: Flow, report: Report): boolean {
  const code = "WORKFLOW.VALIDATION.INVALID_TRANSITION";
  const nodes = Object.values(workflow.states);
  const isOpen = (node: Node): boolean => isUnread(node) || report.mended.has(node.name);
  const ends = (node: Node): boolean => (node.type === "terminal" && !hidden(node.name)) || isOpen(node);
  if (!nodes.some(ends)) {
    report.add({
      code,
      message: "the workflow has no end",
      expected: "a state of type terminal",
      path: ["states"],
      on: "key",
      loads: false,
    });
  }
  let stops = false;
  for (const node of nodes) {
    if (node.type === "terminal" || isOpen(node) || exits(node).length > 0) continue;
    if (!flow.followed.has(node.name) || flow.bodies.has(node.name) || report.unsure.has(node.name)) continue;
    stops = true;
    const message = `state "${node.name}" leads nowhere`;
    const expected = "on_success, on_failure or transitions";
    report.add({ code, message, expected, path: ["states", node.name], on: "key", loads: node.type !== "command" });
  }
  return stops;
}

/** Knows the steps of a loop's rounds: they are bounded, and no cycle. */
function rounds({ states }: Workflow): (from: Moment, to: Moment) => boolean {
  const bodies = new Map<string, ReadonlySet<string>>();
  for (const node of Object.values(states)) {
    if (node.type === "for_each" || node.type === "while") bodies.set(node.name, new Set(node.body));
  }
  const inLoop = (loop: string, name: string): boolean => bodies.get(loop)?.has(name) ?? false;
  return (from, to) => {
    if (!from.startsWith("exit:") || !to.startsWith("enter:")) return false;
    const left = from.slice("exit:".length);
    const entered = to.slice("enter:".length);
    return inLoop(left, entered) || inLoop(entered, left);
  };
}

/** One fault per cycle that leads to no end, at the state of it that comes first in the file. */
function checkCycles(workflow: Workflow, flow: Flow, report: Report): void {
  const names = Object.keys(workflow.states);
  const ends = Object.values(workflow.states).filter(
    (node) => node.type === "terminal" || isUnread(node) || report.unsure.has(node.name),
  );
  const ending = leadingTo(
    flow,
    ends.map((node) => enter(node.name)),
  );
  const stuck = names.filter((name) => flow.followed.has(name) && !ending.has(exit(name)));
  const order = new Map(names.map((name, index) => [exit(name), index]));
  const isRound = rounds(workflow);
  const nexts = (moment: Moment): readonly Moment[] =>
    (flow.edges.get(moment) ?? []).filter((next) => !isRound(moment, next));
  for (const cycle of cyclesOf(stuck.map(exit), nexts)) {
    const places = cycle.flatMap((moment) => order.get(moment) ?? []).sort((a, b) => a - b);
    const states = places.flatMap((place) => names[place] ?? []);
    const first = states[0];
    if (first === undefined) continue;
    const shown = states.length > 6 ? `${states.slice(0, 6).join(", ")}, …` : states.join(", ");
    const message =
      states.length === 1 ? `state "${first}" only leads back to itself` : `no end can be reached from ${shown}`;
    const expected = "a transition that leads to an end";
    report.add({
      code: "WORKFLOW.VALIDATION.CYCLE_DETECTED",
      message,
      expected,
      path: ["states", first],
      on: "key",
      loads: true,
    });
  }
}

/** Branches of one parallel that wait for each other: none of them can begin. One fault per circle. */
function checkOrder(workflow: Workflow, report: Report): void {
  const { states } = workflow;
  for (const parallel of Object.values(states)) {
    if (parallel.type !== "parallel") continue;
    const needs = (name: string): string[] => neededBy({ node: parallel, nodes: states }, name);
    for (const circle of cyclesOf(parallel.branches, needs)) {
      const names = parallel.branches.filter((name) => circle.includes(name));
      const [first = ""] = names;
      const message =
        names.length === 1 ? `"${first}" depends on itself` : `${names.join(", ")} depend on each other in a circle`;
      report.add({
        code: "WORKFLOW.VALIDATION.CYCLE_DETECTED",
        message,
        expected: "branches of which one can begin",
        path: ["states", first, "depends_on"],
        loads: true,
      });
    }
  }
}

export function checkGraph(workflow: Workflow, flow: Flow, report: Report): void {
  const stops = checkExits(workflow, flow, report);
  checkOrder(workflow, report);
  if (!flow.reached.size) return;
  if (!stops && !flow.unsure) checkReached(workflow, flow, report);
  checkCycles(workflow, flow, report);
}
