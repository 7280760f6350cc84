/** `agents.yaml`: what it may say, what is wrong with it, and which literals look like secrets. H1–H5. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAgents } from "../../../../actors/config/agents/file.ts";
import { agentNamed, namesOf, removedNamed } from "../../../../actors/config/agents/named.ts";
import { shownArguments } from "../../../../actors/config/agents/warnings.ts";
import { readConfig } from "../../../../actors/config/config.ts";
import { agentsFileOf } from "../../../../actors/config/nothing.ts";
import { troupeError } from "../../../../actors/errors/troupe-error.ts";

const CONTEXT = { file: "/c/agents.yaml", environment: { HOME: "/home/me", VIBE_KEY: "v-1" }, servers: ["tickets"] };
const parse = (source: string) => parseAgents(source, CONTEXT);
const faults = (source: string) => parse(source).findings.map(({ line, message }) => `${line} ${message}`);
const entry = (more: string) => `version: 1\nagents:\n  - {id: i-1, slug: one, command: one-acp, ${more}}\n`;

const FULL = `version: 1
agents:
  - id: 0f5b1f0e
    slug: vibe
    name: Mistral Vibe
    formerly: [old]
    preset: vibe@2.26.1
    command: vibe-acp
    args: [--acp, "", "a b", "$HOME", ";id", '--x="q"']
    env: {MODE: plain, KEY: {from_env: VIBE_KEY}, OTHER: {from_env: NOT_SET}}
    cwd: ~/agents
    files: read
    terminal: yes
    auth: api-key
    mcp_servers: [tickets]
    limits: {agent_ms: 1000, start_ms: 2000}
  - {id: second, slug: two, command: ./two, cwd: ., enabled: false}
removed:
  - {id: gone, slug: three, at: "2026-11-01"}
`;

describe("agents.yaml (H1)", () => {
  it("is read whole, arguments as they are (H4), a variable that is not set as the agent's own lack (H5)", () => {
    const { read, findings } = parse(FULL);
    expect(findings).toEqual([]);
    expect(read).toEqual({
      agents: [
        {
          id: "0f5b1f0e",
          slug: "vibe",
          name: "Mistral Vibe",
          formerly: ["old"],
          enabled: true,
          preset: "vibe@2.26.1",
          sandbox: { kind: "none" },
          file: "/c/agents.yaml",
          command: "vibe-acp",
          args: ["--acp", "", "a b", "$HOME", ";id", '--x="q"'],
          env: { MODE: "plain", KEY: "v-1" },
          lacking: { OTHER: "NOT_SET" },
          cwd: "/home/me/agents",
          files: "read",
          terminal: true,
          auth: "api-key",
          mcpServers: ["tickets"],
          limits: { agentMs: 1000, startMs: 2000 },
        },
        {
          id: "second",
          slug: "two",
          name: "two",
          formerly: [],
          enabled: false,
          preset: null,
          sandbox: { kind: "none" },
          file: "/c/agents.yaml",
          command: "./two",
          args: [],
          env: {},
          lacking: {},
          cwd: "/c",
          files: "none",
          terminal: false,
          auth: null,
          mcpServers: [],
          limits: {},
        },
      ],
      removed: [{ id: "gone", slug: "three", name: "three", at: "2026-11-01" }],
      warnings: [],
    });
  });

  it("is empty where there is no text", () => {
    expect(parse("").read).toEqual({ agents: [], removed: [], warnings: [] });
  });

  it.each([
    ["agents: []", "1 the file says no version"],
    ["version: 2\nagents: []", "1 version 2 is not known here"],
    ["version: 1\nagent: []", '2 agents.yaml has no field "agent"'],
    [entry("shell: true"), '3 an agent has no field "shell"'],
    [entry("env: {'A=B': x}"), '3 "A=B" is no name of a variable'],
    ["version: 1\nagents:\n  - {id: a, slug: claude, command: x}", '3 "claude" is the name of a provider'],
    ["version: 1\nagents:\n  - {id: a, slug: 'a b', command: x}", '3 "a b" is no slug'],
    ["version: 1\nagents:\n  - {slug: a, command: x}", '3 an agent needs "id"'],
  ])("has faults, each with its place: %s", (source, fault) => {
    expect(faults(source)).toEqual([fault]);
    expect(parse(source).read).toBeNull();
  });

  it("refuses two agents of one id or one slug (H3)", () => {
    const two = (a: string, b: string) => `version: 1\nagents:\n  - {${a}, command: x}\n  - {${b}, command: x}\n`;
    expect(faults(two("id: a, slug: s", "id: a, slug: t"))).toEqual(['4 two agents have the id "a"']);
    expect(faults(two("id: a, slug: s", "id: b, slug: s"))).toEqual(['4 two agents have the slug "s"']);
  });

  it("names an agent by slug, id and former slug; another agent's slug goes first (H2)", () => {
    const source = `version: 1\nagents:\n  - {id: a, slug: new, formerly: [old, other], command: x}\n  - {id: b, slug: other, command: x}\n`;
    const { agents = [] } = parse(source).read ?? {};
    const config = { acpAgents: Object.fromEntries(agents.map((agent) => [agent.slug, agent])) };
    const idOf = (name: string) => agentNamed(config, name)?.id;
    expect(["new", "old", "a", "other", "b", "none", "constructor"].map(idOf)).toEqual([
      "a",
      "a",
      "a",
      "b",
      "b",
      undefined,
      undefined,
    ]);
    const { removed = [] } = parse(FULL).read ?? {};
    const removedAgents = [...removed, { id: "was", slug: "four", name: "four", at: "", formerly: ["three", "two"] }];
    expect(["three", "two", "was"].map((name) => removedNamed({ removedAgents }, name)?.id)).toEqual([
      "gone",
      "was",
      "was",
    ]);
    expect(namesOf({ removedAgents })).toContain("two");
  });
});

describe("literals that look like secrets (H5)", () => {
  const warnings = (more: string) =>
    parse(entry(more)).read?.warnings.map(({ message, path, severity }) => [severity, path, message]);
  it.each([
    ["env: {API_KEY: abc}", "agents[0].env.API_KEY"],
    ["env: {SETTING: sk-abcdefghijklmnopqrstuv}", "agents[0].env.SETTING"],
    ["env: {X: ghp_abcdefghijklmnopqrst0123}", "agents[0].env.X"],
    ['args: ["--token=abcd"]', "agents[0].args[0]"],
    ['args: ["--api-key", abcd]', "agents[0].args[1]"],
    ["args: [AKIAABCDEFGHIJKLMNOP]", "agents[0].args[0]"],
  ])("are warned about, without the value: %s", (more, path) => {
    const told = warnings(more);
    expect(told).toEqual([["warning", path, expect.stringContaining("looks like a secret that is written out")]]);
    expect(JSON.stringify(told)).not.toMatch(/abcd|AKIA/);
  });
  it.each([
    "env: {API_KEY: {from_env: VIBE_KEY}}",
    "env: {MODEL: gpt-5.5-large}",
    "args: [--acp, --model=gemini-2.5-flash]",
  ])("are not seen in %s", (more) => expect(warnings(more)).toEqual([]));
  it("are left out of what is shown of arguments", () => {
    expect(shownArguments(["--acp", "--token=abcd", "--api-key", "abcd", "--model", "x"])).toEqual([
      "--acp",
      "--token=[secret]",
      "--api-key",
      "[secret]",
      "--model",
      "x",
    ]);
  });
});

describe("both files", () => {
  const env = () => {
    const home = mkdtempSync(join(tmpdir(), "troupe-agents-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const environment = { HOME: home };
    mkdirSync(dirname(agentsFileOf(environment)), { recursive: true });
    return environment;
  };
  const fault = (environment: { HOME: string }) => {
    try {
      readConfig(environment);
      return null;
    } catch (error) {
      const { code, message, details } = troupeError(error);
      return {
        code,
        message: message.replaceAll(environment.HOME, "~"),
        file: String(details["file"]).replace(environment.HOME, "~"),
      };
    }
  };
  it("are one configuration", () => {
    const environment = env();
    writeFileSync(agentsFileOf(environment), entry("args: [--acp]"));
    writeFileSync(join(dirname(agentsFileOf(environment)), "config.yaml"), "agents: {acp: {two: {command: two}}}\n");
    expect(Object.keys(readConfig(environment).acpAgents)).toEqual(["two", "one"]);
    writeFileSync(join(dirname(agentsFileOf(environment)), "config.yaml"), "agents: {acp: {one: {command: two}}}\n");
    expect(fault(environment)).toMatchObject({
      code: "USER.CONFIG.INVALID",
      message: expect.stringContaining('an agent "one" stands in'),
    });
  });
  it("name models of an agent by any name that it has or had, and of none that never was", () => {
    const environment = env();
    const config = join(dirname(agentsFileOf(environment)), "config.yaml");
    const removed = "removed:\n  - {id: gone, slug: three}\n";
    writeFileSync(agentsFileOf(environment), entry("formerly: [old]") + removed);
    writeFileSync(config, "models: {one: [small], old: [small], three: [small]}\n");
    expect(readConfig(environment).models).toMatchObject({ one: ["small"] });
    writeFileSync(config, "models: {onne: [small]}\n");
    expect(fault(environment)?.message).toContain('there is no provider "onne" (expected one of claude,');
    expect(fault(environment)?.message).toContain('did you mean "one"?');
    writeFileSync(agentsFileOf(environment), "version: 9\n");
    expect(fault(environment)?.message).not.toContain("onne");
  });
  it("are refused where every user may write them, and with the place of a fault", () => {
    const environment = env();
    const file = agentsFileOf(environment);
    writeFileSync(file, "version: 9\n");
    expect(fault(environment)).toEqual({
      code: "USER.CONFIG.INVALID",
      message: "~/.config/troupe/agents.yaml:1:10: version 9 is not known here (expected version: 1)",
      file: "~/.config/troupe/agents.yaml",
    });
    chmodSync(file, 0o666);
    expect(fault(environment)?.message).toContain("may be written by everybody");
  });
});
