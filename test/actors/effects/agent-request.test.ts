/** What an agent is asked: its prompt, its options, its conversation, and what it is told of its surroundings. */
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../actors/agents/agent.ts";
import { agentRegistry } from "../../../actors/agents/registry.ts";
import { type Config, parseConfig } from "../../../actors/config/config.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import type { Json } from "../../../machines/model.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { isProvider } from "../../../machines/workflow/providers.ts";
import { DONE, REGISTRY, run } from "./agent-run.ts";
import { agentNode, fakeAgent, result, workspace } from "./support.ts";

describe("the request of an agent step", () => {
  it("is rendered, with a least environment, the marker and the conversation", async () => {
    const { agents, asked } = fakeAgent([{ type: "conversation", id: "c-7" }], DONE);
    const node = agentNode("Say {{.inputs.x}}", {
      provider: "{{.inputs.who}}",
      systemPrompt: "Be {{.inputs.x}}",
      options: { model: "{{.inputs.x}}", list: ["{{.inputs.who}}", 1], deep: { on: true } },
    });
    const { context, told } = await run(node, agents, {
      scope: { inputs: { x: "nice", who: "fake" } },
      conversation: "c-7",
    });
    expect(asked).toEqual([
      {
        prompt: "Say nice",
        systemPrompt: "Be nice",
        attached: expect.any(Function),
        options: { model: "nice", list: ["fake", 1], deep: { on: true } },
        cwd: "/repo",
        env: { PATH: process.env["PATH"], HOME: "/nowhere" },
        conversation: "c-7",
        continues: false,
        guidance: { listen: expect.any(Function) },
        ask: expect.any(Function),
        rules: expect.any(Function),
        approve: expect.any(Function),
        signIn: expect.any(Function),
        memory: { read: expect.any(Function), add: expect.any(Function) },
        mcpServers: [],
        serverSources: {},
        ownTools: "kept",
        warm: {
          session: "session/s",
          marker: {
            TROUPE_OWNER: expect.any(String),
            TROUPE_SCOPE: `session/s/agents/${context.attempt}`,
            TROUPE_DEPTH: expect.any(String),
          },
        },
        attempt: 1,
        marker: { TROUPE_OWNER: expect.any(String), TROUPE_SCOPE: context.attempt, TROUPE_DEPTH: expect.any(String) },
      },
    ]);
    expect(told).toEqual([]);
  });

  it("has a person's words in place of the prompt, as they were said", async () => {
    const { agents, asked } = fakeAgent([], DONE);
    const node = agentNode("Say {{.inputs.x}}", { mode: "conversation" });
    await run(node, agents, { said: "more {{.inputs.x}}", conversation: "c-1" });
    expect(asked[0]).toMatchObject({ prompt: "more {{.inputs.x}}", conversation: "c-1" });
  });

  it("has what the provider takes of the user's environment", async () => {
    const { agents, asked } = fakeAgent([], DONE);
    const taking = async () => Object.assign(await agents.fake(), { environment: { names: ["K"], prefixes: ["P_"] } });
    const environment = { PATH: "/bin", K: "1", P_X: "2", OTHER: "3" };
    await run(agentNode("Hi"), { fake: taking }, { options: { environment } });
    expect(asked[0]?.env).toEqual({ PATH: "/bin", K: "1", P_X: "2" });
  });

  it.each([
    ["c-1", true],
    ["c-2", false],
    [null, false],
  ])("tells that the conversation %s is another step's: %s", async (conversation, continues) => {
    const { agents, asked } = fakeAgent([], DONE);
    const node = agentNode("Hi", { conversation: { continueFrom: "first" } });
    const states = { first: result({ Conversation: "c-1" }) };
    await run(node, agents, { conversation, scope: { states } });
    expect(asked[0]).toMatchObject({ conversation, continues });
  });

  it("with an option that is wrong is the author's fault, named after its field", async () => {
    const fault = new TroupeError("USER.AGENT.INVALID_OPTION", "options.modle: no such option");
    const { agents } = fakeAgent([], fault);
    const { result: ended } = await run(agentNode("Hi"), agents);
    expect(ended.outcome.error).toEqual({
      code: "USER.AGENT.INVALID_OPTION",
      message: "states.build.options.modle: no such option",
    });
  });

  it("reads a prompt file as a template", async () => {
    const cwd = workspace({ "prompts/p.md": "Review {{.inputs.x}}" });
    const { agents, asked } = fakeAgent([], DONE);
    const node = agentNode("", { prompt: { file: "prompts/{{.inputs.name}}.md" } });
    await run(node, agents, { cwd, scope: { inputs: { x: "it", name: "p" } } });
    expect(asked[0]?.prompt).toBe("Review it");
  });

  it("puts the role before the system prompt and the skills before the prompt", async () => {
    const cwd = workspace({
      ".awf/roles/senior/AGENTS.md": "---\nname: senior\n---\n\nYou are senior.\n",
      ".agents/skills/audit/SKILL.md": "---\nname: audit\n---\nAudit well.\n",
      ".agents/skills/audit/lists/a.txt": "",
      "own/SKILL.md": "Own way.",
    });
    const { agents, asked } = fakeAgent([], DONE);
    const node = agentNode("Go", { role: "senior", systemPrompt: "Short.", skills: ["audit", { path: "own" }] });
    await run(node, agents, { cwd });
    expect(asked[0]?.systemPrompt).toBe("You are senior.\n\nShort.");
    expect(asked[0]?.prompt).toBe(
      [
        '<skill_content name="audit">',
        "Audit well.",
        "",
        `Skill directory: ${cwd}/.agents/skills/audit`,
        "<skill_resources>",
        "<file>lists/a.txt</file>",
        "</skill_resources>",
        "</skill_content>",
        "",
        '<skill_content name="own">',
        "Own way.",
        "",
        `Skill directory: ${cwd}/own`,
        "</skill_content>",
        "",
        "Go",
      ].join("\n"),
    );
  });

  it.each([
    [{ role: "nobody" }, "USER.INPUT.MISSING_ROLE"],
    [{ role: "../x" }, "USER.INPUT.MISSING_ROLE"],
    [{ skills: ["nothing"] }, "USER.INPUT.MISSING_SKILL"],
    [{ skills: [{ path: "/etc" }] }, "USER.INPUT.MISSING_SKILL"],
    [{ skills: [7] }, "USER.INPUT.MISSING_SKILL"],
    [{ prompt: { file: "none.md" } }, "USER.INPUT.MISSING_FILE"],
    [{ prompt: { text: "{{.inputs.x}}" } }, "WORKFLOW.TEMPLATE.RENDERING"],
    [{ mcpProxy: { enable: true, plugin_tools: [{ plugin: "k8s" }] } }, "USER.MCP_PROXY.UNKNOWN_PLUGIN"],
  ] as [Partial<AgentNode>, string][])("with %j is refused as %s, and no agent is asked", async (over, code) => {
    const { agents, asked } = fakeAgent([]);
    const { result: ended, rows } = await run(agentNode("Hi", over), agents, { cwd: workspace() });
    expect(ended.outcome).toEqual({ status: "failed", exitCode: 1, error: { code, message: expect.any(String) } });
    expect(ended.outcome.error?.message).toContain("states.build.");
    expect([rows, asked]).toEqual([[], []]);
  });

  it("names what exists when the provider does not", async () => {
    const { agents } = fakeAgent([]);
    const { result: ended } = await run(agentNode("Hi", { provider: "fakee" }), agents);
    expect(ended.outcome.error).toEqual({
      code: "USER.AGENT.UNKNOWN_PROVIDER",
      message: 'states.build.provider: there is no provider "fakee"; available: fake; did you mean "fake"?',
    });
  });

  it("goes to a configured ACP agent by its name, and to no other", async () => {
    const acp = fakeAgent([], DONE);
    const agents = { acp: acp.agents.fake };
    const { config } = parseConfig("agents: {acp: {vibe: {command: x}}}", "/c", {});
    const options = { config: () => config as Config };
    await run(agentNode("Hi", { provider: "vibe", options: { model: "m" } }), agents, { options });
    expect(acp.asked[0]?.options).toEqual({ model: "m", agent: "vibe" });
    const { result: other } = await run(agentNode("Hi", { provider: "vib" }), agents, { options });
    expect(other.outcome.error?.message).toContain('available: acp, vibe; did you mean "vibe"?');
  });

  it("gives an agent its session's conversations", async () => {
    const { agents, asked } = fakeAgent([], DONE);
    const memory = { read: async () => ["said"], add: async () => undefined };
    const sessions: string[] = [];
    const of = (session: string) => {
      sessions.push(session);
      return memory;
    };
    await run(agentNode("Hello"), agents, { options: { memory: { of } } });
    expect(asked[0]?.memory).toBe(memory);
    expect(sessions).toEqual(["session/s"]);
  });

  it("takes an agent's secret options from templates only, and has them masked", async () => {
    const { agents, asked } = fakeAgent([], DONE);
    const secret = {
      fake: async () => Object.assign(await (agents["fake"] as () => Promise<Agent>)(), { secretOptions: ["api_key"] }),
    };
    const learnt: unknown[] = [];
    const learn = (name: string, value: Json) => void learnt.push([name, value]);
    const mask = { learn, missing: () => [], text: (text: string) => text };
    const given = { options: { mask }, scope: { inputs: { key: "sk-1" } } };
    const written = await run(agentNode("Hello", { options: { api_key: "sk-in-a-file" } }), secret, given);
    expect(written.result.outcome.error).toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: expect.stringContaining("states.build.options.api_key: expected a template"),
    });
    expect([asked, learnt]).toEqual([[], []]);
    await run(agentNode("Hello", { options: { api_key: "{{.inputs.key}}" } }), secret, given);
    expect(asked[0]?.options).toEqual({ api_key: "sk-1" });
    expect(learnt).toEqual([["agent/r1/build/api_key", "sk-1"]]);
    await run(agentNode("Hello", { options: { headers: { "X-Auth": "{{.inputs.key}}-long" } } }), secret, given);
    expect(learnt.slice(1)).toEqual([["agent/r1/build/headers/X-Auth", "sk-1-long"]]);
  });

  it("knows no provider twice", () => {
    const exist = Object.keys(agentRegistry(REGISTRY));
    expect(exist.filter((name) => !isProvider(name))).toEqual([]);
  });
});
