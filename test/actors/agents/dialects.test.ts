/** Dialects of the two shapes that more than one program speaks: no text is lost, and what is not known is counted. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../actors/agents/agent.ts";
import { ClaudeParser as Claude } from "../../../actors/agents/claude/parser.ts";
import { ChatAnswer } from "../../../actors/agents/openai_compatible/answer.ts";
import { streamed } from "../../../actors/agents/openai_compatible/stream.ts";
import { lines } from "../../../actors/base/lines.ts";
import { joined } from "./fake-program.ts";

const fixture = (path: string): string =>
  readFileSync(new URL(`../../fixtures/dialects/${path}`, import.meta.url), "utf8");
const unknownIn = (events: readonly AgentEvent[]): number => events.filter(({ type }) => type === "unknown").length;
const wordsIn = (events: readonly AgentEvent[]): string[] =>
  joined(events.filter(({ type }) => type !== "unknown")).flatMap((event) =>
    event.type === "text" || event.type === "thought" ? [`${event.type}: ${event.text}`] : [],
  );

describe("lines in the shape of Claude Code's", () => {
  const read = (name: string): AgentEvent[] => {
    const events: AgentEvent[] = [];
    const parser = new Claude("/home/dev/work");
    const reader = lines({ onLine: (line) => events.push(...parser.read(line)), onTooLong: () => undefined });
    reader.push(fixture(`claude/${name}.jsonl`));
    reader.end();
    return events;
  };

  test.each([
    ["cursor", ["text: I'll read the file.It says “It”."], 4],
    ["amp", ["thought: A command will do.", "text: I run it.", "text: It said hi."], 1],
    ["qwen", ["thought: Hm, a shell.", "text: I use a tool.", "text: All done."], 1],
    ["result-only", ["text: Nothing but this."], 0],
  ])("of %s: each word once, the rest counted", (name, words, unknown) => {
    const events = read(name);
    expect(wordsIn(events)).toEqual(words);
    expect(unknownIn(events)).toBe(unknown);
  });

  test.each(["amp", "qwen"])("of %s: the call is one, to its end", (name) => {
    const tools = read(name).flatMap((event) => (event.type === "tool" ? [event.tool] : []));
    expect(new Set(tools.map(({ call }) => call)).size).toBe(1);
    expect(tools.at(-1)?.status).toBe("completed");
    expect(tools.find(({ input }) => input !== undefined)?.input).toMatchObject({});
  });
});

describe("streams in the shape of chat completions", () => {
  const read = (name: string) => {
    const answer = new ChatAnswer();
    const events: AgentEvent[] = [];
    const stream = streamed(answer, (event) => events.push(event));
    stream.push(fixture(`openai_compatible/${name}.sse`));
    stream.end();
    return { answer, events };
  };
  const both = [
    { name: "Read", arguments: '{"path":"a.txt"}' },
    { name: "Read", arguments: '{"path":"b.txt"}' },
  ];

  test.each([
    ["vllm", ["thought: Two files. Go.", "text: I read both."], both, 0],
    ["ollama", ["thought: Both at once."], both, 0],
    ["gateway", ["text: I read both."], both, 1],
    ["deepseek", ["thought: Easy.", "text: Four."], [], 0],
    ["mistral", ["thought: Two and two.", "text: It is 4."], [], 1],
    ["no-reason", ["text: Four."], [], 0],
  ])("of %s: each word once, each call whole, the rest counted", (name, words, calls, unknown) => {
    const { answer, events } = read(name);
    expect(wordsIn(events)).toEqual(words);
    expect(answer.calls).toMatchObject(calls);
    expect(answer.calls).toHaveLength(calls.length);
    expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(unknownIn(events)).toBe(unknown);
    expect(answer.reason).not.toBeNull();
    expect(answer.error).toBeNull();
  });

  test.each([
    ["error-code", "text: Four", { class: "rate_limit", message: "Slow down" }],
    ["error-text", "text: Fo", { class: "network", message: "model runner has unexpectedly stopped" }],
    ["error-event", "text: Fo", { class: "overloaded", message: "Try later" }],
    ["error-object", "text: Fo", { class: "refused", message: "too long" }],
  ])("of %s: the error is reported, and what was said before it", (name, words, error) => {
    const { answer, events } = read(name);
    expect(wordsIn(events)).toEqual([words]);
    expect(answer.error).toEqual(error);
    expect(unknownIn(events)).toBe(0);
  });

  test.each([
    ["vllm", 39],
    ["deepseek", 8],
  ])("of %s: the tokens are the last that were told", (name, total) => {
    expect(read(name).answer.tokens?.total).toBe(total);
  });
});
