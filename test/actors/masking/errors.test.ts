import { expect, test } from "vitest";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { maskedError } from "../../../actors/masking/errors.ts";
import { Masking } from "../../../actors/masking/masking.ts";

const SECRET = "sk-canary-0123456789abcdef";
const mask = new Masking([["env/KEY", SECRET]]);

test("an error says no secret, neither in its words nor in its details, and keeps its code", () => {
  const words = maskedError(new TroupeError("USER.INPUT.EMPTY", `not ${SECRET}`, { field: "a" }), mask) as TroupeError;
  expect([words.code, words.message, words.details]).toEqual(["USER.INPUT.EMPTY", "not ***", { field: "a" }]);
  const details = { field: "a", given: [`x${SECRET}`, 7], kind: "k" };
  const told = maskedError(new TroupeError("USER.INPUT.EMPTY", "not that", details), mask) as TroupeError;
  expect([told.message, told.details]).toEqual(["not that", { field: "a", given: ["x***", 7], kind: "k" }]);
  expect(told).toBeInstanceOf(TroupeError);
});

test("an error without one is the same, and so is one of another kind", () => {
  for (const error of [new TroupeError("USER.INPUT.EMPTY", "no", { field: "a" }), new Error(SECRET), "text"])
    expect(maskedError(error, mask)).toBe(error);
});
