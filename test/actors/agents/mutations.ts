/** What may happen to the lines of an agent: fields go missing, change their type or are new; lines come twice or late. */
import fc from "fast-check";
import type { Json } from "../../../machines/model.ts";

type Holder = { [key: string]: Json } | Json[];
/** A place in a value: what holds it, and under which name. */
type Spot = [Holder, string | number];

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
export const mutations = fc.array(
  fc.record({
    at: share,
    spot: share,
    how: fc.oneof(
      fc.constant({ type: "lost" as const }),
      fc.record({ type: fc.constant("replaced" as const), by: fc.jsonValue({ maxDepth: 2 }) }),
      fc.constantFrom({ type: "twice" as const }, { type: "late" as const }, { type: "halved" as const }),
      fc.constant({ type: "unknown" as const }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);
export type Mutation = typeof mutations extends fc.Arbitrary<(infer T)[]> ? T : never;

export const UNKNOWN = '{"type":"never.seen","kind":7}';

/** The lines with the mutations in them, one after the other. */
export function mutated(lines: readonly string[], all: readonly Mutation[]): string[] {
  return all.reduce<string[]>(
    (before, { at, spot, how }) => {
      const index = Math.floor(at * before.length);
      const line = before[index];
      if (line === undefined) return before;
      switch (how.type) {
        case "lost":
          return before.with(index, changed(line, spot, undefined));
        case "replaced":
          return before.with(index, changed(line, spot, how.by as Json));
        case "twice":
          return before.toSpliced(index, 0, line);
        case "late":
          return [...before.toSpliced(index, 1), line];
        case "halved":
          return before.with(index, line.slice(0, Math.floor(spot * line.length)));
        case "unknown":
          return before.toSpliced(index, 0, UNKNOWN);
        default:
          return how satisfies never;
      }
    },
    [...lines],
  );
}

/** The line with the value at a place of it removed or replaced. */
function changed(line: string, share: number, by: Json | undefined): string {
  const value = parsed(line);
  if (value === undefined) return line;
  const spots = spotsOf(value);
  const spot = spots[Math.floor(share * spots.length)];
  if (spot === undefined) return line;
  const [holder, name] = spot as [{ [key: string]: Json }, string];
  if (by === undefined) delete holder[name];
  else holder[name] = by;
  return JSON.stringify(value);
}

function spotsOf(value: Json): Spot[] {
  if (typeof value !== "object" || value === null) return [];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return names.flatMap((name): Spot[] => [
    [value as Holder, name],
    ...spotsOf((value as { [key: string]: Json })[name] ?? null),
  ]);
}

/** Every object of the line with an unknown field. */
export function widened(line: string): string {
  const value = parsed(line);
  const widen = (one: Json): Json => {
    if (Array.isArray(one)) return one.map(widen);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries([
      ...Object.entries(one).map(([name, inner]) => [name, widen(inner)]),
      ["x_new", { a: 1 }],
    ]);
  };
  return value === undefined ? line : JSON.stringify(widen(value));
}

export function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

/** The text in portions that are cut wherever the numbers say. */
export function portions(text: string, shares: readonly number[]): string[] {
  const cuts = [0, ...shares.map((one) => Math.floor(one * text.length)).toSorted((a, b) => a - b), text.length];
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
}
export const shares = fc.array(share, { maxLength: 12 });
