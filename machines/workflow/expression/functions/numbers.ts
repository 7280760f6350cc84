/** Owns the functions over numbers, and the conversions to and from them. Results are finite and never minus zero. */

import type { Json } from "../../../model.ts";
import { asNumber } from "../values.ts";
import type { FunctionCall, Functions, Signature } from "./call.ts";

const mapped = (change: (value: number) => number): Signature => ({
  least: 1,
  most: 1,
  usage: "(number)",
  apply: (call) => plain(change(call.number(0))),
});
const gathered = (join: (call: FunctionCall, values: number[]) => number): Signature => ({
  least: 1,
  most: Number.POSITIVE_INFINITY,
  usage: "(number, …) or (array)",
  apply: (call) => plain(join(call, call.numbers())),
});

export const NUMBER_FUNCTIONS: Functions = {
  int: { least: 1, most: 1, usage: "(number or text)", apply: (call) => plain(Math.trunc(converted(call))) },
  float: { least: 1, most: 1, usage: "(number or text)", apply: converted },
  abs: mapped(Math.abs),
  floor: mapped(Math.floor),
  ceil: mapped(Math.ceil),
  // Halves go away from zero, as in Go.
  round: mapped((value) => Math.sign(value) * Math.round(Math.abs(value))),
  min: gathered((call, values) => extreme(call, values, (a, b) => a < b)),
  max: gathered((call, values) => extreme(call, values, (a, b) => a > b)),
  sum: gathered((call, values) => {
    const total = values.reduce((a, b) => a + b, 0);
    if (!Number.isFinite(total)) throw call.fail("sum() gives a number that is too large", 0);
    return total;
  }),
};

function plain(value: number): number {
  return value === 0 ? 0 : value;
}

function converted(call: FunctionCall): number {
  const value: Json = call.at(0);
  const number = asNumber(value);
  if (number === null) throw call.wrong(0, "a number or a text that spells one");
  return number;
}

function extreme(call: FunctionCall, values: number[], isBetter: (a: number, b: number) => boolean): number {
  const [head, ...tail] = values;
  if (head === undefined) throw call.fail(`${call.name}() of no numbers has no answer`, 0);
  return tail.reduce((best, value) => (isBetter(value, best) ? value : best), head);
}
