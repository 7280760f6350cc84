/** The tokens that agents tell with the answer to a prompt, as recordings of real ones have them. */
import { expect, test } from "vitest";
import type { AgentMemory, Usage } from "../../../../actors/agents/agent.ts";
import type { Json } from "../../../../machines/model.ts";
import { place } from "./support.ts";

const spend = (answer: object): string => `spend ${JSON.stringify(answer)}`;
const used = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
});
const tokens = (inputTokens: number, outputTokens: number): Usage => used(inputTokens, outputTokens).usage;

test.each<[string, object, Usage | null]>([
  ["what was used", used(166, 28), tokens(166, 28)],
  [
    "cached tokens that are not in the input",
    { usage: { inputTokens: 3, outputTokens: 4, cachedReadTokens: 80, cachedWriteTokens: 10, totalTokens: 97 } },
    tokens(93, 4),
  ],
  [
    "cached tokens that are in the input",
    { usage: { inputTokens: 83, outputTokens: 4, cachedReadTokens: 80, cachedWriteTokens: 0, totalTokens: 87 } },
    tokens(83, 4),
  ],
  ["Gemini's own place", { _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 2 } } } }, tokens(7, 2)],
  ["nothing", {}, null],
  ["null", { usage: null, _meta: { quota: { token_count: null } } }, null],
  ["noughts of a turn that was stopped", used(0, 0), null],
  ["what are no counts", { usage: { inputTokens: -1, outputTokens: "2", totalTokens: 1.5 } }, null],
])("%s", async (_, answer, usage) => {
  const { turn, heard } = place();
  expect(await turn(spend(answer))).toMatchObject({ status: "completed" });
  expect(heard.filter(({ type }) => type === "usage")).toEqual(usage === null ? [] : [{ type: "usage", usage }]);
});

test("stand beside what the context holds and the cost, which a later update does not take back", async () => {
  const { turn, heard } = place();
  await turn(`usage 0.5\ncontext 20\n${spend(used(9, 1))}`);
  const cost = { amount: 0.5, currency: "USD" };
  expect(heard.filter(({ type }) => type === "usage").map((event) => (event as { usage: Usage }).usage)).toEqual([
    { used: 10, size: 100, cost },
    { used: 20, size: 100, cost },
    { used: 20, size: 100, cost, ...tokens(9, 1) },
  ]);
});

test.each([
  ["Copilot", [tokens(33, 28), tokens(256, 75)]],
  ["another", [tokens(33, 28), tokens(289, 103)]],
])("%s: of an agent that sums up its conversation a turn has what was added", async (AGENT_NAME, turns) => {
  const kept = new Map<string, Json[]>();
  const memory: AgentMemory = {
    read: async (name) => kept.get(name) ?? [],
    add: async (name, more) => void kept.set(name, [...(kept.get(name) ?? []), ...more]),
  };
  const { turn, heard } = place({ env: { AGENT_NAME } });
  await turn(spend(used(33, 28)), { memory });
  expect(heard.at(-1)).toEqual({ type: "usage", usage: turns[0] });
  await turn(spend(used(289, 103)), { memory, conversation: "s1", continues: true });
  expect(heard.at(-1)).toEqual({ type: "usage", usage: turns[1] });
});
