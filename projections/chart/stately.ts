/**
 * A workflow as a machine that Stately's tools read: states that invoke their work, guards for conditions, bodies and
 * branches as states within states. A picture, not what runs: XState accepts it as a configuration.
 */
import type { ExpressionText, Workflow } from "../../machines/workflow/document.ts";
import { type Chart, type ChartNode, chartOf } from "./chart.ts";

type Target = { target: string; guard?: string };
export type StatelyState = {
  id: string;
  type?: "final" | "parallel";
  description?: string;
  tags?: string[];
  initial?: string;
  invoke?: { src: string; onDone?: Target[]; onError?: Target[] };
  onDone?: Target[];
  states?: { [name: string]: StatelyState };
};
export type StatelyMachine = { id: string; initial: string; states: { [name: string]: StatelyState } };

/** Names become keys without dots: a dot parts keys in XState. */
const key = (name: string): string => name.replaceAll(".", "_");

export function stately(workflow: Workflow): StatelyMachine {
  const chart = chartOf(workflow);
  const inside = new Set(chart.nodes.flatMap(({ members }) => members));
  const gone = new Set(chart.edges.filter(({ kind }) => GOES.has(kind)).map(({ to }) => to));
  const places = new Map<string, string>();
  const outer = chart.nodes.filter(({ name }) => !inside.has(name) || gone.has(name) || name === chart.initial);
  for (const { name } of outer) places.set(name, `${key(chart.name)}/${key(name)}`);
  const builder = new Builder(workflow, chart, places);
  return {
    id: key(chart.name),
    initial: key(chart.initial),
    states: Object.fromEntries(outer.map((node) => [key(node.name), builder.state(node, places)])),
  };
}

const GOES = new Set(["success", "failure", "complete", "when"]);

class Builder {
  readonly #workflow: Workflow;
  readonly #chart: Chart;
  readonly #outer: ReadonlyMap<string, string>;

  constructor(workflow: Workflow, chart: Chart, outer: ReadonlyMap<string, string>) {
    this.#workflow = workflow;
    this.#chart = chart;
    this.#outer = outer;
  }

  /** `near`: the ids of the states beside it, which a target means first. */
  state(node: ChartNode, near: ReadonlyMap<string, string>, then: string | null = null): StatelyState {
    const { name, kind, members } = node;
    const description = this.#described(name);
    const id = near.get(name) ?? name;
    const about = { id, tags: [kind], ...(description === undefined ? {} : { description }) };
    if (kind === "terminal") return { ...about, type: "final" };
    const { done, failed } = this.#ways(name, near, then);
    if (members.length === 0) {
      const onDone = done.length === 0 ? {} : { onDone: done };
      const onError = failed.length === 0 ? {} : { onError: failed };
      return { ...about, invoke: { src: kind, ...onDone, ...onError } };
    }
    return {
      ...about,
      ...this.#container(node, id),
      ...(done.length + failed.length === 0 ? {} : { onDone: [...done, ...failed] }),
    };
  }

  #container(node: ChartNode, id: string): Pick<StatelyState, "type" | "initial" | "states"> {
    const names = [...new Set(node.members)];
    const found = names.flatMap((name) => this.#chart.nodes.filter((each) => each.name === name));
    if (node.kind === "parallel") {
      // A branch runs one state; where that would go is not followed.
      const regions = found.map((each): [string, StatelyState] => {
        const region = `${id}/${key(each.name)}`;
        const inner = new Map([[each.name, `${region}/run`]]);
        const end = { id: `${region}/ended`, type: "final" } as const;
        const run = this.state({ ...each }, inner, end.id);
        return [key(each.name), { id: region, initial: "run", states: { run, ended: end } }];
      });
      return { type: "parallel", states: Object.fromEntries(regions) };
    }
    const near = new Map(found.map(({ name }) => [name, `${id}/${key(name)}`]));
    const ended = `${id}/ended`;
    const states = found.map((each, at): [string, StatelyState] => {
      const next = found[at + 1];
      return [key(each.name), this.state(each, near, next === undefined ? ended : (near.get(next.name) ?? ended))];
    });
    near.set(node.name, ended);
    return {
      initial: key(found[0]?.name ?? ""),
      states: { ...Object.fromEntries(states), ended: { id: ended, type: "final" } },
    };
  }

  /** Where a state leads when its work is done, and when it failed. */
  #ways(name: string, near: ReadonlyMap<string, string>, then: string | null): { done: Target[]; failed: Target[] } {
    const done: Target[] = [];
    const failed: Target[] = [];
    const target = (to: string): Target[] => {
      const id = near.get(to) ?? this.#outer.get(to);
      return id === undefined ? [] : [{ target: `#${id}` }];
    };
    const guarded = (to: string, when: ExpressionText): Target[] =>
      target(to).map((each) => (when === "" ? each : { ...each, guard: when }));
    const region = then?.endsWith("/ended") === true && near.size === 1;
    if (!region) {
      for (const { to, kind, label } of this.#chart.edges.filter(({ from }) => from === name)) {
        if (kind === "when") done.push(...guarded(to, label));
        if (kind === "success" || kind === "complete") done.push(...target(to));
        if (kind === "failure") failed.push(...target(to));
      }
    }
    if (then !== null && done.every(({ guard }) => guard !== undefined)) done.push({ target: `#${then}` });
    if (then !== null && region) failed.push({ target: `#${then}` });
    return { done, failed };
  }

  #described(name: string): string | undefined {
    const node = Object.hasOwn(this.#workflow.states, name) ? this.#workflow.states[name] : undefined;
    if (node === undefined) return undefined;
    return node.type === "terminal" ? (node.message ?? undefined) : node.description;
  }
}
