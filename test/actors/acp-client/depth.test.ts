import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep } from "../../../actors/acp-client/depth.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test("is the depth of the value, whatever its strings hold", () => {
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
      for (let max = 0; max < 8; max++) expect(isTooDeep(json, max)).toBe(depthOf(one) > max);
    }),
  );
});

test("never ends elsewhere than at the text's end", () => {
  for (const text of ['"'.repeat(300), `${"[".repeat(100)}"\\`, '\\"'.repeat(200)]) expect(isTooDeep(text)).toBe(false);
});
