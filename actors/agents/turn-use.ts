/**
 * The use of one turn, for programs that report that of the whole conversation.
 *
 * I1. What a program has reported of a conversation is kept in Troupe's own memory; a turn's use is what came since. A
 *     turn that ended without a report is counted with the next one, and nothing twice.
 * I2. A program that begins to count anew is taken at its word.
 */
import type { Json } from "../../machines/model.ts";
import { fieldsOf, numberAt } from "../base/json.ts";
import type { AgentMemory, Usage } from "./agent.ts";

type Tokens = { inputTokens: number; outputTokens: number };

/** `told`: what the program reports of the conversation at the end of the turn. */
export async function turnUse(
  conversation: string | null,
  told: Usage | null,
  memory: AgentMemory,
): Promise<Usage | null> {
  const { inputTokens, outputTokens } = told ?? {};
  if (conversation === null || inputTokens === undefined || outputTokens === undefined) return told;
  const name = `use of ${conversation}`;
  const before = tokensOf((await memory.read(name)).at(-1));
  await memory.add(name, [{ inputTokens, outputTokens }]);
  const input = inputTokens - before.inputTokens;
  const output = outputTokens - before.outputTokens;
  if (input < 0 || output < 0) return told;
  return { ...told, inputTokens: input, outputTokens: output, totalTokens: input + output };
}

function tokensOf(kept: Json | undefined): Tokens {
  const fields = fieldsOf(kept);
  return { inputTokens: numberAt(fields, "inputTokens") ?? 0, outputTokens: numberAt(fields, "outputTokens") ?? 0 };
}
