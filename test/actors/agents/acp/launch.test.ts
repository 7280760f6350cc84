/** What is shown before an agent starts: whole, without values, and another one as soon as anything differs. H9, H19, H20. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { launchOf } from "../../../../actors/agents/acp/launch.ts";
import type { AcpAgent } from "../../../../actors/config/config.ts";
import type { McpServer } from "../../../../machines/mcp/server.ts";

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-launch-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(root, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };
  const cwd = join(root, "work");
  mkdirSync(cwd);
  file("bin/agent", "one");
  file("other/agent", "one");
  const script = file("work/agent.mjs", "script");
  const agent: AcpAgent = {
    ...{ id: "i", slug: "mine", name: "Mine", formerly: [], enabled: true, preset: null },
    ...{ file: join(root, "agents.yaml"), lacking: {}, cwd: null, limits: {}, sandbox: { kind: "none" }, auth: null },
    command: "agent",
    args: ["./agent.mjs", "a b", "--token=abcd1234", ""],
    env: { KEY: "value-of-key" },
    files: "read",
    terminal: false,
    mcpServers: ["tickets", "web"],
  };
  const tickets: McpServer = {
    name: "tickets",
    transport: "stdio",
    command: "tickets-mcp",
    args: ["--stdio"],
    env: { TOKEN: "value-of-token" },
  };
  const web: McpServer = {
    name: "web",
    transport: "http",
    url: "https://mcp.example/x",
    headers: { Authorization: "value-of-header" },
  };
  const unused: McpServer = { ...tickets, name: "unused" };
  const request = {
    cwd,
    options: { env: { STEP: "value-of-step" } },
    mcpServers: [tickets, web, unused],
    serverSources: { tickets: "you", web: "the workflow" } as const,
  };
  const env = { PATH: `:.:${join(root, "bin")}:${join(root, "other")}`, HOME: root };
  return { root, cwd, file, script, agent, request, env, tickets, web };
}

it("is whole: program by contents, arguments, names of variables, folder, servers with their source, and what it may", () => {
  const { root, cwd, agent, request, env } = place();
  const { shown, digest, agent: id, workspace } = launchOf(agent, request, env);
  expect([id, workspace]).toEqual(["i", cwd]);
  expect(shown).toEqual({
    agent: "mine",
    program: join(root, "bin/agent"),
    sha256: "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
    argv: [join(root, "bin/agent"), "./agent.mjs", "a b", "--token=[secret]", ""],
    files: { [join(cwd, "agent.mjs")]: "21a0270b7f66a1e4c25933f13a1e5a1bbb4757578072930c8189131f9c6aaae1" },
    variables: ["KEY", "STEP"],
    "runs in": cwd,
    workspace: cwd,
    "MCP servers": [
      {
        name: "tickets",
        from: "you",
        command: ["tickets-mcp", "--stdio"],
        variables: ["TOKEN"],
        credentials: "stay with Troupe",
      },
      {
        name: "web",
        from: "the workflow",
        url: "https://mcp.example/x",
        headers: ["Authorization"],
        credentials: "stay with Troupe",
      },
    ],
    "may, through Troupe": ["read files of the workspace", "no commands"],
  });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(shown)).not.toMatch(/value-of|abcd1234/);
});

const mutations: { [what: string]: (p: ReturnType<typeof place>) => ReturnType<typeof launchOf> } = {
  "the program's contents": (p) => {
    p.file("bin/agent", "two");
    return launchOf(p.agent, p.request, p.env);
  },
  "the program's place": (p) => {
    rmSync(join(p.root, "bin/agent"));
    return launchOf(p.agent, p.request, p.env);
  },
  "a script's contents": (p) => {
    p.file("work/agent.mjs", "other");
    return launchOf(p.agent, p.request, p.env);
  },
  "an argument": (p) => launchOf({ ...p.agent, args: [...p.agent.args, "--more"] }, p.request, p.env),
  "an argument that is not shown": (p) =>
    launchOf({ ...p.agent, args: p.agent.args.map((arg) => arg.replace("abcd1234", "efgh")) }, p.request, p.env),
  "a variable of the agent": (p) =>
    launchOf({ ...p.agent, env: { ...p.agent.env, NODE_OPTIONS: "x" } }, p.request, p.env),
  "a variable of the step": (p) =>
    launchOf(p.agent, { ...p.request, options: { env: { STEP: "", OTHER: "" } } }, p.env),
  "where it runs": (p) => launchOf({ ...p.agent, cwd: p.root }, p.request, p.env),
  "the workspace": (p) => launchOf(p.agent, { ...p.request, cwd: p.root }, p.env),
  "another folder": (p) => launchOf(p.agent, { ...p.request, directories: [p.root] }, p.env),
  "a server more": (p) => launchOf({ ...p.agent, mcpServers: ["tickets", "web", "unused"] }, p.request, p.env),
  "a server's command": (p) =>
    launchOf(p.agent, { ...p.request, mcpServers: [{ ...p.tickets, command: "evil" } as McpServer, p.web] }, p.env),
  "a server's argument": (p) =>
    launchOf(p.agent, { ...p.request, mcpServers: [{ ...p.tickets, args: ["--evil"] } as McpServer, p.web] }, p.env),
  "a server's variable": (p) =>
    launchOf(p.agent, { ...p.request, mcpServers: [{ ...p.tickets, env: { EVIL: "" } } as McpServer, p.web] }, p.env),
  "a server's address": (p) =>
    launchOf(
      p.agent,
      { ...p.request, mcpServers: [p.tickets, { ...p.web, url: "https://evil.example" } as McpServer] },
      p.env,
    ),
  "a server's header": (p) =>
    launchOf(
      p.agent,
      { ...p.request, mcpServers: [p.tickets, { ...p.web, headers: { Evil: "" } } as McpServer] },
      p.env,
    ),
  "a server's source": (p) =>
    launchOf(p.agent, { ...p.request, serverSources: { tickets: "the workflow", web: "the workflow" } }, p.env),
  "what it may do to files": (p) => launchOf({ ...p.agent, files: "write" }, p.request, p.env),
  "whether it may run commands": (p) => launchOf({ ...p.agent, terminal: true }, p.request, p.env),
  "its sandbox": (p) => launchOf({ ...p.agent, sandbox: { kind: "workspace", write: [] } }, p.request, p.env),
  "what else it may write in its sandbox": (p) => {
    const boxed: AcpAgent = { ...p.agent, sandbox: { kind: "workspace", write: [] } };
    const { digest } = launchOf(boxed, p.request, p.env);
    const wider = launchOf({ ...boxed, sandbox: { kind: "workspace", write: ["/srv"] } }, p.request, p.env);
    expect(wider.digest).not.toBe(digest);
    return wider;
  },
  "whether it is handed credentials": (p) =>
    launchOf({ ...p.agent, mcp: { deny: [], ask: [], secrets: ["tickets"] } }, p.request, p.env),
  "a server less": (p) => launchOf({ ...p.agent, mcp: { deny: ["web"], ask: [], secrets: [] } }, p.request, p.env),
  "how it signs in": (p) => launchOf({ ...p.agent, auth: "api-key" }, p.request, p.env),
};
it.each(Object.keys(mutations))("is another launch when %s changes (H10, H20)", (what) => {
  const p = place();
  const before = launchOf(p.agent, p.request, p.env).digest;
  expect(launchOf(p.agent, p.request, p.env).digest).toBe(before);
  expect(mutations[what]?.(p).digest).not.toBe(before);
});

it("does not change with a new name, nor with the order of servers' sources", () => {
  const p = place();
  const { digest } = launchOf(p.agent, p.request, p.env);
  expect(launchOf({ ...p.agent, slug: "yours", name: "Other" }, p.request, p.env).digest).toBe(digest);
});

it("never takes a program from the workspace by PATH, and follows no PATH entry that is relative (H9)", () => {
  const p = place();
  p.file("work/agent", "evil");
  expect(launchOf(p.agent, p.request, { ...p.env, PATH: `:.:./bin:${p.env.PATH}` }).shown["program"]).toBe(
    join(p.root, "bin/agent"),
  );
  rmSync(join(p.root, "bin/agent"));
  rmSync(join(p.root, "other/agent"));
  expect(() => launchOf(p.agent, p.request, p.env)).toThrow(expect.objectContaining({ type: "agentNotFound" }));
});

it("sees through a link: what it leads to counts", () => {
  const p = place();
  p.file("real", "one");
  rmSync(join(p.root, "bin/agent"));
  symlinkSync(join(p.root, "real"), join(p.root, "bin/agent"));
  const before = launchOf(p.agent, p.request, p.env).digest;
  p.file("real", "two");
  expect(launchOf(p.agent, p.request, p.env).digest).not.toBe(before);
});

it("says where a known agent is installed from (H11)", () => {
  const p = place();
  const wanted = (agent: Partial<AcpAgent>) => () => launchOf({ ...p.agent, ...agent }, p.request, p.env);
  const told = "https://www.npmjs.com/package/@agentclientprotocol/codex-acp";
  expect(wanted({ command: "codex-acp" })).toThrow(told);
  expect(wanted({ command: "/gone/codex-acp", preset: "codex-acp@2.6.0" })).toThrow(told);
  expect(wanted({ command: "npx", preset: "codex-acp@2.6.0" })).toThrow("https://nodejs.org");
  expect(wanted({ command: "vibe-acp" })).toThrow("https://pypi.org/project/mistral-vibe");
  expect(wanted({ command: "other" })).toThrow(/full path$/);
});

it("takes no argument for a file that cannot be one", () => {
  const { cwd, agent, request, env } = place();
  symlinkSync("loop", join(cwd, "loop"));
  const args = ["loop", "x".repeat(5_000), "./agent.mjs"];
  const { shown } = launchOf({ ...agent, args }, request, env);
  expect(Object.keys(shown["files"] ?? {})).toEqual([join(cwd, "agent.mjs")]);
});
