/** The action `ask`: asks whether a tool may be used, and says the answer. */
import { resolve } from "node:path";
import type { AgentErrorClass, AgentRequest, ToolAnswer, ToolQuestion } from "../agent.ts";

/** `fails` where the script is to stop. */
export type AskOutcome = { say: string; fails: { class: AgentErrorClass; message: string } | null };

/** Paths of the question are relative to the step's folder. */
export async function ask(question: ToolQuestion, request: Pick<AgentRequest, "ask" | "cwd">): Promise<AskOutcome> {
  const { locations, ...rest } = question;
  const places = locations?.map((place) => ({ ...place, path: resolve(request.cwd, place.path) }));
  return said(question, await request.ask({ ...rest, ...(places === undefined ? {} : { locations: places }) }));
}

function said({ name }: ToolQuestion, answer: ToolAnswer): AskOutcome {
  if (answer.allowed) return { say: `${name} was allowed.\n`, fails: null };
  const fails = answer.abort ? { class: "refused" as const, message: answer.message } : null;
  return { say: `${name} was refused: ${answer.message}\n`, fails };
}
