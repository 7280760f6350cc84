import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { isUnknownConversation, outcomeOf } from "../../../../actors/agents/mistral_vibe/outcome.ts";
import { VibeParser } from "../../../../actors/agents/mistral_vibe/parser.ts";
import type { End } from "../../../../actors/process/spawn.ts";
import { recordingsOf } from "../fake-program.ts";

const { cases, read: recording, folder } = recordingsOf("mistral_vibe");
const PLACE = { cwd: "/home/dev/work", servers: ["stub"] };
const EXITED: End = { type: "exited", code: 0 };
const read = (parser: VibeParser, text: string): AgentEvent[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : parser.read(line)));
const line = (value: unknown): string => JSON.stringify(value);
const fresh = (): VibeParser => new VibeParser(PLACE, null);

describe("the recordings of the real program", () => {
  it("are all here", () => {
    expect(cases.length).toBeGreaterThanOrEqual(8);
  });

  test.each(cases)("%s: every event in order", async (name) => {
    const shown = read(fresh(), recording(name)).map((one) => `${line(one)}\n`);
    await expect(shown.join("")).toMatchFileSnapshot(`${folder.pathname}events/${name}.jsonl`);
  });

  test.each(cases)("%s: nothing is unknown (I3)", (name) => {
    expect(read(fresh(), recording(name)).filter((event) => event.type === "unknown")).toEqual([]);
  });

  it("a refused call has failed, a question about it is no event", () => {
    const states = read(fresh(), recording("tool-denied")).flatMap((one) =>
      one.type === "tool" ? [one.tool.status] : [],
    );
    expect(states).toEqual(["in_progress", "failed"]);
  });

  it.each(["tool-fails", "legacy-tool-fails"])("%s: a command that fails is a failed call", (name) => {
    const tools = read(fresh(), recording(name)).flatMap((one) => (one.type === "tool" ? [one.tool] : []));
    expect(tools.map(({ status }) => status)).toEqual(["in_progress", "failed"]);
    expect(tools[0]?.title).toBe("echo oops >&2; exit 3");
    expect(line(tools[1]?.content)).toContain("oops");
  });

  it("edits tell the lines that were there, a file that was written its text", () => {
    const diffs = read(fresh(), recording("edit")).flatMap((one) =>
      one.type === "tool" ? (one.tool.content ?? []).filter(({ type }) => type === "diff") : [],
    );
    const path = (name: string): string => `${PLACE.cwd}/${name}`;
    expect(diffs.slice(0, 2)).toEqual([
      { type: "diff", path: path("e.txt"), oldText: "beta", newText: "gamma" },
      { type: "diff", path: path("n.txt"), oldText: null, newText: "new\n" },
    ]);
  });
});

it("reports a conversation once, and not at all where it continues", () => {
  const ids = (known: string | null): AgentEvent[] =>
    read(new VibeParser(PLACE, known), recording("text")).filter(({ type }) => type === "conversation");
  expect(ids(null)).toEqual([{ type: "conversation", id: "19e20733-c4a3-9938-c188-1970e30fea6b" }]);
  expect(ids("19e20733-c4a3-9938-c188-1970e30fea6b")).toEqual([]);
});

it("has as its text what was said after the last call (I2)", () => {
  const parser = fresh();
  read(parser, recording("think-tool"));
  expect(parser.text).toMatch(/^The tool returned/);
  expect(parser.said).toMatch(/^I will use a tool\./);
});

it("keeps what it does not know, and never throws (I3)", () => {
  const strange = { type: "dream", sessionId: "s" };
  expect(fresh().read(line(strange))).toEqual([
    { type: "conversation", id: "s" },
    { type: "unknown", value: strange },
  ]);
  expect(fresh().read("no json")).toEqual([{ type: "unknown", value: "no json" }]);
  fc.assert(
    fc.property(fc.constantFrom("message", "effect", "notice", "reasoning"), fc.jsonValue(), (type, value) => {
      fresh().read(line({ type, role: value, content: value, detail: value, state: value, text: value }));
    }),
  );
});

describe("the outcome", () => {
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  const failure = (outcome: string, message: string, code: string | null = null) => ({
    outcome,
    error: { message, code },
    usage,
  });

  it("is what the report says", () => {
    const report = { outcome: "finished", usage, cost_usd: 0.5 };
    expect(outcomeOf({ said: "ab", text: "b" }, report, EXITED, "")).toEqual({
      status: "completed",
      text: "b",
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5, cost: { amount: 0.5, currency: "USD" } },
    });
  });

  it.each([
    [failure("config_error", "Invalid API key (from env var X).", "invalid_api_key"), "auth"],
    [failure("infrastructure_failure", "Client error '429 Too Many' for url 'u'\nmore", "rate_limit"), "rate_limit"],
    [failure("infrastructure_failure", "Server error '500 Internal' for url 'u'", "backend_error"), "network"],
    [failure("infrastructure_failure", "Server error '503 Busy' for url 'u'", "backend_error"), "overloaded"],
    [failure("infrastructure_failure", "peer closed connection", "backend_error"), "network"],
    [failure("length", "too long", "response_too_long"), "cut"],
    [failure("refusal", "no", "refusal"), "refused"],
    [failure("usage_error", "Session not found: 1"), "refused"],
    [failure("turn_limit", "stopped"), "cut"],
  ])("%j is of class %s", (report, name) => {
    const result = outcomeOf({ said: "a", text: "a" }, report, EXITED, "");
    expect(result).toMatchObject({ status: "failed", class: name, text: "a" });
    expect(result.status === "failed" && result.message).not.toContain("\n");
  });

  it("without a report is a failure, whatever the exit code says (I1)", () => {
    const warned = "Warning: /x is not trusted; …";
    expect(outcomeOf({ said: "", text: "" }, null, EXITED, warned)).toMatchObject({ status: "failed", class: "cut" });
    expect(outcomeOf({ said: "", text: "" }, null, { type: "exited", code: 2 }, `${warned}\nBang`)).toMatchObject({
      class: "crashed",
      message: expect.stringMatching(/exited with 2 .*: Bang$/),
    });
  });

  it("tells a conversation that is not known", () => {
    expect(isUnknownConversation(failure("usage_error", "Session not found: 1"))).toBe(true);
    expect(isUnknownConversation(failure("usage_error", "No such agent"))).toBe(false);
  });
});
