/**
 * Owns the functions over text. The questions (`contains`, `has_prefix` …) answer false for null; the others refuse it.
 */

import { type Json, own } from "../../../model.ts";
import { areEqual } from "../values.ts";
import type { FunctionCall, Functions, Signature } from "./call.ts";

const question = (holds: (text: string, part: string) => boolean): Signature => ({
  least: 2,
  most: 2,
  usage: "(text, part)",
  apply: (call) => call.at(0) !== null && call.at(1) !== null && holds(call.text(0), call.text(1)),
});
const mapped = (change: (text: string) => string): Signature => ({
  least: 1,
  most: 1,
  usage: "(text)",
  apply: (call) => {
    const text = call.text(0);
    call.budget.make(text.length, call.range);
    const changed = change(text);
    call.budget.make(changed.length, call.range);
    return changed;
  },
});
const cut = (change: (text: string, part: string) => string): Signature => ({
  least: 2,
  most: 2,
  usage: "(text, part)",
  apply: (call) => {
    const kept = change(call.text(0), call.text(1));
    call.budget.make(kept.length, call.range);
    return kept;
  },
});

const startsWith = question((text, part) => text.startsWith(part));
const endsWith = question((text, part) => text.endsWith(part));

export const TEXT_FUNCTIONS: Functions = {
  contains: { least: 2, most: 2, usage: "(text or array or map, part)", apply: contains },
  startsWith,
  has_prefix: startsWith,
  hasPrefix: startsWith,
  endsWith,
  has_suffix: endsWith,
  hasSuffix: endsWith,
  lower: mapped((text) => text.toLowerCase()),
  upper: mapped((text) => text.toUpperCase()),
  trim: mapped((text) => text.trim()),
  trimPrefix: cut((text, part) => (text.startsWith(part) ? text.slice(part.length) : text)),
  trimSuffix: cut((text, part) => (part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text)),
  indexOf: { least: 2, most: 2, usage: "(text, part)", apply: (call) => call.text(0).indexOf(call.text(1)) },
  split: { least: 2, most: 2, usage: "(text, separator)", apply: (call) => pieces(call) },
  replace: { least: 3, most: 3, usage: "(text, old, new)", apply: replace },
  repeat: { least: 2, most: 2, usage: "(text, times)", apply: repeat },
};

function contains(call: FunctionCall): Json {
  const where = call.at(0);
  if (where === null || call.at(1) === null) return false;
  if (typeof where === "string") return call.text(0).includes(call.text(1));
  if (typeof where !== "object") throw call.wrong(0, "a string, an array or a map");
  if (!Array.isArray(where)) return own(where, call.text(1)) !== undefined;
  call.budget.walk(where, call.range);
  return where.some((item) => areEqual(item, call.at(1)));
}

/** The parts of the first argument between the places where the second stands; single characters for an empty one. */
function pieces(call: FunctionCall): string[] {
  const text = call.text(0);
  const separator = call.text(1);
  if (separator === "") {
    call.budget.spend(text.length, call.range);
    return [...text];
  }
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    call.budget.spend(1, call.range);
    const at = text.indexOf(separator, from);
    parts.push(text.slice(from, at < 0 ? text.length : at));
    if (at < 0) return parts;
    from = at + separator.length;
  }
}

function replace(call: FunctionCall): string {
  const old = call.text(1);
  const fresh = call.text(2);
  if (old === "") throw call.fail("replace() expects a text to look for, got an empty one", 1);
  const parts = pieces(call);
  call.budget.make(call.text(0).length + (parts.length - 1) * (fresh.length - old.length), call.range);
  return parts.join(fresh);
}

function repeat(call: FunctionCall): string {
  const text = call.text(0);
  const times = call.number(1);
  if (!Number.isSafeInteger(times) || times < 0) throw call.wrong(1, "a whole number from 0");
  call.budget.make(text.length * times, call.range);
  return text.repeat(text === "" ? 0 : times);
}
