import { readFileSync } from "node:fs";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { ChatAnswer } from "../../../../actors/agents/openai_compatible/answer.ts";
import { callIds } from "../../../../actors/agents/openai_compatible/call-ids.ts";
import { joined } from "../fake-program.ts";

const recording = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/recordings/openai_compatible/${name}.sse`, import.meta.url), "utf8");

function read(answer: ChatAnswer, text: string): AgentEvent[] {
  const events: AgentEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(...answer.read(data)) });
  parser.feed(text);
  return events;
}
const THOUGHT = "Let me think about this. The user wants something simple. I will answer directly.";
const CALL = { id: "call_stub000003", name: "bash", arguments: '{"command":"echo hi"}' };

describe("a recorded answer", () => {
  it("thinks, speaks and calls a tool (I1)", () => {
    const answer = new ChatAnswer();
    expect(joined(read(answer, recording("think-tool")))).toEqual([
      { type: "thought", text: THOUGHT },
      { type: "text", text: "I will use a tool." },
      { type: "tool", tool: { call: CALL.id, title: "bash", kind: "other", status: "pending" } },
    ]);
    expect(answer).toMatchObject({
      calls: [CALL],
      reason: "tool_calls",
      text: "I will use a tool.",
      tokens: { input: 17, output: 47, total: 64 },
    });
  });

  test.each(["text", "tool-result", "stream-cut", "think-tool"])("%s: nothing is unknown", (name) => {
    const answer = new ChatAnswer();
    expect(read(answer, recording(name)).filter(({ type }) => type === "unknown")).toEqual([]);
    expect(answer.reason === null).toBe(name === "stream-cut");
  });

  it("that was not streamed says the same", () => {
    const answer = new ChatAnswer();
    expect(answer.read(recording("no-stream")).map(({ type }) => type)).toEqual(["thought", "text", "tool"]);
    expect(answer).toMatchObject({ reason: "tool_calls", calls: [{ name: "bash" }] });
  });
});

describe("an answer", () => {
  const delta = (piece: object) => JSON.stringify({ choices: [{ delta: piece }] });
  it("keeps calls apart by their index", () => {
    const answer = new ChatAnswer();
    answer.read(delta({ tool_calls: [{ index: 1, id: "b", function: { name: "two", arguments: "{" } }] }));
    answer.read(delta({ tool_calls: [{ index: 0, id: "a", function: { name: "one" } }] }));
    answer.read(delta({ tool_calls: [{ index: 1, function: { arguments: "}" } }] }));
    expect(answer.calls).toEqual([
      { id: "a", name: "one", arguments: "" },
      { id: "b", name: "two", arguments: "{}" },
    ]);
  });

  it("keeps a call together whose pieces have ids of their own (calls I2)", () => {
    const answer = new ChatAnswer();
    const piece = (id: string, fn: object) => delta({ tool_calls: [{ index: 0, id, function: fn }] });
    answer.read(piece("a", { name: "one", arguments: "" }));
    answer.read(piece("b", { arguments: '{"x":' }));
    answer.read(piece("c", { name: "", arguments: "1}" }));
    answer.read(piece("d", { name: "one", arguments: "{}" }));
    expect(answer.calls).toEqual([
      { id: "a", name: "one", arguments: '{"x":1}' },
      { id: "d", name: "one", arguments: "{}" },
    ]);
  });

  it("keeps a call together whose pieces have ids of their own and its name (calls I2)", () => {
    const answer = new ChatAnswer();
    const piece = (id: string, text: string) =>
      answer.read(delta({ tool_calls: [{ index: 0, id, function: { name: "one", arguments: text } }] }));
    const events = [piece("a", ""), piece("b", '{"x":'), piece("c", "1}"), piece("d", "{}")].flat();
    expect(events.map((event) => event.type === "tool" && event.tool.call)).toEqual(["a", "d"]);
    expect(answer.calls).toEqual([
      { id: "a", name: "one", arguments: '{"x":1}' },
      { id: "d", name: "one", arguments: "{}" },
    ]);
  });

  it("tells thoughts under either name, and an error in the middle", () => {
    const answer = new ChatAnswer();
    expect(answer.read(delta({ reasoning: "Hm" }))).toEqual([{ type: "thought", text: "Hm" }]);
    expect(answer.read('{"error":{"message":"too much","code":529}}')).toEqual([]);
    expect(answer.error).toEqual({ message: "too much", class: "overloaded" });
  });

  it("counts where it was whole before its server failed; an error that ends it does not (I3)", () => {
    const ending = (more: object) => JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }], ...more });
    const error = { message: "worker lost", code: 500 };
    const whole = new ChatAnswer();
    whole.read(ending({}));
    expect(whole.read(JSON.stringify({ error }))).toEqual([
      { type: "notice", severity: "warning", message: "after its answer the model's server said: worker lost" },
    ]);
    expect([whole.reason, whole.error]).toEqual(["stop", null]);
    const broken = new ChatAnswer();
    broken.read(ending({ error }));
    expect(broken.error).toEqual({ message: "worker lost", class: "network" });
  });

  it.each([
    ["{", "{"],
    ["[1]", [1]],
    ['{"tomorrow":1}', { tomorrow: 1 }],
  ])("keeps what is not known: %s (I2)", (data, value) => {
    expect(new ChatAnswer().read(data)).toEqual([{ type: "unknown", value }]);
  });

  it("never throws, whatever comes", () => {
    const piece = fc.record({ content: fc.jsonValue(), tool_calls: fc.jsonValue(), reasoning: fc.jsonValue() });
    const chunk = fc.record({
      choices: fc.array(fc.record({ delta: fc.oneof(piece, fc.jsonValue()) })),
      usage: fc.jsonValue(),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          chunk.map((one) => JSON.stringify(one)),
        ),
        (data) => {
          const answer = new ChatAnswer();
          expect(answer.read(data)).toBeInstanceOf(Array);
          expect(answer.calls).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

describe("the ids of calls (call-ids I1)", () => {
  const call = (id: string | undefined) =>
    JSON.stringify({
      choices: [{ delta: { tool_calls: [{ index: 0, id, function: { name: "ping", arguments: "{}" } }] } }],
    });

  it("are each there once, though a server gives the same in every answer, or none", () => {
    const earlier = [{ role: "assistant", content: null, tool_calls: [{ id: "call_0" }, { id: "call00002" }] }];
    const ids = callIds(earlier);
    const given = ["call_0", undefined, "", "mine", "mine"].map((id) => {
      const answer = new ChatAnswer(ids);
      answer.read(call(id));
      return answer.calls[0]?.id ?? "";
    });
    expect(new Set([...given, "call_0", "call00002"]).size).toBe(7);
    expect(given[3]).toBe("mine");
    expect(given.filter((id) => id !== "mine").every((id) => /^[a-z0-9]{9}$/.test(id))).toBe(true);
  });
});
