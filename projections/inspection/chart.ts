/**
 * The chart of a machine as a graph, made from its definition, and where the machine stands in it.
 *
 * I1. A state is named by its path (`attempting.working`): the same definition makes the same graph, whatever happens.
 * I2. Every transition with a target is an edge or, where it leads into or out of the state that it belongs to, or
 *     belongs to the machine itself, one of `within`: a drawing cannot show an arrow from a box to what is inside of
 *     it.
 */
import { eventText } from "./actors.ts";

export type MachineState = { name: string; label: string; isParallel: boolean; members: string[] };
export type MachineWay = { from: string; to: string; label: string };
export type MachineChart = { states: MachineState[]; ways: MachineWay[]; within: MachineWay[] };

type Way = { target?: unknown; guard?: unknown };
type Config = {
  type?: string;
  on?: { [event: string]: unknown };
  after?: { [delay: string]: unknown };
  always?: unknown;
  states?: { [name: string]: Config };
};

/** `definition`: as it is sent with an actor. Throws a `SyntaxError` where it is no JSON. */
export function machineChart(definition: string): MachineChart {
  const root = JSON.parse(definition) as Config;
  const chart: MachineChart = { states: [], ways: [], within: [] };
  const found = new Map<string, MachineWay & { labels: Set<string> }>();
  const visit = (config: Config, path: string): void => {
    const below = Object.entries(config.states ?? {});
    const inside = (name: string): string => (path === "" ? name : `${path}.${name}`);
    if (path !== "") {
      const label = path.slice(path.lastIndexOf(".") + 1);
      chart.states.push({
        name: path,
        label,
        isParallel: config.type === "parallel",
        members: below.map(([name]) => inside(name)),
      });
    }
    for (const { to, label } of waysOf(config, path)) {
      const known = found.get(`${path}\n${to}`) ?? { from: path, to, label: "", labels: new Set<string>() };
      known.labels.add(label);
      found.set(`${path}\n${to}`, known);
    }
    for (const [name, state] of below) visit(state, inside(name));
  };
  visit(root, "");
  for (const { from, to, labels } of found.values()) {
    const way = { from, to, label: [...labels].join(" · ") };
    (from === "" || isIn(to, from) || isIn(from, to) ? chart.within : chart.ways).push(way);
  }
  return chart;
}

/**
 * Those in which it is, with all that are around them. `{attempting: "working"}`: `attempting`, `attempting.working`.
 */
export function activeStates(value: unknown): Set<string> {
  const active = new Set<string>();
  const visit = (at: unknown, path: string): void => {
    const inside = (name: string): string => (path === "" ? name : `${path}.${name}`);
    if (typeof at === "string") active.add(inside(at));
    else if (typeof at === "object" && at !== null)
      for (const [name, below] of Object.entries(at)) {
        active.add(inside(name));
        visit(below, inside(name));
      }
  };
  visit(value, "");
  return active;
}

const isIn = (one: string, other: string): boolean => one !== other && one.startsWith(`${other}.`);

function waysOf({ on = {}, after = {}, always }: Config, path: string): { to: string; label: string }[] {
  const ways = (given: unknown, label: string): { to: string; label: string }[] =>
    (Array.isArray(given) ? given : [given]).flatMap((one: unknown) => {
      const { target, guard } = (typeof one === "string" ? { target: one } : (one ?? {})) as Way;
      const condition = typeof guard === "string" ? guard : undefined;
      const words = [label, condition].filter((part) => part !== undefined && part !== "").join(" ");
      const targets = (Array.isArray(target) ? target : [target]).filter((to) => typeof to === "string");
      return targets.map((to) => ({ to: resolved(to, path), label: words }));
    });
  return [
    ...Object.entries(on).flatMap(([event, given]) => ways(given, eventText(event))),
    ...Object.entries(after).flatMap(([delay, given]) => ways(given, `after ${delay}`)),
    ...ways(always, ""),
  ];
}

/** `.child`, `#machine.path`, or beside the state itself. */
function resolved(target: string, path: string): string {
  if (target.startsWith("#")) return target.split(".").slice(1).join(".");
  if (target.startsWith(".")) return path === "" ? target.slice(1) : path + target;
  const above = path.lastIndexOf(".");
  return above < 0 ? target : `${path.slice(0, above)}.${target}`;
}
