import { describe, expect, it } from "vitest";
import { stateReads } from "../../../machines/workflow/reads.ts";
import { brief, documentOf, parse } from "./fixtures.ts";

const source = (servers: string) => `
name: w
mcp_servers: ${servers}
states:
  initial: first
  first: {type: command, command: "true", on_success: ask}
  ask: {type: agent, provider: claude, prompt: Hi, on_success: act}
  act: {type: operation, operation: s.tool, on_success: done}
  done: {type: terminal}
`;

describe("mcp_servers of a workflow", () => {
  it("travel with the nodes that may need them, and with no others", () => {
    const { states } = documentOf(source('{s: {command: x, env: {K: "{{.states.first.Output}}"}}}'));
    const servers = { s: { command: "x", env: { K: "{{.states.first.Output}}" } } };
    expect(states["ask"]).toMatchObject({ mcpServers: servers });
    expect(states["act"]).toMatchObject({ mcpServers: servers });
    expect(states["first"]).not.toHaveProperty("mcpServers");
    expect(stateReads(states["act"] as never, states)).toEqual(["first"]);
    const { workflow, findings } = parse(source("{}"));
    expect(workflow?.states["ask"]).not.toHaveProperty("mcpServers");
    expect(brief(findings)).toEqual(["8:37 UNKNOWN (warning)"]);
  });

  it.each([
    ["{s: {comand: x}}", ["3:19 UNKNOWN_FIELD", "3:15 INVALID_FIELD"]],
    ["{s: {command: x, url: 'http://h'}}", ["3:15 INVALID_FIELD"]],
    ["{s: {command: x, env: {K: '{{.inputs.none}}'}}}", ["3:43 UNDEFINED_INPUT"]],
    ["{s: {command: x, type: pipe}}", ["3:37 INVALID_FIELD"]],
    ["[x]", ["3:14 INVALID_FIELD"]],
  ])("%s has faults at their places", (servers, expected) => {
    expect(brief(parse(source(servers)).findings)).toEqual(expected.toSorted());
  });
});
