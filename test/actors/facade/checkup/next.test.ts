/** The one thing to do next: whatever was found, there is one, and a fault comes before all else. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Check } from "../../../../actors/api/checkup.ts";
import { nextOf } from "../../../../actors/facade/checkup/checkup.ts";

const check: fc.Arbitrary<Check> = fc.record({
  area: fc.constantFrom("system", "configuration", "agents", "servers", "store", "workflows"),
  name: fc.string(),
  state: fc.constantFrom("good", "absent", "warning", "fault"),
  says: fc.string(),
  next: fc.oneof(fc.constant(null), fc.string({ minLength: 1 })),
  facts: fc.record({ signIn: fc.constantFrom("no", "seems so", "not told") }),
});

it("is what mends the first fault that can be mended; without one it is never empty", () => {
  fc.assert(
    fc.property(fc.array(check), (checks) => {
      const fault = checks.find(({ state, next }) => state === "fault" && next !== null);
      const next = nextOf(checks);
      if (fault === undefined) expect(next).not.toBe("");
      else expect(next).toBe(fault.next);
    }),
  );
});

it("is a sign-in where no agent could work, and a run where one can", () => {
  const workflows: Check = {
    ...{ area: "workflows", name: "workflows", state: "good", says: "" },
    ...{ next: "troupe run a --dry-run", facts: {} },
  };
  const agent = (signIn: string): Check => ({
    ...{ area: "agents", name: signIn, state: signIn === "no" ? "warning" : "good", says: "" },
    ...{ next: signIn === "no" ? "sign in" : null, facts: { signIn } },
  });
  expect(nextOf([workflows, agent("no")])).toBe("sign in");
  expect(nextOf([workflows, agent("no"), agent("not told")])).toBe("troupe run a --dry-run");
});
