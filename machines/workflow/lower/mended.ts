/**
 * A step that cannot be read as it stands, read as it was most likely meant: what is wrong with it has been said, and all
 * its other texts are still checked.
 *
 * I1. It never runs: a fault has made the document unusable. What stands in for a value draws no finding of its own.
 * I2. A misspelt field stands under its right name, where it stands in the file.
 */
import type { Node } from "../document.ts";
import { Report } from "../report.ts";
import { meantField } from "../schema/other-words.ts";
import type { StepWord } from "../schema/steps.ts";
import { child, type Entry, type Located } from "../yaml/located.ts";
import { fieldsOfStep, lowerStep } from "./step.ts";
import type { StepPlace } from "./step-place.ts";

/** A text that only a run can know: nothing is looked up by it. */
const LATER = "{{.context.WorkingDir}}";
/** Of each kind what it cannot do without: one of the fields of each line, or the first with this text. */
const NEEDED: { readonly [word in StepWord]?: readonly (readonly [text: string, ...fields: string[]])[] } = {
  command: [["true", "command", "script_file"]],
  agent: [
    [LATER, "provider", "agent"],
    [LATER, "prompt", "prompt_file"],
  ],
  operation: [["", "operation"]],
  call_workflow: [[LATER, "workflow", "call_workflow"]],
  for_each: [[LATER, "items", "matrix"]],
  while: [["true", "while"]],
};

/** The entries under the names that were meant, where those are not there too (I2). */
function rightNames(at: Located, fields: readonly string[], report: Report): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [name, entry] of at.entries ?? []) {
    const meant = fields.includes(name) ? name : (meantField(name, fields) ?? report.suggest(name, fields));
    const isFree = meant !== null && fields.includes(meant) && (meant === name || !at.entries?.has(meant));
    entries.set(isFree && !entries.has(meant) ? meant : name, entry);
  }
  return entries;
}

const isText = (entry: Entry | undefined): boolean => entry?.value.scalar !== undefined && entry.value.value !== null;

/** The node of a step of this kind as it was meant, and how it stands then; null where that cannot be known. */
export function mendedStep(word: StepWord, place: StepPlace): { node: Node; at: Located } | null {
  const { at, report } = place;
  const entries = rightNames(at, fieldsOfStep(word), report);
  const shown = new Map(entries);
  for (const [text, ...fields] of NEEDED[word] ?? []) {
    const [field = "", ...others] = fields;
    const first = entries.get(field);
    const isThere =
      (word === "for_each" ? first !== undefined : isText(first)) ||
      others.some((other) => child(at, other) !== undefined);
    if (isThere) continue;
    const value: Located = { value: text, range: at.range, scalar: { style: "plain", text } };
    entries.set(field, { key: at.range, value });
  }
  const value = Object.fromEntries([...entries].map(([name, entry]) => [name, entry.value.value]));
  const node = lowerStep(word, { ...place, at: { ...at, entries, value }, report: new Report("", report.awf) });
  return node === null ? null : { node, at: { ...at, entries: shown } };
}
