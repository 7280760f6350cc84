/**
 * From `states` to nodes.
 *
 * I1. Every state of the file gets a node; one that could not be read is a stand-in and its fault is an error.
 */
import { FAILURE_EXIT, type Node, type Nodes, type TerminalNode } from "../document.ts";
import { successors } from "../graph.ts";
import type { Report } from "../report.ts";
import { STEP_WORDS, type StepWord } from "../schema/steps.ts";
import type { Path } from "../texts.ts";
import { child, type Located } from "../yaml/located.ts";
import { inlineName, textAt } from "./common.ts";
import { flatStates } from "./flat-states.ts";
import { kindOf, TYPE_WORDS } from "./kind.ts";
import { mendedStep } from "./mended.ts";
import { meantType } from "./other-types.ts";
import { standIn } from "./stand-in.ts";
import { lowerStep } from "./step.ts";
import type { StepPlace } from "./step-place.ts";

export const STATE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const RESERVED = inlineName("");

/** The hidden terminal of an inline `on_failure`, if the state has one. */
function inlineTerminal(name: string, at: Located, line: number): TerminalNode | null {
  const failure = child(at, "on_failure");
  if (failure?.entries === undefined) return null;
  const status = child(failure, "status")?.value;
  const isExit = typeof status === "number" && Number.isInteger(status) && status >= 1 && status <= 255;
  return {
    type: "terminal",
    name: inlineName(name),
    status: "failure",
    message: textAt(failure, "message"),
    exitCode: isExit ? status : FAILURE_EXIT,
    line,
  };
}

function checkName(name: string, path: Path, report: Report): void {
  const fault = { code: "WORKFLOW.PARSE.INVALID_FIELD", path, on: "key" } as const;
  if (name.startsWith(RESERVED)) {
    report.add({
      ...fault,
      message: `"${name}" is a reserved name`,
      expected: `a name that does not start with ${RESERVED}`,
      loads: false,
    });
  } else if (!STATE_NAME.test(name)) {
    const message = `"${name}" is not a name for a state`;
    report.add({ ...fault, message, expected: "letters, digits, _ and -, starting with a letter or _", loads: true });
  }
}

/** A stand-in whose ways on may not all stand in the file as it is. */
function unread(name: string, at: Located, line: number, report: Report): Node {
  const node = standIn(name, at, line);
  if (child(at, "use_template") !== undefined || successors(node).length === 0) report.unsure.add(name);
  return node;
}

/** A state without fields, of which those stand beside it. */
function flat(name: string, fields: readonly string[], path: Path, report: Report): void {
  report.add({
    code: "WORKFLOW.PARSE.INVALID_FIELD",
    message: `the fields of state "${name}" stand beside it, not in it`,
    expected: `${fields.join(", ")} on lines deeper than "${name}"`,
    path,
    on: "key",
    loads: false,
  });
}

function nodeOf(name: string, at: Located, path: Path, line: number, report: Report): Node {
  const fault = { path, on: "key", loads: false } as const;
  if (at.entries === undefined) {
    const message = `state "${name}" must be a map with type and its fields`;
    report.add({ ...fault, code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "a map" });
    return unread(name, at, line, report);
  }
  // A template that could not be used has been reported.
  if (child(at, "use_template") !== undefined) return unread(name, at, line, report);
  const kind = kindOf(at);
  const expected = `one of ${TYPE_WORDS.join(", ")}`;
  if (kind === null) {
    report.add({ ...fault, code: "WORKFLOW.PARSE.MISSING_FIELD", message: `state "${name}" needs "type"`, expected });
  } else if ("unknown" in kind) {
    const message = `"${kind.unknown}" is not a type of step`;
    const meant = meantType(kind.unknown);
    const suggestion = meant === null ? report.suggest(kind.unknown, TYPE_WORDS) : meant.type;
    const where = { path: [...path, "type"], on: "value", loads: false } as const;
    report.add({
      ...where,
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message,
      expected: meant?.why ?? expected,
      suggestion,
    });
    const word = suggestion === "step" ? "command" : STEP_WORDS.find((each) => each === suggestion);
    if (word !== undefined) return mended(word, { name, path, at, line, report });
  } else {
    const node = lowerStep(kind.word, { name, path, at, line, report });
    return node ?? mended(kind.word, { name, path, at, line, report });
  }
  return unread(name, at, line, report);
}

/** The step as it was meant; a stand-in where that cannot be known. */
function mended(word: StepWord, place: StepPlace): Node {
  const { name, at, line, report } = place;
  const meant = mendedStep(word, place);
  if (meant === null) return unread(name, at, line, report);
  report.mended.set(name, meant.at);
  if (successors(meant.node).length === 0) report.unsure.add(name);
  return meant.node;
}

/** The document with its states as they were read. */
function withMended(root: Located, mended: ReadonlyMap<string, Located>): Located {
  const states = root.entries?.get("states");
  if (mended.size === 0 || states === undefined) return root;
  const entries = new Map(states.value.entries);
  for (const [name, value] of mended) {
    const entry = entries.get(name);
    if (entry !== undefined) entries.set(name, { ...entry, value });
  }
  const whole = new Map(root.entries).set("states", { ...states, value: { ...states.value, entries } });
  return { ...root, entries: whole };
}

/** The key that says where the run starts, under another name: there is no "initial", and it names a state. */
export function initialElsewhere(states: Located): string | null {
  if (child(states, "initial") !== undefined) return null;
  const isIt = (at: Located): boolean => at.scalar !== undefined && states.entries?.has(at.scalar.text) === true;
  return [...(states.entries ?? [])].find(([, { value }]) => isIt(value))?.[0] ?? null;
}

/** All nodes of `states`, hidden terminals included. */
export function lowerStates(states: Located, report: Report): Nodes {
  const nodes: Nodes = {};
  const start = initialElsewhere(states) ?? "initial";
  const flattened = flatStates(states);
  const left = new Set([...flattened.values()].flat());
  for (const [name, entry] of states.entries ?? []) {
    if (name === start || left.has(name)) continue;
    const path = ["states", name];
    const { line } = report.position(entry.key.start);
    checkName(name, path, report);
    const fields = flattened.get(name);
    if (fields !== undefined) {
      flat(name, fields, path, report);
      nodes[name] = unread(name, entry.value, line, report);
      continue;
    }
    nodes[name] = nodeOf(name, entry.value, path, line, report);
    const inline = inlineTerminal(name, entry.value, line);
    if (inline !== null) nodes[inline.name] = inline;
  }
  report.root = withMended(report.root, report.mended);
  return nodes;
}
