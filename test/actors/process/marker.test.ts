import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeIdentity } from "../../../actors/process/identity.ts";
import { depthIn, markerFor } from "../../../actors/process/marker.ts";

const owner = { pid: 7, startedAt: "12.ab" };

describe("marker", () => {
  it("names the owner and the scope", () => {
    expect(markerFor(owner, "step/run-1:2.build")).toEqual({
      TROUPE_OWNER: encodeIdentity(owner),
      TROUPE_SCOPE: "step/run-1:2.build",
      TROUPE_DEPTH: String(depthIn(process.env) + 1),
    });
    expect(markerFor(owner, "a b%é").TROUPE_SCOPE).toBe("a%20b%25%c3%a9");
  });

  it("says how deep a Troupe stands; what is no number says nothing", () => {
    expect(["", "0", "3", "-1", "1e9", "x"].map((told) => depthIn({ TROUPE_DEPTH: told }))).toEqual([0, 0, 3, 0, 0, 0]);
    expect(depthIn({})).toBe(0);
  });

  it("refuses a scope that names nothing", () => {
    expect(() => markerFor(owner, "")).toThrow(/scope must not be empty/);
  });

  it("is one plain word, another one for each scope (I1)", () => {
    const text = fc.string({ minLength: 1, unit: fc.constantFrom("a", "/", "%", " ", "\n", "\0", "é", "😀") });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [a, b] = [markerFor(owner, one).TROUPE_SCOPE, markerFor(owner, two).TROUPE_SCOPE];
        expect(a).toMatch(/^[!-~]+$/);
        expect(a === b).toBe(one === two);
      }),
    );
  });
});
