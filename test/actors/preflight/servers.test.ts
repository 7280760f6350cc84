/** An operation of a server that lacks a variable is told before a run begins. */
import { expect, test } from "vitest";
import { parseConfig } from "../../../actors/config/config.ts";
import { checkServer } from "../../../actors/preflight/servers.ts";
import { Faults } from "../../../actors/preflight/subject.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

function foundOf(operation: string, servers: readonly string[] = [], own = "{}"): string[] {
  const source = `name: w
mcp_servers: ${own}
states:
  initial: a
  a: {type: operation, operation: ${operation}, on_success: end}
  end: {type: terminal}
`;
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  const node = workflow?.states["a"];
  if (workflow === null || node?.type !== "operation") throw new Error("it cannot be read");
  const configured = "mcp_servers: {t: {command: x, env: {K: {from_env: NO_KEY}}}, t.b: {command: x}}";
  const { config } = parseConfig(configured, "/c/config.yaml", {});
  const faults = new Faults({ workflow, source });
  checkServer(node, { operations: { "t.built": async () => Promise.reject() }, servers, config }, faults);
  return faults.findings().map(({ code, refuses, message }) => `${code} ${refuses === true} ${message}`);
}

test("an operation of a server that lacks a variable refuses the run, and no other", () => {
  expect(foundOf("t.find")).toEqual([
    'USER.CONFIG.INVALID true the MCP server "t" needs K from the variable NO_KEY, which is not set',
  ]);
  expect(foundOf("t.b.find")).toEqual([]);
  expect(foundOf("t.built")).toEqual([]);
  expect(foundOf("t.find", ["t"])).toEqual([]);
  expect(foundOf("t.find", [], "{t: {command: theirs}}")).toEqual([]);
});
