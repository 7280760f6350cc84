/**
 * The tokens of one turn, as an agent tells them with its answer to a prompt: in the protocol's own field, which is not
 * settled yet, or as Gemini does.
 *
 * I1. Input is all that was read, from a cache or not, as it is of the other providers.
 */
import type { Json } from "../../../machines/model.ts";
import type { AgentSession } from "../../acp-client/session.ts";
import type { SingleClient } from "../../acp-client/single.ts";
import { type Fields, fieldsAt, fieldsOf, numberAt } from "../../base/json.ts";
import type { AgentRequest, Usage } from "../agent.ts";
import { turnUse } from "../turn-use.ts";

/** Agents that tell what their whole conversation has used so far, by the names that they give themselves. */
const SUM_UP: ReadonlySet<string | undefined> = new Set(["Copilot"]);

/** Null where it tells none. */
export async function tokensOf(
  answer: object,
  { calls: { agent } }: Pick<SingleClient, "calls">,
  { id }: Pick<AgentSession, "id">,
  { memory }: Pick<AgentRequest, "memory">,
): Promise<Usage | null> {
  const told = fieldsOf(answer as Json);
  const usage = ownUsage(fieldsAt(told, "usage")) ?? geminiUsage(told);
  return usage !== null && SUM_UP.has(agent.agentInfo?.name) ? turnUse(id, usage, memory) : usage;
}

function ownUsage(told: Fields): Usage | null {
  const input = countAt(told, "inputTokens");
  const output = countAt(told, "outputTokens");
  const total = countAt(told, "totalTokens") ?? (input ?? 0) + (output ?? 0);
  if (input === null || output === null || total === 0) return null;
  const cached = (countAt(told, "cachedReadTokens") ?? 0) + (countAt(told, "cachedWriteTokens") ?? 0);
  // Only some agents count what was cached as input.
  const isApart = total === input + cached + output;
  return { inputTokens: isApart ? input + cached : input, outputTokens: output, totalTokens: total };
}

function geminiUsage(answer: Fields): Usage | null {
  const told = fieldsAt(fieldsAt(fieldsAt(answer, "_meta"), "quota"), "token_count");
  const inputTokens = countAt(told, "input_tokens");
  const outputTokens = countAt(told, "output_tokens");
  if (inputTokens === null || outputTokens === null || inputTokens + outputTokens === 0) return null;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function countAt(from: Fields, name: string): number | null {
  const count = numberAt(from, name);
  return count !== null && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
