/** What a workflow names of an installation: providers, their options, operations. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OptionTables } from "../../../../machines/workflow/option-table.ts";
import type { ParseOptions } from "../../../../machines/workflow/parse.ts";
import { parse } from "../fixtures.ts";

const agentOptions: OptionTables = {
  claude: {
    model: { type: "text" },
    effort: { type: "choice", of: ["low", "high"] },
    max_turns: { type: "number", whole: true },
    tools: { type: "list" },
    env: { type: "map" },
    safe: { type: "flag" },
  },
  acp: { agent: { type: "text" } },
};
const KNOWN = {
  providers: ["claude", "codex", "github_copilot", "acp"],
  agents: ["helper"],
  agentOptions,
  operations: { github: ["get_issue", "list_comments"], http: ["request"] },
};

function of(fields: string, options: Partial<ParseOptions> = {}, rest = ""): string[] {
  const source = `name: x\nstates:\n  initial: a\n  a: {${fields}, on_success: d}\n${rest}  d: {type: terminal}\n`;
  return parse(source, { ...KNOWN, ...options }).findings.map(
    ({ severity, code, message, suggestion, refuses, range }) =>
      `${severity}${refuses ? " refuses" : ""} ${code.split(".").at(-1)} | ${source.slice(range.start, range.end)} | ${message} | ${suggestion ?? "-"}`,
  );
}
const agent = (fields: string): string => `type: agent, prompt: x, ${fields}`;

describe("providers", () => {
  it.each([
    ["cluade", "error", "claude"],
    ["codx", "error", "codex"],
    ["claude-code", "warning refuses", "claude"],
    ["githubcopilot", "error", "github_copilot"],
    ["helpr", "error", "helper"],
    ["somebody", "warning refuses", "-"],
  ])("%s is none", (name, severity, meant) => {
    expect(of(agent(`provider: ${name}`))).toEqual([
      `${severity} UNKNOWN_PROVIDER | ${name} | there is no provider "${name}" | ${meant}`,
    ]);
  });

  it.each(["claude", "helper", "'{{.inputs.agent}}'"])("%s is known, or may be", (name) => {
    expect(of(agent(`provider: ${name}`)).filter((line) => line.includes("PROVIDER"))).toEqual([]);
  });

  it("an unknown one is a warning in AWF's folders; no run begins there, unless its failure is provided for", () => {
    const told = 'UNKNOWN_PROVIDER | cluade | there is no provider "cluade" | claude';
    expect(of(agent("provider: cluade"), { awf: true })).toEqual([`warning refuses ${told}`]);
    expect(of(agent("provider: cluade, continue_on_error: true"), { awf: true })).toEqual([`warning ${told}`]);
    expect(of(agent("provider: cluade, on_failure: b"), { awf: true }, "  b: {command: x, on_success: d}\n")).toEqual([
      `warning ${told}`,
    ]);
  });

  it("a configuration that cannot be read refuses no provider here", () => {
    expect(of(agent("provider: somebody"), { agents: null })).toEqual([
      'warning UNKNOWN_PROVIDER | somebody | there is no provider "somebody" | -',
    ]);
    expect(of(agent("provider: acp, options: {agent: any}"), { agents: null })).toEqual([]);
  });

  it("the agent of acp must be configured", () => {
    expect(of(agent("provider: acp, options: {agent: helper}"))).toEqual([]);
    expect(of(agent("provider: acp, options: {agent: hleper}"))).toEqual([
      'error UNKNOWN_PROVIDER | hleper | there is no agent "hleper" | helper',
    ]);
    expect(of(agent("provider: acp, options: {agent: other}"))).toEqual([
      'warning refuses UNKNOWN_PROVIDER | other | there is no agent "other" | -',
    ]);
  });
});

describe("options", () => {
  it.each([
    ["modle: m", 'error UNKNOWN_FIELD | modle | claude has no option "modle" | model'],
    ["model: 3", 'error INVALID_OPTION | 3 | "model" of claude must be a text | -'],
    ["effort: hihg", 'error INVALID_OPTION | hihg | "effort" of claude must be one of low, high | high'],
    ["max_turns: 1.5", 'error INVALID_OPTION | 1.5 | "max_turns" of claude must be a whole number above 0 | -'],
    ["tools: {a: b}", 'error INVALID_OPTION | {a: b} | "tools" of claude must be a list of texts | -'],
    ["env: [A]", 'error INVALID_OPTION | [A] | "env" of claude must be a map | -'],
    ["safe: maybe", 'error INVALID_OPTION | maybe | "safe" of claude must be true or false | -'],
    ["permission: {}", 'error UNKNOWN_FIELD | permission | claude has no option "permission" | permissions'],
  ])("%s", (option, expected) => {
    expect(of(agent(`provider: claude, options: {${option}}`))).toEqual([expected]);
  });

  it.each(["model: m, max_turns: '7', tools: 'A, B', safe: 'true', env: {A: 1}", "max_turns: null", "permissions: {}"])(
    "%s is taken",
    (options) => expect(of(agent(`provider: claude, options: {${options}}`))).toEqual([]),
  );

  it("a value from a template is checked when it is rendered", () => {
    const source = `name: x\ninputs: [{name: n}]\nstates:\n  initial: a\n  a: {type: agent, provider: claude, prompt: x, options: {max_turns: "{{.inputs.n}}", tools: ["{{.inputs.n}}"], effort: "{{.inputs.n}}"}, on_success: d}\n  d: {type: terminal}\n`;
    expect(parse(source, KNOWN).findings).toEqual([]);
  });

  it("those of a misspelt provider are checked as those of the provider that is meant", () => {
    expect(of(agent("provider: cluade, options: {modle: m}"))).toEqual([
      'error UNKNOWN_PROVIDER | cluade | there is no provider "cluade" | claude',
      'error UNKNOWN_FIELD | modle | claude has no option "modle" | model',
    ]);
  });
});

describe("operations", () => {
  it.each([
    ["githb.get_issue", "error", "github.get_issue"],
    ["github.get_isue", "error", "github.get_issue"],
    ["GitHub.get_issue", "error", "github.get_issue"],
    ["githb.get_isue", "error", "github.get_issue"],
    ["gitlab.get_issue", "warning refuses", "-"],
    ["github.search", "warning refuses", "-"],
    ["request", "warning refuses", "-"],
  ])("%s is none", (name, severity, meant) => {
    expect(of(`operation: ${name}`)).toEqual([
      `${severity} UNKNOWN | ${name} | there is no operation "${name}" | ${meant}`,
    ]);
  });

  it("a tool of a known server is an operation", () => {
    const plugins = { gitlab: null, "my.server": null };
    expect(of("operation: gitlab.get_issue", { plugins })).toEqual([]);
    expect(of("operation: my.server.find", { plugins })).toEqual([]);
    expect(of("operation: gitlab.", { plugins })).toHaveLength(1);
  });

  it("every name of a known operation is accepted", () => {
    const names = Object.entries(KNOWN.operations).flatMap(([plugin, all]) => all.map((name) => `${plugin}.${name}`));
    fc.assert(fc.property(fc.constantFrom(...names), (name) => void expect(of(`operation: ${name}`)).toEqual([])));
  });
});

describe("defaults and descriptions", () => {
  const inputs = (text: string): string[] => {
    const source = `name: x\ninputs:\n${text}states: {initial: d, d: {type: terminal}}\n`;
    return parse(source, KNOWN).findings.map(
      ({ severity, line, column, message, suggestion }) =>
        `${severity} ${line}:${column} ${message} -> ${suggestion ?? "-"}`,
    );
  };
  it.each([
    [
      "  - {name: mode, default: fulll, validation: {enum: [full, quick]}}\n",
      'error 3:27 the default of input "mode" is "fulll": expected one of full, quick -> full',
    ],
    [
      "  mode: {type: integer, default: many}\n",
      'error 3:34 the default of input "mode" is "many": expected a whole number -> -',
    ],
    [
      "  - {name: n, type: integer, default: 12, validation: {max: 10}}\n",
      'error 3:39 the default of input "n" is 12: expected at most 10 -> -',
    ],
    [
      "  - {name: api_key, default: abcdefghijkl, validation: {enum: [x]}}\n",
      'error 3:30 the default of input "api_key" is ***: expected one of x -> -',
    ],
    [
      "  - {name: f, default: '', validation: {file_exists: true}}\n",
      'error 3:24 the default of input "f" is "": expected the path of a file -> -',
    ],
  ])("%s", (text, expected) => expect(inputs(text)).toEqual([expected]));

  it("a default that a run accepts is fine, and so is a file that does not exist yet", () => {
    const text =
      "  - {name: n, type: integer, default: '7'}\n  - {name: f, default: absent.go, validation: {file_exists: true}}\n";
    expect(inputs(text)).toEqual([]);
  });

  it("a template in a description is reported", () => {
    const source =
      "name: x\ndescription: 'of {{.inputs.n}}'\ninputs: [{name: n, description: '{{x}}'}]\nstates:\n  initial: a\n  a: {command: x, description: 'on {{.inputs.n}}', on_success: d}\n  d: {type: terminal}\n";
    expect(parse(source).findings.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      "warning description",
      "warning inputs[0].description",
      "warning states.a.description",
    ]);
  });
});
