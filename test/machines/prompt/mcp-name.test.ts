/** Names of workflows as an MCP host may call them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMcpName, encodeMcpName } from "../../../machines/prompt/mcp-name.ts";

test.each([
  ["build", "build"],
  ["pack/build", "pack_build"],
  ["a_b", "a__b"],
  ["a.b-C9", "a_-2eb-C9"],
  ["p_q/r.s", "p__q_r_-2es"],
  ["a_/b", "a___b"],
  ["x".repeat(64), "x".repeat(64)],
])("%s has the form %s, and is found by it (I1)", (name, wire) => {
  expect([encodeMcpName(name), decodeMcpName(wire)]).toEqual([wire, name]);
});

test.each([
  "",
  "/",
  "a/",
  "/a",
  "a/b/c",
  "-a",
  ".a",
  "_a",
  "a/-b",
  "a b",
  "ä",
  "a\nb",
  "x".repeat(65),
  `${"x".repeat(60)}/.yz`,
  `${"x".repeat(61)}.y`,
])("%j has none (I2)", (name) => {
  expect(encodeMcpName(name)).toBeNull();
});

test.each(["", "a_", "_a", "a_-2", "a_-2E", "a_-2g", "a_-61", "a_b_c", "a b", "a.b", "a_-0a"])(
  "%j is the form of no name",
  (wire) => {
    expect(decodeMcpName(wire)).toBeNull();
  },
);

test("every name that has a form is found by it, and no two names have one form (I1)", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
  const name = fc.oneof(
    part,
    fc.tuple(part, part).map((parts) => parts.join("/")),
  );
  fc.assert(
    fc.property(name, (given) => {
      const wire = encodeMcpName(given);
      if (wire === null) return;
      expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(decodeMcpName(wire)).toBe(given);
    }),
  );
});
