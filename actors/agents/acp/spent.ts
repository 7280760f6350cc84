/**
 * What a conversation with an ACP agent has cost so far: the agent tells that, and a step what its attempt adds.
 *
 * I1. It outlives the agent's process, as the conversation does: it is kept in Troupe's own memory.
 */
import { fieldsOf, numberAt } from "../../base/json.ts";
import type { AgentMemory } from "../agent.ts";

const nameOf = (conversation: string): string => `cost of ${conversation}`;

export async function spentOn(conversation: string, memory: AgentMemory): Promise<number> {
  return numberAt(fieldsOf((await memory.read(nameOf(conversation))).at(-1)), "amount") ?? 0;
}

/** Where it cannot be kept the step has its answer all the same. */
export async function keepSpent(conversation: string, amount: number, memory: AgentMemory): Promise<void> {
  await memory.add(nameOf(conversation), [{ amount }]).catch(() => undefined);
}
