import { expect, test } from "vitest";
import { parseAgents } from "../../../actors/config/agents/file.ts";
import { parseConfig, readAgents } from "../../../actors/config/config.ts";

const ENVIRONMENT = { HOME: "/no/such/home" };

test("where nothing is configured holds what a file without a word says", () => {
  const empty = parseConfig("", "/config.yaml", ENVIRONMENT);
  expect(empty.config).not.toBe(null);
  expect(empty).toStrictEqual(parseConfig("# nothing\n", "/config.yaml", ENVIRONMENT));
  const context = { file: "/agents.yaml", environment: ENVIRONMENT, servers: [] };
  expect(readAgents(ENVIRONMENT, [])).toStrictEqual(parseAgents("# nothing\n", context));
});
