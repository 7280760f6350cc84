import { expect, test } from "vitest";
import { SignIns, TICKET_MS } from "../../../transports/serve/sign-ins.ts";

function clocked() {
  const clock = { now: 1_000 };
  return { clock, signIns: new SignIns(() => clock.now) };
}

test("I1: a ticket counts once, and until its time is over", () => {
  const { clock, signIns } = clocked();
  const [one, two] = [signIns.ticket(), signIns.ticket()];
  clock.now += TICKET_MS - 1;
  expect([signIns.redeem("x"), signIns.redeem(""), signIns.redeem(one), signIns.redeem(one)]).toEqual([
    ...[false, false, true, false],
  ]);
  clock.now += 1;
  expect(signIns.redeem(two)).toBe(false);
});

test("I2: a page is known by its cookie and its secret together", () => {
  const { signIns } = clocked();
  const [ann, bob] = [signIns.letIn("ann"), signIns.letIn(null)];
  expect(signIns.whose(ann)?.subject).toBe("ann");
  expect(signIns.whose(bob)?.subject).toBe(null);
  expect(signIns.whose({ cookie: ann.cookie, secret: bob.secret })).toBeUndefined();
  expect(signIns.whose({ cookie: "", secret: "" })).toBeUndefined();
});

test("I3: tickets and pages make room, oldest first", () => {
  const { signIns } = clocked();
  const tickets = Array.from({ length: 17 }, () => signIns.ticket());
  expect([signIns.redeem(tickets[0] ?? ""), signIns.redeem(tickets[1] ?? "")]).toEqual([false, true]);
  const pages = Array.from({ length: 65 }, () => signIns.letIn(null));
  expect(pages.map((page) => signIns.whose(page) !== undefined).indexOf(true)).toBe(1);
});

test("I4: who signs in without end puts out own pages, and no page of another", () => {
  const { signIns } = clocked();
  const [ann, own] = [signIns.letIn("ann"), signIns.letIn(null)];
  const many = Array.from({ length: 200 }, () => signIns.letIn("mallory"));
  expect([signIns.whose(ann)?.subject, signIns.whose(own)?.subject]).toEqual(["ann", null]);
  expect(many.filter((page) => signIns.whose(page) !== undefined)).toEqual(many.slice(-62));
});
