/** What a session does when its viewers have left. */
import { expect, test } from "vitest";
import {
  abandoned,
  interrupted,
  opened,
  parked,
  prompted,
  requested,
  running,
  session,
} from "../../support/lone-session.ts";

const deserted = { type: "session.deserted" };

test("what runs is cancelled when the last viewer has left, also beside an open question", () => {
  const solo = running();
  solo.tell(opened("input/1"));
  expect(solo.can(deserted)).toBe(true);
  expect(solo.tell(deserted)).toEqual(["tell all cancel.requested"]);
  expect(solo.value).toBe("prompted");
});

test("a run that its turn asks for only afterwards is cancelled too", () => {
  const solo = prompted();
  expect(solo.tell(deserted)).toEqual(["tell all cancel.requested"]);
  expect(solo.tell(requested)).toEqual(["spawn run run", "tell run cancel.requested"]);
});

test("what waits for a person keeps waiting", () => {
  for (const make of [session, parked, interrupted, abandoned]) {
    const solo = make();
    const before = solo.value;
    expect(solo.can(deserted)).toBe(false);
    expect(solo.tell(deserted)).toEqual([]);
    expect(solo.value).toBe(before);
  }
});
