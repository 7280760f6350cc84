// The chart of a machine as Mermaid text.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

const { named } = await import(pathToFileURL(join(root, "machines", "definition.ts")).href);

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

const idOf = (node) => node.path.join("_").replaceAll(/\W/g, "_");
const visible = (actions) =>
  // XState's own, which set and clear the timers of `after`, are functions with a type.
  actions
    .filter((action) => !action.type?.startsWith("xstate."))
    .map(named)
    .map((action) => action.type ?? action);

/** `xstate.done.actor.run` → "run done", `xstate.after.backoff.…` → "after backoff". */
function eventName(type) {
  const [, verb, child] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (verb !== undefined) return `${child === "*" ? "any child" : child} ${verb === "done" ? "done" : "failed"}`;
  const after = /^xstate\.after\.([^.]+)\./.exec(type)?.[1];
  return after === undefined ? type : `after ${after}`;
}

function label(type, { guard, actions }) {
  const parts = type === "" ? [] : [eventName(type)];
  if (guard !== undefined) {
    const params = typeof guard.params === "object" ? ` ${Object.values(guard.params).join(" ")}` : "";
    parts.push(`[${guard.type ?? guard}${params}]`);
  }
  const done = visible(actions);
  if (done.length > 0) parts.push(`/ ${done.join(", ")}`);
  return parts.join(" ");
}

/** The transitions of a state, as [type, transition]; those without an event first, as "". */
export const transitionsOf = (node) => [
  ...list(node.always).map((transition) => ["", transition]),
  ...[...node.transitions].flatMap(([type, all]) => (type === "" ? [] : all.map((transition) => [type, transition]))),
];

/** Where an arrow begins. The machine itself has no box: its arrows begin at every state that does not take the event. */
const sourcesOf = (node, type) =>
  node.parent === undefined
    ? Object.values(node.states).filter((state) => state.type !== "final" && !state.transitions.has(type))
    : [node];

const WHOLE = { hasState: () => true, hasArrow: () => true };

/** What a machine goes through when nothing fails, nothing is cancelled, and no crash comes. */
const ASIDE = new Set(["stops", "cut off", "tries again"]);
const MISHAPS = /^(xstate\.error\.|cancel\.requested$|owner\.lost$|limit\.reached$|resume\.requested$)/;
const hasAside = (node) => node !== undefined && (node.tags.some((tag) => ASIDE.has(tag)) || hasAside(node.parent));
export function happyPath(machine) {
  const hasState = (node) => !hasAside(node) && (node === machine.root || reached.has(node));
  const hasArrow = (type, { target, meta }) =>
    !MISHAPS.test(type) && meta?.aside !== true && (target ?? []).every((to) => !hasAside(to));
  // What only a mishap leads to is no part of it either.
  const reached = new Set();
  const reach = (node) => {
    if (node === undefined || reached.has(node) || hasAside(node)) return;
    reached.add(node);
    reach(node.parent);
    if (node.initial !== undefined) reach(node.initial.target[0]);
    for (const [type, transition] of transitionsOf(node))
      if (hasArrow(type, transition)) for (const to of transition.target ?? []) reach(to);
  };
  reach(machine.root);
  return { hasState, hasArrow };
}

/** A machine as a state diagram: whole, or what a path has of it. */
export function chart(machine, { hasState, hasArrow } = WHOLE) {
  const inner = [];
  const arrows = [];
  const draw = (node, indent) => {
    const states = Object.values(node.states).filter(hasState);
    const transitions = transitionsOf(node).filter(([type, transition]) => hasArrow(type, transition));
    if (node !== machine.root) {
      const name = `state "${node.key}" as ${idOf(node)}`;
      inner.push(`${indent}${name}${states.length > 0 ? " {" : ""}`);
    }
    const entry = visible(node.entry);
    const inside = transitions.filter(([, { target }]) => target === undefined);
    const remarks = [
      ...(entry.length > 0 ? [`entry / ${entry.join(", ")}`] : []),
      ...inside.map(([type, transition]) => label(type, transition)),
    ];
    const deeper = node === machine.root ? indent : `${indent}  `;
    // A composite state takes no lines of text of its own.
    if (states.length > 0) inner.push(...remarks.map((remark) => `${deeper}%% ${remark}`));
    else inner.push(...remarks.map((remark) => `${indent}${idOf(node)} : ${remark}`));
    // Regions side by side all begin at once.
    if (states.length > 0 && node.type !== "parallel") inner.push(`${deeper}[*] --> ${idOf(node.initial.target[0])}`);
    for (const state of states) draw(state, deeper);
    if (states.length > 0 && node !== machine.root) inner.push(`${indent}}`);
    for (const [type, transition] of transitions) {
      const text = label(type, transition);
      const arrow = (from, to) => arrows.push(`  ${idOf(from)} --> ${idOf(to)}${text === "" ? "" : ` : ${text}`}`);
      for (const to of transition.target ?? []) for (const from of sourcesOf(node, type)) arrow(from, to);
    }
    if (node.type === "final") arrows.push(`  ${idOf(node)} --> [*]`);
  };
  draw(machine.root, "  ");
  return `stateDiagram-v2\n${[...inner, ...arrows].join("\n")}\n`;
}
