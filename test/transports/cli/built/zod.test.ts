import { expect, test } from "vitest";
import { config } from "zod";

test("zod takes its configuration from the name that the built program sets", () => {
  expect((globalThis as { __zod_globalConfig?: object }).__zod_globalConfig).toBe(config());
});
