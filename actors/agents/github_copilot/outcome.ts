/**
 * What a run of the `copilot` program came to.
 *
 * I1. Without a result, or with an error before it, the run has failed, whatever the exit code says.
 */

import { type Fields, fieldsAt, fieldsOf, isFields, numberAt, parsed, textAt } from "../../base/json.ts";
import type { End } from "../../process/spawn.ts";
import type { AgentErrorClass, AgentResult, Usage } from "../agent.ts";
import { turnText } from "../paragraphs.ts";
import { endedEarly } from "../program.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { classOfStatus } from "../status.ts";
import type { CopilotParser } from "./parser.ts";

export const NAME = AGENT_PROGRAMS.github_copilot.name;

const KINDS: { readonly [type: string]: AgentErrorClass } = {
  authentication: "auth",
  authorization: "auth",
  rate_limit: "rate_limit",
  quota: "rate_limit",
  context_limit: "refused",
  // The program made its request again and again and got no answer.
  query: "network",
};

type Read = Pick<CopilotParser, "said" | "answer" | "result" | "error" | "aborted">;

export function outcomeOf(read: Read, end: End, stderr: string, usage: Usage | null): AgentResult {
  const { said: text, result, error } = read;
  const failed = (name: AgentErrorClass, message: string): AgentResult => {
    return { status: "failed", class: name, message, text, usage };
  };
  if (error !== null) return failed(classOf(error), textAt(error, "message") ?? `${NAME} ended with an error`);
  if (read.aborted) return failed("cut", `${NAME} was interrupted`);
  if (result === null) {
    if (/no authentication information/i.test(stderr)) return failed("auth", stderr);
    return { ...endedEarly(AGENT_PROGRAMS.github_copilot, end, stderr), text, usage };
  }
  const code = numberAt(result, "exitCode") ?? 0;
  if (code !== 0) return failed("crashed", `${NAME} ended with ${code}${stderr === "" ? "" : `: ${stderr}`}`);
  return { status: "completed", text: turnText(read.answer, text), usage };
}

/** The conversation that was to be continued does not exist: nothing was asked of the model. */
export const isUnknownSession = (stderr: string): boolean => /No session, task, or name matched/i.test(stderr);

/** The tokens of all models, from the file that the program writes at its end; null where it wrote none. */
export function usageOf(file: string | null): Usage | null {
  const value = file === null ? null : parsed(file);
  if (!isFields(value ?? undefined)) return null;
  const models = Object.values(fieldsAt(value as Fields, "modelMetrics")).map((model) =>
    fieldsAt(fieldsOf(model), "usage"),
  );
  if (models.length === 0) return null;
  const sum = (name: string): number => models.reduce((all, model) => all + (numberAt(model, name) ?? 0), 0);
  const [inputTokens, outputTokens] = [sum("inputTokens"), sum("outputTokens")];
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function classOf(error: Fields): AgentErrorClass {
  const status = numberAt(error, "statusCode");
  if (status !== null) return classOfStatus(status);
  const type = textAt(error, "errorType") ?? "";
  return (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? "crashed";
}
