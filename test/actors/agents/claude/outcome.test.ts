import { describe, expect, test } from "vitest";
import { outcomeOf, usageOf } from "../../../../actors/agents/claude/outcome.ts";
import { ClaudeParser } from "../../../../actors/agents/claude/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";

const NO_RESULT = { used: [], result: null, shape: null, apiError: null, refusal: null, context: null, said: "so far" };
const EXITED: End = { type: "exited", code: 1 };

describe("several results", () => {
  const END: End = { type: "exited", code: 0 };
  const play = (...results: object[]) => {
    const parser = new ClaudeParser("/");
    const events = results.flatMap((over) => parser.read(JSON.stringify({ type: "result", ...over })));
    const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    return [said, outcomeOf(parser, END, "")];
  };
  const one = { structured_output: { a: 1 } };

  test("have the shape that the last one had which has it", () => {
    const answer = { status: "completed", text: '{"a":1}', usage: null };
    expect(play(one, { result: "The work is done." })).toEqual(['{"a":1}', answer]);
    expect(play({ result: "It runs." }, one)).toEqual(['It runs.\n\n{"a":1}', answer]);
    const two = { ...answer, text: '{"a":2}' };
    expect(play(one, { structured_output: { a: 2 } })).toEqual(['{"a":1}\n\n{"a":2}', two]);
  });

  test("have no answer where the last one failed", () => {
    const [, result] = play(one, { is_error: true, result: "no" });
    expect(result).toMatchObject({ status: "failed", message: "no", text: '{"a":1}' });
    expect(play(one, { is_error: true, result: "no" }, { result: "yes" })[1]).toMatchObject({ text: "yes" });
  });
});

describe("a result that is an error (I1)", () => {
  test.each([
    [{ api_error_status: 401 }, null, "auth"],
    [{ api_error_status: 403 }, null, "auth"],
    [{ api_error_status: 429 }, null, "rate_limit"],
    [{ api_error_status: 503 }, null, "overloaded"],
    [{ api_error_status: 529 }, null, "overloaded"],
    [{ api_error_status: 408 }, null, "network"],
    [{ api_error_status: 500 }, null, "network"],
    [{ api_error_status: 400 }, null, "refused"],
    [{ api_error_status: 404 }, null, "refused"],
    [{}, "authentication_failed", "auth"],
    [{}, "billing_error", "no_credit"],
    [{ api_error_status: 400 }, "billing_error", "no_credit"],
    [{}, "rate_limit", "rate_limit"],
    [{}, "overloaded", "overloaded"],
    [{}, "server_error", "network"],
    [{}, "invalid_request", "refused"],
    [{}, "max_output_tokens", "cut"],
    [{}, "toString", "crashed"],
    [{}, null, "crashed"],
    [{ terminal_reason: "aborted_tools" }, null, "cut"],
    [{ subtype: "error_max_turns" }, null, "cut"],
    [{ subtype: "error_max_budget_usd" }, null, "cut"],
    [{ is_error: false, subtype: "error_max_turns" }, null, "cut"],
    [{ is_error: false, stop_reason: "refusal" }, null, "refused"],
  ])("%j with %j is of class %s", (over, apiError, name) => {
    const result = { type: "result", subtype: "success", is_error: true, result: "why", ...over };
    expect(outcomeOf({ ...NO_RESULT, result, apiError }, EXITED, "")).toEqual({
      status: "failed",
      class: name,
      message: "why",
      text: "so far",
      usage: null,
    });
  });

  test.each([
    [{ errors: ["[ede_diagnostic] x", "one", "two"] }, "one; two"],
    [{ terminal_reason: "aborted_streaming" }, "Claude Code ended early: aborted_streaming"],
    [{ subtype: "error_during_execution" }, "Claude Code ended early: error_during_execution"],
    [{}, "Claude Code ended early: no reason given"],
  ])("%j says %j", (over, message) => {
    expect(outcomeOf({ ...NO_RESULT, result: { is_error: true, ...over } }, EXITED, "")).toMatchObject({ message });
  });
});

describe("an answer to a schema", () => {
  const SHAPED = { verdict: "accept" };
  test.each<[object, string]>([
    [{ result: "", structured_output: SHAPED }, JSON.stringify(SHAPED)],
    [{ structured_output: SHAPED }, JSON.stringify(SHAPED)],
    [{ result: "I accept it.", structured_output: SHAPED }, JSON.stringify(SHAPED)],
    [{ result: "so", structured_output: null }, "so"],
  ])("%j is %s", (over, text) => {
    const result = { type: "result", subtype: "success", is_error: false, ...over };
    expect(outcomeOf({ ...NO_RESULT, result }, EXITED, "")).toMatchObject({ status: "completed", text });
  });
});

describe("no result (I2)", () => {
  test.each([
    [{ type: "exited", code: 0 }, "", "cut", "Claude Code ended without a result"],
    [{ type: "exited", code: 3 }, " boom\n", "crashed", "Claude Code exited with 3 before it gave a result: boom"],
    [
      { type: "signalled", signal: "SIGKILL" },
      "",
      "crashed",
      "Claude Code was ended by SIGKILL before it gave a result",
    ],
    [{ type: "output limit" }, "", "crashed", "Claude Code wrote more than is read of one step"],
    [
      { type: "not started", code: "ENOENT", message: 'cannot start "claude": no such program' },
      "",
      "not_found",
      'cannot start "claude": no such program. Is Claude Code installed (npm install -g @anthropic-ai/claude-code)?',
    ],
    [
      { type: "exited", code: 1 },
      "--dangerously-skip-permissions cannot be used with root/sudo privileges",
      "refused",
      "--dangerously-skip-permissions cannot be used with root/sudo privileges. In a sandbox set IS_SANDBOX=1",
    ],
  ] as [End, string, string, string][])("after %j is a failure", (end, stderr, name, message) => {
    expect(outcomeOf(NO_RESULT, end, stderr)).toEqual({
      status: "failed",
      class: name,
      message,
      text: "so far",
      usage: null,
    });
  });
});

describe("usage", () => {
  test("counts all models, and the tokens of the cache", () => {
    const modelUsage = {
      a: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 10, cacheCreationInputTokens: 100 },
      b: { inputTokens: 3, outputTokens: 4 },
    };
    expect(usageOf({ modelUsage, total_cost_usd: 0.5 }, null)).toEqual({
      inputTokens: 114,
      outputTokens: 6,
      totalTokens: 120,
      cost: { amount: 0.5, currency: "USD" },
    });
    expect(usageOf({ modelUsage }, null)).toEqual({ inputTokens: 114, outputTokens: 6, totalTokens: 120 });
    expect(usageOf({ modelUsage: {}, total_cost_usd: 0 }, null)).toBeNull();
  });

  test("is what came since the result before, where a newer version says that", () => {
    const result = { modelUsage: { a: { inputTokens: 1300, outputTokens: 70 } }, total_cost_usd: 0.9 };
    const since = [
      { a: { inputTokens: 200, outputTokens: 15, costUSD: 0.25 } },
      { a: { inputTokens: 100, outputTokens: 5, costUSD: 0.125 } },
    ];
    expect(usageOf(result, null, since)).toEqual({
      inputTokens: 300,
      outputTokens: 20,
      totalTokens: 320,
      cost: { amount: 0.375, currency: "USD" },
    });
  });

  test("tells how full the context is, where the model tells its size", () => {
    const modelUsage = { a: { inputTokens: 1, outputTokens: 2, contextWindow: 200_000 } };
    const filled = { inputTokens: 1, outputTokens: 2, totalTokens: 3, used: 9, size: 200_000 };
    expect(usageOf({ modelUsage }, { model: "a", used: 9 })).toEqual(filled);
    const marked = { "a[1m]": { ...modelUsage.a, contextWindow: 1_000_000 } };
    expect(usageOf({ modelUsage: marked }, { model: "a", used: 9 })).toEqual({ ...filled, size: 1_000_000 });
    expect(usageOf({ modelUsage }, { model: "b", used: 9 })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      totalTokens: 3,
    });
  });
});
