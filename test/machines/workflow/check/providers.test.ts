/** All that is said of the agents that steps name and of their options, and what a document keeps of these. */
import { describe, expect, it } from "vitest";
import type { ParseOptions } from "../../../../machines/workflow/parse.ts";
import { parse } from "../fixtures.ts";
import { states, step } from "./said.ts";

const KNOWN: Partial<ParseOptions> = {
  providers: ["claude", "codex", "acp"],
  agents: ["helper"],
  agentOptions: {
    claude: { model: { type: "text" }, effort: { type: "choice", of: ["low", "high"] }, safe: { type: "flag" } },
    acp: { agent: { type: "text" } },
  },
};

/** What is said of the step `a`, an agent with these fields. */
function said(fields: string, options: Partial<ParseOptions> = {}, more = ""): object[] {
  const source = states(step("a", `type: agent, prompt: x, ${fields}`, "d") + more);
  const { findings } = parse(source, { ...KNOWN, ...options });
  return findings.map(({ code, severity, message, expected, suggestion, path, refuses, range }) => ({
    code,
    severity,
    message,
    expected,
    suggestion,
    path,
    refuses,
    at: source.slice(range.start, range.end),
  }));
}
/** The options that the document of a file of AWF has. */
const kept = (options: string): object | undefined => {
  const source = states(step("a", `type: agent, prompt: x, provider: claude, options: ${options}`, "d"));
  const node = parse(source, { ...KNOWN, awf: true }).workflow?.states["a"];
  return node?.type === "agent" ? node.options : undefined;
};
const YOURS = "an agent of yours (troupe agents list)";
const unknown = (name: string, more: object): object => ({
  code: "USER.AGENT.UNKNOWN_PROVIDER",
  severity: "error",
  message: `there is no provider "${name}"`,
  expected: `one of claude, codex, acp, helper, or ${YOURS}`,
  path: "states.a.provider",
  at: name,
  ...more,
});

describe("a provider that is not known", () => {
  it("is a slip, or a warning for which no run begins", () => {
    expect(said("provider: cluade")).toEqual([unknown("cluade", { suggestion: "claude" })]);
    expect(said("provider: hlper")).toEqual([unknown("hlper", { suggestion: "helper" })]);
    expect(said("provider: somebody")).toEqual([unknown("somebody", { severity: "warning", refuses: true })]);
    expect(said("provider: cluade", { awf: true })).toEqual([
      unknown("cluade", { severity: "warning", suggestion: "claude", refuses: true }),
    ]);
  });

  it("is underlined where it stands, as provider or as agent, and is offered names and no ids", () => {
    const id = "a928381f-c0ae-43ba-b08c-c89e903a78aa";
    expect(said("agent: hlper", { agents: ["helper", id] })).toEqual([
      unknown("hlper", { suggestion: "helper", path: "states.a.agent" }),
    ]);
  });

  it("refuses no run that does not reach the step, or that its failure does not end", () => {
    const warning = unknown("somebody", { severity: "warning" });
    expect(said("provider: somebody, continue_on_error: true")).toEqual([warning]);
    expect(said("provider: somebody, on_failure: b", {}, step("b", "command: x", "d"))).toEqual([warning]);
  });

  it("refuses none either where the user's agents could not be read; where none are told, these are none", () => {
    const expected = `one of claude, codex, acp, or ${YOURS}`;
    expect(said("provider: somebody", { agents: null })).toEqual([
      unknown("somebody", { severity: "warning", expected }),
    ]);
    const { agents: _, ...rest } = KNOWN;
    const source = states(step("a", "type: agent, prompt: x, provider: somebody", "d"));
    expect(parse(source, rest).findings).toMatchObject([{ severity: "warning", expected, refuses: true }]);
  });

  it("of AWF's name for an agent of one's own is told once", () => {
    expect(said("provider: custom")).toMatchObject([{ code: "WORKFLOW.PARSE.INVALID_FIELD" }]);
  });

  it("is found in a fallback, at its place", () => {
    expect(said("provider: claude, fallback: [{model: m}, {provider: cdex}, {provider: other}]")).toEqual([
      unknown("cdex", { suggestion: "codex", path: "states.a.fallback[1].provider" }),
      unknown("other", { severity: "warning", refuses: true, path: "states.a.fallback[2].provider" }),
    ]);
  });

  it("is not looked for where providers are not known, nor where a template makes the name", () => {
    const { providers: _, ...rest } = KNOWN;
    expect(parse(states(step("a", "type: agent, prompt: x, provider: cluade", "d")), rest).findings).toEqual([]);
    const head = "inputs: [{name: p}]\n";
    const made = states(step("a", "type: agent, prompt: x, provider: 'x{{.inputs.p}}'", "d"), head);
    expect(parse(made, KNOWN).findings).toEqual([]);
  });
});

describe("options", () => {
  it("that do not fit are told with what does", () => {
    const wrong = (name: string, must: string, at: string, suggestion?: string): object => ({
      code: "USER.AGENT.INVALID_OPTION",
      severity: "error",
      message: `"${name}" of claude must be ${must}`,
      expected: must,
      suggestion,
      path: `states.a.options.${name}`,
      at,
    });
    expect(said("provider: claude, options: {model: m, effort: hihg, safe: perhaps}")).toEqual([
      wrong("effort", "one of low, high", "hihg", "high"),
      wrong("safe", "true or false", "perhaps"),
    ]);
    expect(said("provider: claude, options: {effort: 3, safe: null}")).toEqual([
      wrong("effort", "one of low, high", "3"),
    ]);
    expect(said("provider: claude, options: {safe: 7}", { awf: true })).toEqual([
      { ...wrong("safe", "true or false", "7"), severity: "warning", refuses: true },
    ]);
    expect(said("provider: claude, options: {safe: 7}, continue_on_error: true", { awf: true })).toEqual([
      { ...wrong("safe", "true or false", "7"), severity: "warning" },
    ]);
  });

  it("that are not known are told at their key", () => {
    const missing = {
      code: "WORKFLOW.PARSE.UNKNOWN_FIELD",
      severity: "error",
      message: 'claude has no option "modle"',
      expected: "one of model, effort, safe",
      suggestion: "model",
      path: "states.a.options.modle",
      at: "modle",
    };
    expect(said("provider: claude, options: {modle: m, permissions: {}, mcp_servers: {}}")).toEqual([missing]);
    expect(said("provider: cluade, options: {modle: m}")).toEqual([
      unknown("cluade", { suggestion: "claude" }),
      missing,
    ]);
    expect(said("provider: claude, options: {modle: m}", { awf: true })).toEqual([
      { ...missing, severity: "warning", message: `${missing.message}: it is passed over` },
    ]);
  });

  it("that are fields of the step are sent beside the options", () => {
    expect(said("provider: claude, options: {mcp_proxy: {enable: true}}")).toMatchObject([
      { expected: '"mcp_proxy" beside "options", not in it', at: "mcp_proxy" },
    ]);
  });

  it("that AWF passes over are not in its document; all others are", () => {
    expect(kept("{modle: m, model: n, permissions: {}}")).toEqual({ model: "n", permissions: {} });
  });

  it("of a provider of which nothing is known are not judged, nor of one whose name all objects have", () => {
    expect(said("provider: codex, options: {any: 1}")).toEqual([]);
    expect(said("provider: toString, options: {any: 1}", { providers: ["toString"] })).toEqual([]);
    expect(said("provider: claude, options: {toString: 1}")).toMatchObject([
      { message: 'claude has no option "toString"' },
    ]);
    const { agentOptions: _, ...rest } = KNOWN;
    const source = states(step("a", "type: agent, prompt: x, provider: claude, options: {any: 1}", "d"));
    expect(parse(source, rest).findings).toEqual([]);
  });
});

describe("the agent of acp", () => {
  const none = (name: string, more: object): object => ({
    code: "USER.AGENT.UNKNOWN_PROVIDER",
    severity: "error",
    message: `there is no agent "${name}"`,
    expected: `one of helper, or ${YOURS}`,
    path: "states.a.options.agent",
    at: name,
    ...more,
  });
  const agent = (name: string): string => `provider: acp, options: {agent: ${name}}`;

  it("is one that is configured", () => {
    expect(said(agent("helper"))).toEqual([]);
    expect(said(agent("hleper"))).toEqual([none("hleper", { suggestion: "helper" })]);
    expect(said(agent("other"))).toEqual([none("other", { severity: "warning", refuses: true })]);
    expect(said(`${agent("other")}, continue_on_error: true`)).toEqual([none("other", { severity: "warning" })]);
    expect(said(agent("other"), { agents: [] })).toEqual([
      none("other", { severity: "warning", refuses: true, expected: YOURS }),
    ]);
    expect(said(agent("hleper"), { awf: true })).toEqual([
      none("hleper", { severity: "warning", suggestion: "helper", refuses: true }),
    ]);
  });

  it("may be anything where that is not known, where a template makes it, and for another provider", () => {
    expect(said(agent("other"), { agents: null })).toEqual([]);
    expect(said("provider: acp, options: {}")).toEqual([]);
    expect(said(agent("'{{.env.AGENT}}'"))).toEqual([]);
    expect(said("provider: codex, options: {agent: other}")).toEqual([]);
    const { agents: _, ...rest } = KNOWN;
    expect(parse(states(step("a", `type: agent, prompt: x, ${agent("other")}`, "d")), rest).findings).toEqual([]);
  });
});
