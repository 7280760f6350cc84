import { expect, test } from "vitest";
import { randomIds } from "../../../actors/base/ids.ts";

test("I1: ids differ, can be given on a command line, and a session's is longer", () => {
  const ids = Array.from({ length: 5_000 }, () => randomIds("run"));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^\w[\w-]{11}$/.test(id))).toEqual([]);
  expect(randomIds("session")).toMatch(/^\w[\w-]{21}$/);
});
