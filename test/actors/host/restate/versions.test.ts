/** Covers `versions.ts`: what a worker knows of what another version has written. */
import { expect, test } from "vitest";
import { unknownIn, unknownStart } from "../../../../actors/host/restate/versions.ts";
import { KeptSession } from "../../../support/cell.ts";
import { MACHINES, newer } from "../../../support/host-machines.ts";

const ours = new Map(MACHINES as never) as never;
const kept = () => {
  const session = new KeptSession();
  session.birth();
  session.send({ type: "child.asked", label: "a" });
  return session;
};
const rowsOf = ({ rows }: KeptSession) => [...rows].map(([name, row]) => [name, row] as const);

test("what our machines have written is known, and what older ones have", () => {
  const rows = rowsOf(kept());
  expect(rows.filter(([name]) => name.startsWith("actor "))).toHaveLength(2);
  expect(unknownIn(ours, rows)).toBeNull();
  expect(unknownIn(new Map(newer(MACHINES) as never) as never, rows)).toBeNull();
});

test("a machine of a higher version is unknown, and one of a kind that is not here (I1)", () => {
  const session = new KeptSession(undefined, newer(MACHINES));
  session.birth();
  expect(unknownIn(ours, rowsOf(session))).toBe("session.v10, and session.v1 is here");
  expect(unknownIn(new Map(), rowsOf(kept()))).toBe('session.v1, and no machine "session" is here');
});

test("work names the machine that has started it", () => {
  const [start] = kept().send({ type: "work.asked", label: "b" }).starts;
  expect(start?.v).toBe("session.v1");
  expect(unknownStart(ours, start!)).toBeNull();
  expect(unknownStart(ours, { ...start!, v: "session.v2" })).toBe("session.v2, and session.v1 is here");
});
