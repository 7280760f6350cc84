import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../actors/config/config.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { work } from "../../../actors/effects/work.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { fakeAgent, ORIGIN, optionsFor, scopeIn, workflowOf } from "./support.ts";

const DONE = { status: "completed", text: "", usage: null } as const;
const source = (servers: string, options = "{}") => `
name: w
inputs: [{name: key, type: string}]
mcp_servers: ${servers}
states:
  initial: build
  build: {type: agent, provider: fake, prompt: Hi, options: ${options}, on_success: done}
  done: {type: terminal}
`;

async function asked(
  yaml: string,
  over: Partial<EffectOptions> = {},
  inputs: { [name: string]: string } = {},
  attempt = 1,
) {
  const { agents, asked } = fakeAgent([], DONE);
  const node = workflowOf(yaml).states["build"];
  if (node?.type !== "agent") throw new Error("no agent");
  const input = {
    origin: ORIGIN,
    node,
    scope: scopeIn("/repo", { inputs }),
    attempt,
    conversation: null,
    said: null,
  };
  const { context, rows } = recordingContext();
  const { outcome } = await work(optionsFor({ agents, ...over }))(input, context);
  return { servers: asked[0]?.mcpServers, options: asked[0]?.options, error: outcome.error, rows };
}
const config = (yaml: string) => {
  const { config } = parseConfig(yaml, "/c", {});
  if (config === null) throw new Error("bad configuration");
  return () => config;
};
const stdio = (name: string, command: string, env: { [name: string]: string } = {}): McpServer => ({
  name,
  transport: "stdio",
  command,
  args: [],
  env,
});

describe("the MCP servers of an agent step", () => {
  it("are the user's, the workflow's, the step's and the client's, rendered and merged (I1)", async () => {
    const yaml = source(
      '{b: {command: workflow}, c: {command: "{{.inputs.key}}"}, d: {command: workflow, env: {K: "{{.inputs.key}}"}}}',
      "{model: m, mcp_servers: {c: {command: step}}}",
    );
    const over = {
      config: config("mcp_servers: {a: {command: user}, b: {command: user}}"),
      sessionServers: (session: string) => [stdio("d", `editor of ${session}`)],
    };
    const { servers, options, error } = await asked(yaml, over, { key: "k" });
    expect(error).toBeUndefined();
    expect(servers).toEqual([
      stdio("a", "user"),
      stdio("b", "workflow"),
      stdio("c", "step"),
      stdio("d", "editor of session/s"),
    ]);
    expect(options).toEqual({ model: "m" });
    expect((await asked(yaml, {}, { key: "k" })).servers).toContainEqual(stdio("d", "workflow", { K: "k" }));
  });

  it("are without one whose variable is not set, which a notice says once", async () => {
    const lacking = { config: config("mcp_servers: {a: {command: x, env: {K: {from_env: NO_KEY}}}, b: {command: y}}") };
    const said = (rows: { payload?: unknown }[]) => rows.map(({ payload }) => payload);
    const { servers, error, rows } = await asked(source("{}"), lacking);
    expect(error).toBeUndefined();
    expect(servers).toEqual([stdio("b", "y")]);
    const message = 'the MCP server "a" needs K from the variable NO_KEY, which is not set; the agent works without it';
    expect(said(rows)).toContainEqual({ severity: "warning", message });
    expect(JSON.stringify((await asked(source("{}"), lacking, {}, 2)).rows)).not.toContain("NO_KEY");
    const own = await asked(source("{a: {command: theirs}}"), lacking);
    expect(own.servers).toEqual([stdio("b", "y"), stdio("a", "theirs")]);
    expect(JSON.stringify(own.rows)).not.toContain("NO_KEY");
  });

  it("may not be taken from the workflow by the client where they are pinned", async () => {
    const yaml = source("{safe: {command: x, pinned: true}}");
    const { servers, error } = await asked(yaml, { sessionServers: () => [stdio("safe", "evil")] });
    expect(servers).toBeUndefined();
    expect(error).toMatchObject({ code: "USER.MCP.PINNED" });
    expect((await asked(yaml)).servers).toEqual([stdio("safe", "x")]);
  });

  it.each(["NODE_OPTIONS", "LD_PRELOAD", "PATH", "TROUPE_TOKEN"])(
    "get no %s from a workflow, and any from the user (I2)",
    async (name) => {
      const entry = `{s: {command: x, env: {${name}: v}}}`;
      expect((await asked(source(entry))).error).toMatchObject({
        code: "USER.AGENT.INVALID_OPTION",
        message: expect.stringContaining(`mcp_servers.s.env.${name}: a workflow may not set this variable`),
      });
      const { servers } = await asked(source("{}"), { config: config(`mcp_servers: ${entry}`) });
      expect(servers).toEqual([stdio("s", "x", { [name]: "v" })]);
    },
  );

  it("hold secrets that are masked from then on (I3)", async () => {
    const mask = new Masking();
    const yaml =
      "mcp_servers: {s: {command: x, env: {API_TOKEN: canary-in-env, PLACE: canary-too, LOG_LEVEL: visible}}, " +
      'w: {url: "http://h", headers: {Authorization: Bearer canary-in-header}}}';
    await asked(source("{}"), { config: config(yaml), mask });
    expect(mask.text("canary-in-env canary-too visible Bearer canary-in-header")).toBe("*** *** visible ***");
    expect(mask.text("token canary-in-header.")).toBe("token ***.");
  });

  it("fail the step by their name when they are no servers", async () => {
    const bad = async (options: string) => (await asked(source("{}", options))).error;
    expect(await bad("{mcp_servers: x.json}")).toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: "states.build.options.mcp_servers: expected a map",
    });
    expect(await bad("{mcp_servers: {a: {comand: x}}}")).toMatchObject({
      code: "USER.MCP.INVALID_SERVER",
      message: "states.build.options.mcp_servers.a: comand is not known",
    });
    expect(await bad("{mcp_servers: {a: {}}}")).toMatchObject({
      code: "USER.MCP.INVALID_SERVER",
      message: "states.build.options.mcp_servers.a: it has neither a command nor a url",
    });
  });
});
