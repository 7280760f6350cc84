/** A reader that is behind when its session is deleted hears of it, whatever else it listens to. */

import { BehaviorSubject } from "rxjs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe, type Troupe } from "../../../actors/troupe.ts";
import { type House, openHouse } from "../../support/house.ts";

let house: House;
let troupe: Troupe;
beforeEach(() => {
  house = openHouse([]);
  troupe = createTroupe({ environment: house.env, ephemeral: true });
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});

test.each([false, true])("while it is paused (alone: %s)", async (alone) => {
  const session = await troupe.session({ cwd: house.cwd });
  const heard: unknown[] = [];
  const paused$ = new BehaviorSubject(true);
  session.log$({ alone, paused$ }).subscribe({
    next: (frames) => heard.push(...frames.map(({ type }) => type)),
    error: ({ code, details }) => heard.push(code, details),
  });
  await troupe.deleteSession(session.id);
  paused$.next(false);
  await expect.poll(() => heard).toEqual(["USER.SESSION.UNKNOWN", { session: session.id }]);
});
