/**
 * The states of a template for one step.
 *
 * I1. The template's first state takes the step's name; fields of the step win over the template's. Its type does not,
 *     nor does a command or script where the template has work of its own: AWF loads such a step only with a dummy.
 * I2. Further states are named `<step>__<state>`; a success end leads to the step's on_success, a failure end to
 *     its on_failure. So are they where the template's fields and texts name them; what a parameter's value reads is a
 *     state of the workflow.
 * I3. What comes from the template stands, for findings, at the step's `use_template`, and they say where it is written;
 *     what the step says stands where it says it.
 */
import type { Json } from "../../model.ts";
import { MERGE_OPERATION } from "../document.ts";
import type { Range } from "../finding.ts";
import { MARKS } from "../schema/steps.ts";
import { child, type Entry, type Located } from "../yaml/located.ts";
import { foreign } from "./foreign.ts";
import { ownStatesRenamed } from "./own-states.ts";
import type { StepTemplate } from "./read.ts";
import { substitute, type Values } from "./substitute.ts";

export type StepFields = { [name: string]: Json };

const isMap = (value: Json | undefined): value is StepFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The field of the step that an end of the template stands for; null for other states, and where the step has none. */
function outerField(
  states: StepFields,
  fields: StepFields,
  name: Json | undefined,
): "on_success" | "on_failure" | null {
  const state = typeof name === "string" && Object.hasOwn(states, name) ? states[name] : undefined;
  if (!isMap(state) || !endsIn(state)) return null;
  const field = state["status"] === "failure" ? "on_failure" : "on_success";
  // An inline failure belongs to one state: the others keep the template's own end.
  return typeof fields[field] === "string" ? field : null;
}

/** Where names of the template's own states lead in the workflow. */
function renaming(
  step: string,
  template: StepTemplate,
  states: StepFields,
  fields: StepFields,
): (name: string) => Json {
  return (name) => {
    if (name === template.initial) return step;
    if (!Object.hasOwn(states, name) || !isMap(states[name])) return name;
    const field = outerField(states, fields, name);
    return (field === null ? null : fields[field]) ?? `${step}__${name}`;
  };
}

/** Without a type it is known by its fields, as every state is. */
function endsIn(state: StepFields): boolean {
  const has = (field: string): boolean => Object.hasOwn(state, field);
  if (has("type")) return String(state["type"]).toLowerCase() === "terminal";
  return MARKS.terminal.some(has) && !["use_template", ...WORK].some(has);
}

/** The template's states, before its parameters are put in, with what their texts read of each other renamed. */
function textsRenamed(step: string, template: StepTemplate): StepFields {
  const states = template.states.value as StepFields;
  const to = (name: string): string | null => {
    const state = Object.hasOwn(states, name) ? states[name] : undefined;
    if (!isMap(state) || endsIn(state)) return null;
    return name === template.initial ? step : `${step}__${name}`;
  };
  return Object.fromEntries(
    Object.entries(states).map(([name, state]) => [name, isMap(state) ? ownStatesRenamed(state, to) : state]),
  );
}

/** A state with one of these has a way on of its own. */
const EXITS = ["on_success", "on_failure", "on_complete"] as const;
const TARGETS = [...EXITS, "on_skip"] as const;
/** What a command step runs, and what else a template's state may do; see I1. */
const RUN = ["command", "script_file"] as const;
const { terminal: _, ...STEP_MARKS } = MARKS;
const WORK = Object.values(STEP_MARKS).flat();
const LISTS = ["body", "parallel", "depends_on"] as const;
/** Where a state names another one deeper down; `inputs` is that of an operation which merges a tree. */
const BELOW = [
  ["conversation", "continue_from"],
  ["isolation", "worktree", "of"],
  ["isolation", "worktree", "on_conflict"],
] as const;
const OF_MERGES = [
  ["inputs", "tree"],
  ["inputs", "on_conflict"],
] as const;

/** The value with what stands at `way` renamed, if it is a text. */
function renamedAt(value: Json, [field, ...way]: readonly string[], one: (value: Json) => Json): Json {
  if (field === undefined) return typeof value === "string" ? one(value) : value;
  const inner = isMap(value) ? value[field] : undefined;
  return inner === undefined ? value : { ...(value as StepFields), [field]: renamedAt(inner, way, one) };
}

function rename(state: StepFields, to: (name: string) => Json): StepFields {
  let copy: StepFields = { ...state };
  const one = (value: Json | undefined): Json => (typeof value === "string" ? to(value) : (value ?? null));
  for (const field of TARGETS) if (typeof copy[field] === "string") copy[field] = one(copy[field]);
  for (const field of LISTS) {
    const list = copy[field];
    if (Array.isArray(list)) copy[field] = list.map(one);
  }
  const transitions = copy["transitions"];
  if (Array.isArray(transitions)) {
    copy["transitions"] = transitions.map((each) => (isMap(each) ? { ...each, goto: one(each["goto"]) } : each));
  }
  const below = copy["operation"] === MERGE_OPERATION ? [...BELOW, ...OF_MERGES] : BELOW;
  for (const way of below) copy = renamedAt(copy, way, one) as StepFields;
  return copy;
}

/** The states that take the place of `step`, with their names. */
export function instantiate(
  step: string,
  template: StepTemplate,
  values: Values,
  at: Located,
  range: Range,
): [string, Located][] {
  const states = substitute(textsRenamed(step, template), values) as StepFields;
  const fields = at.value as StepFields;
  const to = renaming(step, template, states, fields);
  const made: [string, Located][] = [];
  for (const [name, raw] of Object.entries(states)) {
    if (name === "initial" || !isMap(raw)) continue;
    const ends = endsIn(raw);
    if (ends && to(name) !== `${step}__${name}`) continue;
    const internal = EXITS.some((field) => typeof raw[field] === "string") || Array.isArray(raw["transitions"]);
    const from = child(template.states, name) ?? template.states;
    const state = foreign(rename(raw, to), range, from, template.written);
    const entries = new Map(state.entries ?? []);
    // What the step says stands, for findings, where the step says it.
    const take = (field: string, from: string): void => {
      const entry = at.entries?.get(from);
      if (entry !== undefined) entries.set(field, entry);
    };
    for (const field of TARGETS) {
      const from = outerField(states, fields, raw[field]);
      if (from !== null) take(field, from);
    }
    if (!internal && !ends && name !== template.initial) {
      take("on_success", "on_success");
      take("on_failure", "on_failure");
    }
    const whole: Located = { ...located(entries, state.range), ...(state.written && { written: state.written }) };
    made.push(name === template.initial ? [step, overlay(whole, at, internal)] : [`${step}__${name}`, whole]);
  }
  return made;
}

function located(entries: ReadonlyMap<string, Entry>, range: Range): Located {
  return { value: Object.fromEntries([...entries].map(([name, entry]) => [name, entry.value.value])), range, entries };
}

/** The template's first state with the step's fields over it; with exits of its own it keeps the way on. */
function overlay(state: Located, at: Located, internal: boolean): Located {
  const entries = new Map(state.entries ?? []);
  for (const [name, entry] of at.entries ?? []) {
    if (name === "use_template" || name === "parameters" || entry.value.value === null) continue;
    if (name === "type" && entries.has("type")) continue;
    if (RUN.some((field) => field === name) && WORK.some((field) => state.entries?.has(field))) continue;
    if (internal && name === "on_success" && entries.has(name)) continue;
    entries.set(name, entry);
  }
  return located(entries, at.range);
}
