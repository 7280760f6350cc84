import { expect, test } from "vitest";
import { MAX_DEPTH } from "../../../actors/acp-client/shape.ts";
import { toldJson } from "../../../actors/agents/told-json.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

test("what is nested too deep is no JSON, however it is written (I1)", () => {
  expect(JSON.stringify(toldJson(nested(MAX_DEPTH)))).toBe(nested(MAX_DEPTH));
  expect(toldJson(nested(MAX_DEPTH + 1))).toBeNull();
  expect(toldJson(nested(100_000))).toBeNull();
});

test("much beside each other is taken, and what is no JSON is none", () => {
  expect(toldJson(`[${"0,".repeat(200_000)}0]`)).toHaveLength(200_001);
  expect(toldJson('{"a":')).toBeNull();
});
