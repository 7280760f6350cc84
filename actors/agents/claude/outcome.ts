/**
 * What a run of the `claude` program came to.
 *
 * I1. A result has failed by its `is_error`, by a refusal, or by a `subtype` that names an error; one that says "success"
 *     proves nothing: so it does for an API error.
 * I2. Without a result the run has failed, whatever the program's exit code says.
 */
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, listAt, numberAt, textAt } from "../../base/json.ts";
import type { End } from "../../process/spawn.ts";
import type { AgentErrorClass, AgentResult, Usage } from "../agent.ts";
import { turnText } from "../paragraphs.ts";
import { endedEarly } from "../program.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { classOfStatus } from "../status.ts";
import { answerIn, hasFailed } from "./answer.ts";
import type { ClaudeParser, ContextUse } from "./parser.ts";

type Read = Pick<ClaudeParser, "result" | "shape" | "used" | "apiError" | "refusal" | "context" | "said">;

/** Kinds of API errors, as the program names them. */
const KINDS: { readonly [kind: string]: AgentErrorClass } = {
  authentication_failed: "auth",
  oauth_org_not_allowed: "auth",
  billing_error: "no_credit",
  rate_limit: "rate_limit",
  overloaded: "overloaded",
  server_error: "network",
  invalid_request: "refused",
  model_not_found: "refused",
  max_output_tokens: "cut",
};
/** Ends that are a limit of the step's own. */
const LIMITS: ReadonlySet<string | null> = new Set(["error_max_turns", "error_max_budget_usd"]);

/** The result. `end` and `stderr` say why there is no result line. */
export function outcomeOf(read: Read, end: End, stderr: string): AgentResult {
  const { result, said } = read;
  if (read.refusal !== null) {
    return failed("refused", `Claude Code did not take the system prompt: ${read.refusal}`, said, null);
  }
  if (result === null) return { ...withoutResult(end, stderr.trim()), text: said, usage: null };
  const usage = usedBy(read);
  const text = textAt(result, "result") ?? "";
  if (textAt(result, "stop_reason") === "refusal") {
    return failed("refused", text === "" ? "the model refused to answer" : text, said, usage);
  }
  if (!hasFailed(result)) return { status: "completed", text: turnText(answerIn(result, read.shape), said), usage };
  return failed(classOf(result, read.apiError), messageOf(result, text), said, usage);
}

/** The conversation that was to be resumed does not exist: nothing was asked of the model. */
export function isUnknownConversation({ result }: Read): boolean {
  return result !== null && listAt(result, "errors").some((one) => String(one).startsWith("No conversation found"));
}

/** What the program says that it used; null where it has said nothing. */
export const usedBy = ({ result, context, used }: Pick<Read, "result" | "context" | "used">): Usage | null =>
  result === null ? null : usageOf(result, context, used);

/**
 * All models' tokens, subagents' too: the result's own `usage` counts only its last turn. A newer version counts the whole
 * conversation in its result, also what it used before it was continued, and what is new in `since`, by each result.
 */
export function usageOf(result: Fields, context: ContextUse | null, since: readonly Fields[] = []): Usage | null {
  const byModel = fieldsAt(result, "modelUsage");
  const models = (since.length === 0 ? [byModel] : since).flatMap((one) => Object.values(one)).map(fieldsOf);
  if (models.length === 0) return null;
  const sum = (...names: string[]) =>
    models.flatMap((model) => names.map((name) => numberAt(model, name) ?? 0)).reduce((a, b) => a + b, 0);
  const inputTokens = sum("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens");
  const outputTokens = sum("outputTokens");
  const usage: Usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  const size = numberAt(fieldsOf(modelIn(byModel, context?.model ?? null)), "contextWindow");
  if (context !== null && size !== null) Object.assign(usage, { used: context.used, size });
  const amount = since.length === 0 ? numberAt(result, "total_cost_usd") : sum("costUSD");
  return amount === null ? usage : { ...usage, cost: { amount, currency: "USD" } };
}

/** The program counts under its own name of a model, which may have a mark that the model's does not: `opus[1m]`. */
const modelIn = (byModel: Fields, model: string | null): Json | undefined =>
  Object.entries(byModel).find(([name]) => name === model || name.startsWith(`${model}[`))?.[1];

function classOf(result: Fields, apiError: string | null): AgentErrorClass {
  if (LIMITS.has(textAt(result, "subtype"))) return "cut";
  if (textAt(result, "terminal_reason")?.startsWith("aborted") === true) return "cut";
  const status = numberAt(result, "api_error_status");
  // It is a bad request by its status.
  if (apiError === "billing_error") return KINDS[apiError] ?? "crashed";
  if (status !== null) return classOfStatus(status);
  return (apiError === null ? undefined : own(KINDS, apiError)) ?? "crashed";
}

function messageOf(result: Fields, text: string): string {
  if (text !== "") return text;
  const errors = listAt(result, "errors")
    .map(String)
    .filter((one) => !one.startsWith("[ede_diagnostic]"));
  if (errors.length > 0) return errors.join("; ");
  return `Claude Code ended early: ${textAt(result, "terminal_reason") ?? textAt(result, "subtype") ?? "no reason given"}`;
}

function withoutResult(end: End, stderr: string): { status: "failed"; class: AgentErrorClass; message: string } {
  if (end.type === "exited" && stderr.includes("cannot be used with root")) {
    return { status: "failed", class: "refused", message: `${stderr}. In a sandbox set IS_SANDBOX=1` };
  }
  return endedEarly(AGENT_PROGRAMS.claude, end, stderr);
}

const failed = (name: AgentErrorClass, message: string, text: string, usage: Usage | null): AgentResult => ({
  status: "failed",
  class: name,
  message,
  text,
  usage,
});
