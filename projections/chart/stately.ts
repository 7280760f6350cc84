/**
 * A workflow as a machine that Stately's tools read: states that invoke their work, guards for conditions, bodies and
 * branches as states within states. A picture, not what runs: XState accepts it as a configuration.
 */
import { own } from "../../machines/model.ts";
import type { Workflow } from "../../machines/workflow/document.ts";
import { type Chart, type ChartEdge, type ChartNode, chartOf } from "./chart.ts";

type StateTransition = { target: string; guard?: string };
export type StatelyState = {
  id: string;
  type?: "final" | "parallel";
  description?: string;
  tags?: string[];
  initial?: string;
  invoke?: { src: string; onDone?: StateTransition[]; onError?: StateTransition[] };
  onDone?: StateTransition[];
  states?: { [name: string]: StatelyState };
};
export type StatelyMachine = { id: string; initial: string; states: { [name: string]: StatelyState } };

/** Names become keys without dots: a dot parts keys in XState. */
const key = (name: string): string => name.replaceAll(".", "_");
/** A skip is an end of its own kind, which the config has no event for. */
const guardOf = (kind: ChartEdge["kind"], label: string): { guard?: string } =>
  kind === "skip" ? { guard: "skipped" } : kind === "when" && label !== "" ? { guard: label } : {};
/** A container has one end in XState, and says in its result how it ended. */
const ifFailed = ({ target }: StateTransition): StateTransition => ({ target, guard: "failed" });
const WAYS = new Set(["success", "failure", "skip", "complete", "when"]);

/** Where a state is put. `near`: the ids that names mean there. `onward`: where it goes when it names no other state. */
type StatePlace = { id: string; near: ReadonlyMap<string, string>; onward: string | null; follow: boolean };

export function stately(workflow: Workflow): StatelyMachine {
  const chart = chartOf(workflow);
  const inside = new Set(chart.nodes.flatMap(({ members }) => members));
  const id = key(chart.name);
  const outer = chart.nodes.filter(({ name }) => !inside.has(name) || name === chart.initial || isReached(chart, name));
  const near = new Map(outer.map(({ name }) => [name, `${id}/${key(name)}`]));
  const builder = new Builder(workflow, chart);
  const states = outer.map((node): [string, StatelyState] => [
    key(node.name),
    builder.state(node, { id: `${id}/${key(node.name)}`, near, onward: null, follow: true }),
  ]);
  return { id, initial: key(chart.initial), states: Object.fromEntries(states) };
}

/** Whether a state that stands in a container is gone to from outside of it. */
function isReached({ nodes, edges }: Chart, name: string): boolean {
  const containers = nodes.filter(({ members }) => members.includes(name));
  const isInside = (from: string, container: ChartNode): boolean =>
    container.members.some((each) => each === from || nodes.some((node) => node.name === each && isInside(from, node)));
  const comes = edges.filter(({ to, kind }) => to === name && WAYS.has(kind));
  return comes.some(({ from }) => !containers.some((container) => isInside(from, container)));
}

class Builder {
  readonly #workflow: Workflow;
  readonly #chart: Chart;

  constructor(workflow: Workflow, chart: Chart) {
    this.#workflow = workflow;
    this.#chart = chart;
  }

  state(node: ChartNode, place: StatePlace): StatelyState {
    const { name, kind, members } = node;
    const description = this.#described(name);
    const about = { id: place.id, tags: [kind], ...(description === undefined ? {} : { description }) };
    if (kind === "terminal") return { ...about, type: "final" };
    const { done, failed } = this.#ways(name, place);
    if (members.length > 0)
      return { ...about, ...this.#container(node, place), onDone: [...failed.map(ifFailed), ...done] };
    const onDone = done.length === 0 ? {} : { onDone: done };
    const onError = failed.length === 0 ? {} : { onError: failed };
    return { ...about, invoke: { src: kind, ...onDone, ...onError } };
  }

  #container(
    { name, kind, members }: ChartNode,
    { id, near }: StatePlace,
  ): Pick<StatelyState, "type" | "initial" | "states"> {
    const found = [...new Set(members)].flatMap((each) => this.#chart.nodes.filter((node) => node.name === each));
    if (kind === "parallel") {
      const regions = found.map((each): [string, StatelyState] => {
        const region = `${id}/${key(each.name)}`;
        const ended = `${region}/ended`;
        const run = this.state(each, { id: `${region}/run`, near, onward: ended, follow: false });
        return [key(each.name), { id: region, initial: "run", states: { run, ended: { id: ended, type: "final" } } }];
      });
      return { type: "parallel", states: Object.fromEntries(regions) };
    }
    const ended = `${id}/ended`;
    const siblings = found.map((each): [string, string] => [each.name, `${id}/${key(each.name)}`]);
    const states = found.map((each, at): [string, StatelyState] => {
      const onward = siblings[at + 1]?.[1] ?? ended;
      // The loop's own name leads to the next state of its body.
      const inner = new Map([...near, [name, onward], ...siblings]);
      return [key(each.name), this.state(each, { id: `${id}/${key(each.name)}`, near: inner, onward, follow: true })];
    });
    return {
      initial: key(found[0]?.name ?? ""),
      states: { ...Object.fromEntries(states), ended: { id: ended, type: "final" } },
    };
  }

  /** Where a state leads when its work is done, and when it failed. A branch's own ways are not followed. */
  #ways(name: string, { near, onward, follow }: StatePlace): { done: StateTransition[]; failed: StateTransition[] } {
    const done: StateTransition[] = [];
    const failed: StateTransition[] = [];
    for (const { from, to, kind, label } of follow ? this.#chart.edges : []) {
      const id = near.get(to);
      if (from !== name || id === undefined || !WAYS.has(kind)) continue;
      const target = { target: `#${id}`, ...guardOf(kind, label) };
      (kind === "failure" ? failed : done).push(target);
    }
    if (onward !== null && done.every(({ guard }) => guard !== undefined)) done.push({ target: `#${onward}` });
    if (onward !== null && !follow) failed.push({ target: `#${onward}` });
    return { done, failed };
  }

  #described(name: string): string | undefined {
    const node = own(this.#workflow.states, name);
    return node?.type === "terminal" ? (node.message ?? undefined) : node?.description;
  }
}
