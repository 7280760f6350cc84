import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../actors/agents/agent.ts";
import { AGENT_ERRORS } from "../../../actors/agents/agent.ts";
import { agentPool, agentRegistry } from "../../../actors/agents/registry.ts";
import { type Config, parseConfig } from "../../../actors/config/config.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { parseJson } from "../../../actors/effects/response.ts";
import { work } from "../../../actors/effects/work.ts";
import { isCode } from "../../../actors/errors/codes.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import type { WorkResult } from "../../../machines/contracts.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { isProvider } from "../../../machines/workflow/providers.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { agentNode, fakeAgent, ORIGIN, optionsFor, result, scopeIn, workspace } from "./support.ts";

type Given = {
  said?: string;
  attempt?: number;
  repair?: string;
  scope?: Partial<Scope>;
  options?: Partial<EffectOptions>;
  recording?: Recording;
  conversation?: string | null;
  cwd?: string;
};

async function run(node: AgentNode, agents: EffectOptions["agents"], given: Given = {}) {
  const recording = given.recording ?? recordingContext();
  const scope = scopeIn(given.cwd ?? "/repo", given.scope);
  const input = {
    origin: ORIGIN,
    node,
    scope,
    attempt: given.attempt ?? 1,
    conversation: given.conversation ?? null,
    said: given.said ?? null,
    ...(given.repair === undefined ? {} : { repair: given.repair }),
  };
  const ended: WorkResult = await work(optionsFor({ agents, ...given.options }))(input, recording.context);
  return { rows: recording.rows, told: recording.told, result: ended, context: recording.context };
}

const REGISTRY = {
  clock: { now: () => 0, elapsed: () => 0, sleep: async () => undefined },
  config: () => parseConfig("", "/c", {}).config as Config,
  pool: agentPool(),
};
const at = { run: "r1", step: "build" };
const text = (type: "message.assistant" | "message.thought", block: string, said: string): Row => ({
  type,
  ...at,
  payload: { block: `build@1.${block}`, offset: 0, text: said },
});
const DONE = { status: "completed", text: "all", usage: null } as const;

describe("the rows of an agent step", () => {
  it("are its events in order, a new text block after a thought and around a call (I1, I2 of agent-rows)", async () => {
    const { agents } = fakeAgent(
      [
        { type: "conversation", id: "c-1" },
        { type: "text", text: "Let me " },
        { type: "text", text: "see." },
        { type: "thought", text: "Hm." },
        { type: "text", text: "I look." },
        { type: "tool", tool: { call: "t1", title: "Read a.ts", kind: "read", locations: [{ path: "/a.ts" }] } },
        { type: "text", text: "Meanwhile" },
        { type: "tool", tool: { call: "t1", status: "in_progress" } },
        { type: "text", text: " more." },
        { type: "tool output", call: "t1", text: "line" },
        { type: "tool output", call: "t1", text: " one" },
        { type: "tool", tool: { call: "t1", status: "completed", output: 3 } },
        { type: "text", text: "Done." },
        { type: "tool", tool: { call: "t1", title: "late" } },
        { type: "usage", usage: { inputTokens: 5, outputTokens: 7 } },
        { type: "notice", severity: "warning", message: "nearly full" },
        { type: "unknown", value: 1 },
        { type: "unknown", value: 2 },
        { type: "conversation", id: "c-1" },
      ],
      { ...DONE, usage: { inputTokens: 5, outputTokens: 7 } },
    );
    const { rows, told, result: ended } = await run(agentNode("Hello"), agents);
    const call = "build@1.t1";
    expect(rows).toEqual([
      text("message.assistant", "1", "Let me see."),
      text("message.thought", "2", "Hm."),
      text("message.assistant", "3", "I look."),
      {
        type: "tool.call",
        ...at,
        payload: { call, title: "Read a.ts", kind: "read", status: "pending", locations: [{ path: "/a.ts" }] },
      },
      text("message.assistant", "4", "Meanwhile"),
      { type: "tool.update", ...at, payload: { call, status: "in_progress" } },
      { type: "message.assistant", ...at, payload: { block: "build@1.4", offset: 9, text: " more." } },
      { type: "tool.update", ...at, payload: { block: `${call}.output`, offset: 0, text: "line one", call } },
      { type: "tool.result", ...at, payload: { call, status: "completed", output: 3 } },
      text("message.assistant", "5", "Done."),
      { type: "tool.update", ...at, payload: { call, title: "late", kind: "read", status: "completed" } },
      { type: "usage.recorded", ...at, payload: { inputTokens: 5, outputTokens: 7 } },
      { type: "notice", ...at, payload: { severity: "warning", message: "nearly full" } },
      ...[1, 2].map((kept) => ({
        type: "notice",
        ...at,
        payload: { severity: "info", message: "the agent sent something in a form that Troupe does not know", kept },
      })),
    ]);
    expect(told).toEqual([{ type: "work.noted", conversation: "c-1" }]);
    expect(ended).toEqual({
      outcome: { status: "completed", exitCode: 0 },
      state: result({
        Output: "all",
        Conversation: "c-1",
        StopReason: "end_turn",
        Tools: [{ Title: "late", Kind: "read", Status: "completed" }],
        TokensInput: 5,
        TokensOutput: 7,
        TokensUsed: 12,
        TokensEstimated: false,
      }),
      draw: 0.25,
    });
  });

  it("begin a call that is first seen at its end, or by its output", async () => {
    const { agents } = fakeAgent([
      { type: "tool", tool: { call: "a", title: "A", status: "failed", output: "no" } },
      { type: "tool output", call: "b", text: "x" },
      { type: "tool", tool: { call: "b", status: "completed" } },
    ]);
    const { rows } = await run(agentNode("Hello"), agents);
    expect(rows).toEqual([
      { type: "tool.call", ...at, payload: { call: "build@1.a", title: "A", kind: "other", status: "in_progress" } },
      { type: "tool.result", ...at, payload: { call: "build@1.a", title: "A", status: "failed", output: "no" } },
      { type: "tool.call", ...at, payload: { call: "build@1.b", title: "b", kind: "other", status: "in_progress" } },
      { type: "tool.update", ...at, payload: { block: "build@1.b.output", offset: 0, text: "x", call: "build@1.b" } },
      { type: "tool.result", ...at, payload: { call: "build@1.b", status: "completed" } },
    ]);
  });

  it("end what the agent left open, record the usage that it only returned, and nothing after it (I3)", async () => {
    let late: (() => void) | null = null;
    const agent: Agent = async (_, emit) => {
      emit({ type: "tool", tool: { call: "t" } });
      late = () => emit({ type: "text", text: "too late" });
      return { status: "completed", text: "", usage: { totalTokens: 9 } };
    };
    const { rows, result: ended } = await run(agentNode("Hello"), { fake: async () => agent });
    late!();
    expect(rows).toEqual([
      { type: "tool.call", ...at, payload: { call: "build@1.t", title: "t", kind: "other", status: "pending" } },
      {
        type: "tool.result",
        ...at,
        payload: {
          call: "build@1.t",
          status: "failed",
          content: [{ type: "text", text: "The agent ended before this call did." }],
        },
      },
      { type: "usage.recorded", ...at, payload: { totalTokens: 9 } },
    ]);
    expect(ended.state.TokensUsed).toBe(9);
  });
});

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
    const mask = { learn: (name: string, value: Json) => void learnt.push([name, value]), missing: () => [] };
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

describe("the end of an agent step", () => {
  it("is a failure by its class, and every class has a code", async () => {
    for (const name of AGENT_ERRORS) {
      const end = { status: "failed", class: name, message: "why", text: "part", usage: null } as const;
      const { result: ended } = await run(agentNode("Hello"), fakeAgent([], end).agents);
      const code = `EXECUTION.AGENT.${name.toUpperCase()}`;
      expect(isCode(code)).toBe(true);
      expect(ended.outcome).toEqual({ status: "failed", exitCode: 1, error: { code, message: "why" } });
      expect(ended.state).toMatchObject({ Output: "part", Stderr: "why", Status: "failed", ExitCode: 1 });
    }
  });

  it("is a crash when the agent throws or cannot be loaded (I1)", async () => {
    const thrown = await run(agentNode("Hello"), fakeAgent([], new Error("boom")).agents);
    const unloaded = await run(agentNode("Hello"), { fake: () => Promise.reject(new Error("no file")) });
    expect([thrown, unloaded].map((each) => each.result.outcome.error)).toEqual([
      { code: "EXECUTION.AGENT.CRASHED", message: "boom" },
      { code: "EXECUTION.AGENT.CRASHED", message: "no file" },
    ]);
  });

  it("counts a quarter of the characters where the agent tells no tokens", async () => {
    const { agents } = fakeAgent([], {
      status: "completed",
      text: "12345678",
      usage: { cost: { amount: 1, currency: "EUR" } },
    });
    const { result: ended } = await run(agentNode("1234"), agents);
    expect(ended.state).toMatchObject({ TokensInput: 1, TokensOutput: 2, TokensUsed: 3, TokensEstimated: true });
  });

  it("guesses for a budget what an agent does not tell that tells of its context alone", async () => {
    const budget = { limits: { tokens: 100 } };
    const { agents } = fakeAgent([{ type: "usage", usage: { used: 10, size: 100 } }], {
      ...{ status: "completed", text: "12345678", usage: null },
    });
    const { result: ended, rows } = await run(agentNode("1234", { budget }), agents);
    const reported = rows.flatMap((row) => (row.type === "usage.recorded" ? [row.payload] : []));
    const unpriced = "fake (the model that it takes by itself)";
    expect(reported).toEqual([
      { used: 10, size: 100 },
      { used: 10, size: 100, inputTokens: 1, outputTokens: 2, estimated: true, unpriced },
    ]);
    expect(ended.state).toMatchObject({ TokensInput: 1, TokensOutput: 2, TokensUsed: 3, TokensEstimated: true });
  });

  it("is a cancel after an abort, with the open calls ended (I1, I2)", async () => {
    const recording = recordingContext();
    const agent: Agent = (_, emit, signal) =>
      new Promise((settle) => {
        signal.addEventListener("abort", () =>
          settle({ status: "failed", class: "cut", message: "cut", text: "part", usage: null }),
        );
        emit({ type: "tool", tool: { call: "t", status: "in_progress" } });
      });
    const running = run(agentNode("Hello"), { fake: async () => agent }, { recording });
    await recording.until((rows) => rows.length === 1);
    recording.abort();
    const { rows, result: ended } = await running;
    expect(ended.outcome).toEqual({ status: "cancelled", exitCode: 130 });
    expect(ended.state).toMatchObject({ Output: "part", Status: "cancelled" });
    expect(rows.slice(1)).toEqual([
      {
        type: "tool.result",
        ...at,
        payload: { call: "build@1.t", status: "failed", content: [{ type: "text", text: "The step was cancelled." }] },
      },
    ]);
  });

  it("passes through the registry's understudy", async () => {
    const { result: ended, rows } = await run(agentNode("Hello", { provider: "understudy" }), agentRegistry(REGISTRY));
    expect(rows).toEqual([text("message.assistant", "1", "Hello")]);
    expect(ended.state).toMatchObject({ Output: "Hello", Conversation: expect.stringMatching(/-1$/) });
  });
});

describe("the answer as data", () => {
  const answer = async (said: string, outputFormat: "json" | "text" | null) => {
    const { agents } = fakeAgent([], { status: "completed", text: said, usage: null });
    const { outcome, state } = (await run(agentNode("Hi", { outputFormat }), agents)).result;
    return { code: outcome.error?.code, Response: state.Response, JSON: state.JSON, Output: state.Output };
  };

  it("is read where the text is a JSON object", async () => {
    expect(await answer('{"a":1}', null)).toMatchObject({ Response: { a: 1 }, JSON: undefined });
    expect(await answer("[1]", null)).toMatchObject({ Response: undefined, JSON: undefined });
    expect(await answer("{a}", "text")).toMatchObject({ code: undefined, Response: undefined });
  });

  it("is any JSON with output_format json, fences and words around it taken off", async () => {
    expect(await answer('{"a":1}', "json")).toMatchObject({ Response: { a: 1 }, JSON: { a: 1 } });
    expect(await answer("```json\n[1, 2]\n```", "json")).toMatchObject({ Response: undefined, JSON: [1, 2] });
    expect(await answer('Here it is:\n\n```\n{"a": "```"}\n```\nBye.', "json")).toMatchObject({ JSON: { a: "```" } });
  });

  it("that is no JSON fails the step with output_format json", async () => {
    expect(await answer("Sorry.", "json")).toEqual({
      code: "EXECUTION.AGENT.INVALID_OUTPUT",
      Response: undefined,
      JSON: undefined,
      Output: "Sorry.",
    });
  });

  it("is kept up to a limit, and what is cut is no data", async () => {
    const { agents } = fakeAgent([], { status: "completed", text: '{"a":"€€€"}', usage: null });
    const limits = { keptOutputBytes: 10 };
    const cut = (over: Partial<AgentNode>) => run(agentNode("Hi", over), agents, { options: { limits } });
    const { rows, result: whole } = await cut({});
    const kept = { Output: '{"a":"€', Truncated: true };
    expect(whole).toMatchObject({ outcome: { status: "completed" }, state: kept });
    expect(whole.state.Response).toBeUndefined();
    const why = "it has more than 10 bytes, which limits.kept_output_bytes allows";
    expect(rows).toContainEqual({
      type: "notice",
      ...at,
      payload: {
        severity: "warning",
        message: `states.build: Output holds the first part of what the agent said: ${why}`,
      },
    });
    expect((await cut({ outputFormat: "json" })).result).toMatchObject({
      outcome: {
        error: {
          code: "EXECUTION.AGENT.INVALID_OUTPUT",
          message: `output_format is json, but the agent's answer was cut: ${why}`,
        },
      },
      state: kept,
    });
  });

  it("that is nested deeper than can be kept is no JSON (I2)", async () => {
    const deep = `{"a":${"[".repeat(6_000)}${"]".repeat(6_000)}}`;
    expect(await answer(deep, "json")).toMatchObject({ code: "EXECUTION.AGENT.INVALID_OUTPUT", JSON: undefined });
    expect(await answer(deep, null)).toMatchObject({ code: undefined, Response: undefined });
    expect(parseJson(deep)).toEqual({ ok: false, message: "it is nested more than 128 deep" });
  });
});

describe("the time of an agent", () => {
  const never: Agent = (_, __, signal) =>
    new Promise((resolve) => {
      const stop = () => resolve({ status: "failed", class: "cut", message: "stopped", text: "half", usage: null });
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
    });
  /** The times that are waited for are noted, and are over at once. */
  const noting = () => {
    const slept: number[] = [];
    const clock = {
      now: () => 0,
      elapsed: () => 0,
      sleep: async () => undefined,
      after: (ms: number, act: () => void) => {
        slept.push(ms);
        act();
        return () => undefined;
      },
    };
    return { slept, clock };
  };

  it("is limited where its step says nothing: the limit of the configuration, or half an hour", async () => {
    const { slept, clock } = noting();
    const { result: ended } = await run(agentNode("Hi"), { fake: async () => never }, { options: { clock } });
    expect(slept).toEqual([1_800_000]);
    expect(ended.outcome).toMatchObject({
      status: "failed",
      exitCode: 124,
      error: { code: "EXECUTION.AGENT.TIMEOUT", message: expect.stringContaining("for more than 30m0s") },
    });
    expect(ended.state).toMatchObject({ Output: "half" });
    const shorter = { clock, limits: { agentMs: 5000 } };
    await run(agentNode("Hi"), { fake: async () => never }, { options: shorter });
    expect(slept).toEqual([1_800_000, 5000]);
  });

  it("is the step's own where that has a timeout, and without an end where it says 0", async () => {
    const { slept, clock } = noting();
    const { agents } = fakeAgent([], DONE);
    await run(agentNode("Hi", { timeoutMs: 10 }), agents, { options: { clock } });
    await run(agentNode("Hi", { limit: "none" }), agents, { options: { clock } });
    expect(slept).toEqual([]);
  });
});

describe("the words of a repository", () => {
  it("stand before the first prompt of a conversation, and before no other (I1 of instructions)", async () => {
    const cwd = workspace();
    writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
    const { agents, asked } = fakeAgent([], DONE);
    const codex = { codex: agents.fake };
    for (const conversation of [null, "c-1"])
      await run(agentNode("Go", { provider: "codex" }), codex, { cwd, conversation });
    expect(asked.map(({ prompt }) => prompt)).toEqual([
      '<instructions file="AGENTS.md">\nUse tabs.\n</instructions>\n\nGo',
      "Go",
    ]);
  });

  it("stand before the prompt of one that begins anew; none does in place of what words are meant for", async () => {
    const cwd = workspace();
    writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
    const { agents, asked } = fakeAgent([], DONE);
    const codex = { codex: agents.fake };
    const node = agentNode("Go", { provider: "codex", session: "talk" });
    const again = { cwd, conversation: "c-1", attempt: 2 };
    const left = { Status: "completed", Conversation: "c-1", Session: { name: "talk", agent: "codex", turn: 1 } };
    for (const given of [
      again,
      { ...again, attempt: 1 },
      { ...again, said: "And then?" },
      { ...again, repair: "That is no JSON." },
      { ...again, scope: { states: { before: left as never } } },
    ])
      await run(node, codex, given);
    expect(asked.map(({ anew }) => anew?.())).toEqual([
      '<instructions file="AGENTS.md">\nUse tabs.\n</instructions>\n\nGo',
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(asked.map(({ continues }) => continues)).toEqual([false, false, false, false, true]);
  });
});
