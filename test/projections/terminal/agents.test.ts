import { describe, expect, it } from "vitest";
import {
  type AgentView,
  agentCard,
  agentsTable,
  healthCard,
  presetsTable,
} from "../../../projections/terminal/agents.ts";

/** Styles as they can be read. */
const styled = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll("\u001b[", "^"));
const plain = { colours: false, columns: null };
const agent: AgentView = {
  id: "a1",
  slug: "opencode",
  name: "Open\u001b[2JCode",
  formerly: ["oc", "open"],
  preset: "opencode",
  file: "/h/agents.json",
  command: "opencode",
  path: "/bin/opencode",
  args: ["acp", "--say", "two words"],
  env: ["A", "B"],
  cwd: "/w",
  files: "read",
  sandbox: "on",
  terminal: true,
  auth: "key",
  mcpServers: ["git", "web"],
  limits: {},
  state: "ready",
};
const bare: AgentView = {
  ...agent,
  ...{ slug: "own", name: "Own", formerly: [], preset: null, command: "./own", path: null, args: [], env: [] },
  ...{ cwd: null, terminal: false, auth: null, mcpServers: [], state: "broken", why: "it is not there" },
};

describe("agents", () => {
  it("are a table: what they are called, their state, and what a person would type", () => {
    expect(agentsTable([agent, bare], plain)).toMatchInlineSnapshot(`
      [
        "AGENT     NAME      STATE   COMMAND",
        "opencode  OpenCode  ready   opencode acp --say "two words"",
        "own       Own       broken  ./own",
      ]
    `);
  });
  it("have a colour by their state", () => {
    const states = ["ready", "disabled", "needs approval", "broken"];
    const rows = agentsTable(
      states.map((state) => ({ ...bare, state })),
      { colours: true, columns: null },
    );
    expect(styled(rows.slice(1))).toMatchInlineSnapshot(`
      [
        "own    Own   ^32mready^39m           ./own",
        "own    Own   ^2mdisabled^22m        ./own",
        "own    Own   ^33mneeds approval^39m  ./own",
        "own    Own   ^31mbroken^39m          ./own",
      ]
    `);
  });
  it("are shown one by one with all that is set, and without what is not", () => {
    expect(agentCard(agent, plain)).toMatchInlineSnapshot(`
      [
        "agent      opencode",
        "name       OpenCode",
        "id         a1",
        "formerly   oc, open",
        "preset     opencode",
        "state      ready",
        "file       /h/agents.json",
        "command    opencode acp --say "two words"",
        "program    /bin/opencode",
        "variables  A, B",
        "runs in    /w",
        "files      read",
        "sandbox    on",
        "commands   yes",
        "sign-in    key",
        "servers    git, web",
      ]
    `);
    expect(agentCard(bare, plain)).toMatchInlineSnapshot(`
      [
        "agent      own",
        "name       Own",
        "id         a1",
        "state      broken",
        "why        it is not there",
        "file       /h/agents.json",
        "command    ./own",
        "runs in    the run's folder",
        "files      read",
        "sandbox    on",
        "commands   no",
      ]
    `);
  });
  it("are known by presets", () => {
    const preset = { id: "p", name: "P", version: "1.0.0", package: "@p/p", program: null };
    expect(presetsTable([preset, { ...preset, id: "q", program: "/bin/q" }], plain)).toMatchInlineSnapshot(`
      [
        "PRESET  NAME  VERSION  PACKAGE  PROGRAM",
        "p       P     1.0.0    @p/p",
        "q       P     1.0.0    @p/p     /bin/q",
      ]
    `);
  });
});

describe("an agent's health", () => {
  const found = { agent: "own", program: "/bin/own", sha256: "ab12" };
  it("is what it said when it started", () => {
    const health = {
      ...found,
      ...{ ok: true as const, name: "Own", version: "", protocolVersion: 1, capabilities: { load: true } },
      ...{ signIn: "not needed", methods: ["a", "b"], knownFaults: ["forgets", "repeats"] },
    };
    expect(healthCard(health, plain)).toMatchInlineSnapshot(`
      [
        "agent      own",
        "program    /bin/own",
        "sha256     ab12",
        "starts     yes",
        "says       Own",
        "protocol   1",
        "can        {"load":true}",
        "sign-in    not needed",
        "methods    a, b",
        "known      forgets",
        "known      repeats",
      ]
    `);
  });
  it("is why it did not", () => {
    const health = { ...found, program: null, sha256: null, ok: false, why: "no such\u001b[2J file" } as const;
    expect(healthCard(health, plain)).toMatchInlineSnapshot(`
      [
        "agent      own",
        "starts     no: no such file",
      ]
    `);
    expect(styled(healthCard(health, { colours: true, columns: null })).at(-1)).toMatchInlineSnapshot(
      `"^2mstarts    ^22m ^31mno: no such file^39m"`,
    );
  });
});
