/** Covers `first-use.ts`. */
import { expect, test } from "vitest";
import { FirstUse } from "../../../transports/acp/first-use.ts";

test("it is made once, and tried again where it could not be made (I1)", async () => {
  let tries = 0;
  const one = new FirstUse(async () => {
    tries++;
    if (tries === 1) throw new Error("too many open files");
    return { tries };
  });
  expect(one.made).toBeUndefined();
  const [first, beside] = await Promise.allSettled([one.get(), one.get()]);
  expect([first.status, beside.status, tries]).toEqual(["rejected", "rejected", 1]);
  expect(one.made).toBeUndefined();
  expect(await one.get()).toEqual({ tries: 2 });
  expect(await one.made).toBe(await one.get());
});
