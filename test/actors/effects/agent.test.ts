/** An agent step: how it ends, what of its answer is data, and how long it may take. */
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../actors/agents/agent.ts";
import { AGENT_ERRORS } from "../../../actors/agents/agent.ts";
import { agentRegistry } from "../../../actors/agents/registry.ts";
import { parseJson } from "../../../actors/effects/response.ts";
import { isCode } from "../../../actors/errors/codes.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { at, DONE, REGISTRY, run, text } from "./agent-run.ts";
import { agentNode, fakeAgent } from "./support.ts";

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

  it("has the beginning of a long reason", async () => {
    const message = "y".repeat(1e6);
    const { agents } = fakeAgent([], { status: "failed", class: "refused", message, text: "", usage: null });
    const { outcome, state } = (await run(agentNode("Hi"), agents)).result;
    expect(outcome.error?.message).toBe(`${"y".repeat(8_000)}…`);
    expect(state.Stderr).toBe(outcome.error?.message);
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

  it("takes noughts for no count, and guesses for a budget as well", async () => {
    const budget = { limits: { tokens: 100 } };
    const { agents } = fakeAgent([], {
      ...{ status: "completed", text: "12345678", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
    });
    const { result: ended, rows } = await run(agentNode("1234", { budget }), agents);
    const reported = rows.flatMap((row) => (row.type === "usage.recorded" ? [row.payload] : []));
    expect(reported).toMatchObject([{ inputTokens: 1, outputTokens: 2, totalTokens: 3, estimated: true }]);
    expect(ended.state).toMatchObject({ TokensUsed: 3, TokensEstimated: true });
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
      { used: 10, size: 100, inputTokens: 1, outputTokens: 2, totalTokens: 3, estimated: true, unpriced },
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
