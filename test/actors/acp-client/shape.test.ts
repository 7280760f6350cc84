import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ENTRIES, shapeFault } from "../../../actors/acp-client/shape.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
/** Members and items of a value; what is empty counts as one. */
const entriesOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  const within = Object.values(value);
  return Math.max(1, within.length) + within.reduce((sum: number, one) => sum + entriesOf(one), 0);
};
const isTooDeep = (json: string, maxDepth?: number): boolean =>
  shapeFault(json, maxDepth === undefined ? {} : { maxDepth }) === "too_deep";

test("depth and entries are those of the value, whatever its strings hold", () => {
  const text = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", "x") });
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 6 },
      text,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(text, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.boolean(), (one, spaced) => {
      const json = JSON.stringify(one, null, spaced ? 2 : 0) + " ".repeat(8);
      for (let max = 0; max < 8; max++) {
        expect(isTooDeep(json, max)).toBe(depthOf(one) > max);
        expect(shapeFault(json, { maxEntries: max }) !== null).toBe(entriesOf(one) > max);
      }
    }),
  );
});

test("never ends elsewhere than at the text's end", () => {
  for (const text of ['"'.repeat(300), `${"[".repeat(100)}"\\`, '\\"'.repeat(200)]) expect(isTooDeep(text)).toBe(false);
});

test("entries are counted up to the limit, in objects and arrays alike", () => {
  const object = (keys: number) => JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [i, 0])));
  const array = (items: number) => JSON.stringify(Array.from({ length: items }, () => 0));
  for (const make of [object, array]) {
    expect(shapeFault(make(MAX_ENTRIES - 1))).toBe(null);
    expect(shapeFault(make(MAX_ENTRIES))).toBe(null);
    expect(shapeFault(make(MAX_ENTRIES + 1))).toBe("too_many_entries");
  }
});
