import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { configFileOf, parseConfig, readConfig } from "../../../actors/config/config.ts";
import { troupeError } from "../../../actors/errors/troupe-error.ts";

const FULL = `
agents:
  acp:
    vibe:
      command: vibe-acp
      args: [--agent, "", "a b", 7]
      env: {MODE: plain, KEY: {from_env: VIBE_KEY}}
      files: write
      terminal: yes
      mcp_servers: [tickets]
mcp_servers:
  tickets: {command: tickets-mcp, args: [--stdio], env: {TOKEN: {from_env: TICKETS_TOKEN}}}
  remote: {url: "https://mcp.example/x", headers: {Authorization: Bearer abc}}
  old: {type: sse, url: "http://127.0.0.1:9/sse"}
permissions:
  default: deny
  allow: [{kind: read}, {kind: execute, agent: vibe, command: git status}]
  deny: [{path: "secrets/**"}]
editor: {write: true}
models: {codex: [gpt-5.5, 7], vibe: [small]}
limits: {kept_output_bytes: 2048}
`;
const ENVIRONMENT = { VIBE_KEY: "v-1", TICKETS_TOKEN: "t-1" };
const faults = (source: string) =>
  parseConfig(source, "/c/config.yaml", ENVIRONMENT).findings.map(
    ({ line, column, message, suggestion }) => `${line}:${column} ${message}${suggestion ? ` → ${suggestion}` : ""}`,
  );

describe("the user's configuration", () => {
  it("is read whole", () => {
    const { config, findings } = parseConfig(FULL, "/c/config.yaml", ENVIRONMENT);
    expect(findings).toEqual([]);
    expect(config).toEqual({
      file: "/c/config.yaml",
      acpAgents: {
        vibe: {
          id: "vibe",
          slug: "vibe",
          name: "vibe",
          formerly: [],
          enabled: true,
          preset: null,
          sandbox: { kind: "none" },
          file: "/c/config.yaml",
          lacking: {},
          cwd: null,
          limits: {},
          command: "vibe-acp",
          args: ["--agent", "", "a b", "7"],
          env: { MODE: "plain", KEY: "v-1" },
          files: "write",
          terminal: true,
          auth: null,
          mcpServers: ["tickets"],
        },
      },
      removedAgents: [],
      mcpServers: [
        { name: "tickets", transport: "stdio", command: "tickets-mcp", args: ["--stdio"], env: { TOKEN: "t-1" } },
        {
          name: "remote",
          transport: "http",
          url: "https://mcp.example/x",
          headers: { Authorization: "Bearer abc" },
        },
        { name: "old", transport: "sse", url: "http://127.0.0.1:9/sse", headers: {} },
      ],
      permissions: {
        default: "deny",
        deny: [{ path: "secrets/**" }],
        allow: [{ kind: "read" }, { kind: "execute", agent: "vibe", command: "git status" }],
        ask: [],
      },
      models: { codex: ["gpt-5.5", "7"], vibe: ["small"] },
      editor: { write: true, terminal: false },
      limits: { keptOutputBytes: 2048 },
      retention: {},
    });
  });

  it("is empty, with safe defaults, where the file says nothing", () => {
    const { config, findings } = parseConfig("# nothing yet\n", "/c/config.yaml", {});
    expect(findings).toEqual([]);
    expect(config).toEqual({
      file: "/c/config.yaml",
      acpAgents: {},
      removedAgents: [],
      mcpServers: [],
      permissions: { default: "ask", deny: [], allow: [], ask: [] },
      editor: { write: false, terminal: false },
      models: {},
      limits: {},
      retention: {},
    });
  });

  it("reads how much of the past is kept, and refuses words that say nothing", () => {
    const read = (text: string) => parseConfig(text, "/c/config.yaml", {});
    expect(read("retention: {max_age: 90d, max_runs: 7, max_size: 1.5GB}").config?.retention).toEqual({
      maxAgeMs: 90 * 86_400_000,
      maxRuns: 7,
      maxBytes: 1.5 * 1024 ** 3,
    });
    expect(faults("retention: {max_age: long, max_size: 7}")).toEqual([
      '1:22 "max_age" must be a number with h, d, w or y, as 90d, not "long"',
      '1:38 "max_size" must be a number with KB, MB or GB, as 2GB, not 7',
    ]);
  });

  it("leaves the rest as it is where an agent's variable is not set", () => {
    const source = "agents: {acp: {one: {command: x, env: {K: {from_env: NO}}}, two: {command: y}}}";
    const { config, findings } = parseConfig(source, "/c/config.yaml", ENVIRONMENT);
    expect(findings).toEqual([]);
    expect(Object.values(config?.acpAgents ?? {}).map(({ slug, env, lacking }) => [slug, env, lacking])).toEqual([
      ["one", {}, { K: "NO" }],
      ["two", {}, {}],
    ]);
  });

  it("leaves out a server whose variable is not set, and knows its name", () => {
    const source = [
      "mcp_servers:",
      "  one: {command: x, env: {A: a-b-c-d-e-f, K: {from_env: NO}}}",
      "  two: {type: http, url: 'https://x', headers: {Authorization: {from_env: NONE}}}",
      "  three: {command: y}",
      "agents: {acp: {mine: {command: z, mcp_servers: [one, three]}}}",
    ].join("\n");
    const { config, findings } = parseConfig(source, "/c/config.yaml", ENVIRONMENT);
    expect(findings).toEqual([]);
    expect(config?.mcpServers.map(({ name }) => name)).toEqual(["three"]);
    expect(config?.lackingServers?.map(({ server, variables }) => [server.name, variables])).toEqual([
      ["one", [{ name: "K", variable: "NO" }]],
      ["two", [{ name: "Authorization", variable: "NONE" }]],
    ]);
    expect(config?.acpAgents["mine"]?.mcpServers).toEqual(["one", "three"]);
  });

  it("tells all faults at once, each at its place, with what was meant (I2)", () => {
    const source = [
      "agent: {}",
      "agents: {acp: {claude: {command: x}, a b: {command: x}, vibe: {comand: x, files: all, mcp_servers: [ticket]}}}",
      "mcp_servers: {tickets: {command: a, url: 'http://b'}, none: {}, bad: {url: ftp}, env: {command: x, env: {A=: b}}}",
      "permissions: {default: alow, allow: [{kind: reed}]}",
      "editor: {writ: true}",
      "limits: {file_bites: 3, hook_ms: 0}",
      "models: {codx: [a], gemini: flash}",
    ].join("\n");
    const { config, findings } = parseConfig(source, "/c/config.yaml", ENVIRONMENT);
    expect(config).toBeNull();
    expect(findings.every((each) => each.severity === "error")).toBe(true);
    expect(faults(source)).toMatchInlineSnapshot(`
      [
        "1:1 the configuration has no field "agent" → agents",
        "2:16 "claude" is the name of a provider",
        "2:38 "a b" is no name for agent",
        "2:64 agent "vibe" has no field "comand" → command",
        "2:82 "files" must be one of none, read, write, not "all"",
        "3:24 server "tickets": it has both a command and a url",
        "3:61 server "none": it has neither a command nor a url",
        "3:70 server "bad": "ftp" is no address",
        "3:106 "A=" is no name of a variable",
        "4:24 "default" must be one of ask, allow, deny, not "alow" → allow",
        "4:45 "kind" must be one of read, edit, delete, move, search, execute, think, fetch, switch_mode, other, not "reed" → read",
        "5:10 editor has no field "writ" → write",
        "6:10 limits has no field "file_bites" → file_bytes",
        "6:34 "hook_ms" must be a whole number, 1 or more, not 0",
        "7:10 there is no provider "codx" → codex",
        "7:29 the models of gemini must be a list of texts, not "flash" → [flash]",
      ]
    `);
  });

  it("is no use when it is no YAML, and says where", () => {
    expect(faults("agents: [")[0]).toMatch(/^1:\d+ /);
    expect(faults("- a\n")).toHaveLength(1);
  });
});

describe("the file", () => {
  const environment = () => {
    const home = mkdtempSync(join(tmpdir(), "troupe-config-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const environment = { HOME: home };
    const file = configFileOf(environment);
    mkdirSync(dirname(file), { recursive: true });
    return { environment, file };
  };
  const thrown = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      return troupeError(error);
    }
    throw new Error("nothing was thrown");
  };

  it("need not exist", () => {
    const { environment: env, file } = environment();
    expect(readConfig(env)).toMatchObject({ file, acpAgents: {} });
  });

  it("is named with line and column in the error", () => {
    const { environment: env, file } = environment();
    writeFileSync(file, "limits:\n  file_bites: 3\n");
    const error = thrown(() => readConfig(env));
    expect(error.code).toBe("USER.CONFIG.INVALID");
    expect(error.details).toEqual({ file, line: 2, column: 3 });
    expect(error.message).toBe(`${file}:2:3: limits has no field "file_bites"; did you mean "file_bytes"?`);
  });

  it("may be a link to a file, which is read", () => {
    const { environment: env, file } = environment();
    writeFileSync(join(dirname(file), "other.yaml"), "permissions: {default: deny}\n");
    symlinkSync("other.yaml", file);
    expect(readConfig(env).permissions.default).toBe("deny");
  });

  it("is refused where every user may write it (I1)", () => {
    const { environment: env, file } = environment();
    writeFileSync(file, "limits: {}\n");
    expect(readConfig(env).limits).toEqual({});
    chmodSync(file, 0o666);
    expect(thrown(() => readConfig(env))).toMatchObject({ code: "USER.CONFIG.INVALID", details: { file } });
  });
});
