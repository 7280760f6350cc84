/** Covers I3 of `shape.ts`: the checker cannot be loaded for a while, as where no file can be opened. */
import { expect, test, vi } from "vitest";
import { fitOf } from "../../../actors/effects/shape.ts";

const CHECKER = "ajv/dist/2020.js";

test("a step whose checker could not be loaded keeps no later one from it", async () => {
  const fits = () => fitOf("1", { schema: { type: "number" } });
  vi.doMock(CHECKER, () => {
    throw new Error("too many open files");
  });
  await expect(fits()).rejects.toThrow();
  vi.doUnmock(CHECKER);
  expect(await fits()).toEqual({ ok: true, text: "1", value: 1 });
});
