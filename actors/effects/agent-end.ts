/** How an agent's end becomes its step's: codes, what is kept, and whether the answer is what was asked for. */
import { CANCELLED, type Fault, type StateResult } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { type AgentErrorClass, type AgentResult, tellsTokens, type Usage } from "../agents/agent.ts";
import { MOST_SAID } from "../agents/kept-words.ts";
import { shortened } from "../agents/titles.ts";
import { type Limits, limitsOf } from "../base/limits.ts";
import type { Code } from "../errors/codes.ts";
import type { AgentRows } from "./agent-rows.ts";
import { completed, type Ended, endedAs, failed } from "./ended.ts";
import type { StepRules } from "./gate/step-rules.ts";
import { OutputHead } from "./output-head.ts";
import { dataOf, type Response, responseOf } from "./response.ts";
import { fitOf } from "./shape.ts";
import { repairWords } from "./shape-words.ts";
import { goDuration } from "./times.ts";

const MOST_REASON = 8_000;
/** As a shell's `timeout` exits. */
const TIMED_OUT = 124;
/** The code of each class of failures. */
export const AGENT_CODES: { readonly [name in AgentErrorClass]: Code } = {
  auth: "EXECUTION.AGENT.AUTH",
  no_credit: "EXECUTION.AGENT.NO_CREDIT",
  rate_limit: "EXECUTION.AGENT.RATE_LIMIT",
  overloaded: "EXECUTION.AGENT.OVERLOADED",
  network: "EXECUTION.AGENT.NETWORK",
  refused: "EXECUTION.AGENT.REFUSED",
  cut: "EXECUTION.AGENT.CUT",
  not_found: "EXECUTION.AGENT.NOT_FOUND",
  crashed: "EXECUTION.AGENT.CRASHED",
  timeout: "EXECUTION.AGENT.TIMEOUT",
};

/** What a step keeps of an agent's words: their head, and whether there was more. */
export type KeptAnswer = { text: string; tooLong: string | null };

/** Warns where it is not all. */
export function keptOf(said: string, limits: Partial<Limits> | undefined, warn: (message: string) => void): KeptAnswer {
  const max = Math.min(limitsOf(limits).keptOutputBytes, MOST_SAID);
  const head = new OutputHead(max);
  head.add(said);
  if (!head.cut) return { text: said, tooLong: null };
  const tooLong = `it has more than ${max} bytes, which limits.kept_output_bytes allows`;
  warn(`Output holds the first part of what the agent said: ${tooLong}`);
  return { text: head.text, tooLong };
}

/** The end of an agent that answered. An answer that does not fit its schema can go back to it. */
export async function answered(
  node: AgentNode,
  { text, tooLong }: KeptAnswer,
  left: Partial<StateResult>,
): Promise<Ended> {
  if (node.outputSchema !== undefined) {
    const fit = tooLong === null ? await fitOf(text, node.outputSchema) : ({ ok: false, reason: tooLong } as const);
    if (fit.ok) return completed({ ...left, ...dataOf(fit.text, fit.value) });
    const message = `the answer does not fit output_schema: ${fit.reason}`;
    const end = failed({ code: "EXECUTION.STEP.INVALID_SHAPE", message }, 1, { ...left, Stderr: message });
    return { ...end, repair: repairWords(fit.reason) };
  }
  const response = tooLong === null ? responseOf(text, node.outputFormat) : cutResponse(tooLong, node.outputFormat);
  if (response.ok) return completed({ ...left, ...response.left });
  const { message } = response;
  return failed({ code: "EXECUTION.AGENT.INVALID_OUTPUT", message }, 1, { ...left, Stderr: message });
}

/** What was cut is no data. */
function cutResponse(tooLong: string, format: AgentNode["outputFormat"]): Response {
  if (format !== "json") return { ok: true, left: {} };
  return { ok: false, message: `output_format is json, but the agent's answer was cut: ${tooLong}` };
}

/** The agent worked longer than it may. */
export function tooLong(ms: number, left: Partial<StateResult>): Ended {
  const message =
    `the agent worked for more than ${goDuration(ms)}; give the step a timeout of its own, ` +
    "0 for none, or raise limits.agent_ms in the configuration";
  return failed({ code: AGENT_CODES.timeout, message }, TIMED_OUT, left);
}

/** A no that is not passed over: the step fails, or the run ends. */
export function deniedAs(onDeny: StepRules["onDeny"], message: string, left: Partial<StateResult>): Ended {
  const fault = { code: "EXECUTION.STEP.DENIED", message } satisfies Fault & { code: Code };
  if (onDeny === "abort") return endedAs({ ...CANCELLED, error: fault }, { ...left, Stderr: message });
  return failed(fault, 1, { ...left, Stderr: message });
}

/** Why it failed: an agent may repeat there all that a server has sent. */
export const reasonIn = ({ message }: { message: string }): string => shortened(message, MOST_REASON);

/** What the step keeps of any end: the text, why it ended, the tokens, the conversation. */
export function leftBy(result: AgentResult, kept: KeptAnswer, prompt: string, rows: AgentRows): Partial<StateResult> {
  const { text, usage } = result;
  const StopReason = result.status === "completed" ? "end_turn" : (result.reason ?? result.class);
  const left: Partial<StateResult> = { Output: kept.text, StopReason, ...tokensOf(usage ?? rows.usage, prompt, text) };
  if (kept.tooLong !== null) left.Truncated = true;
  if (rows.conversation !== null) left.Conversation = rows.conversation;
  return left;
}

/** The use of a turn whose agent tells no numbers, for the budgets that hold for it. */
export function estimated({ text, usage }: AgentResult, prompt: string): Usage {
  const { TokensInput = 0, TokensOutput = 0, TokensUsed = 0 } = tokensOf(null, prompt, text);
  const tokens = { inputTokens: TokensInput, outputTokens: TokensOutput, totalTokens: TokensUsed };
  return { ...usage, ...tokens, estimated: true };
}

/** Where an agent tells no numbers, a quarter of the characters stands for the tokens, and is marked so. */
function tokensOf(usage: Usage | null, prompt: string, text: string): Partial<StateResult> {
  const told = usage !== null && tellsTokens(usage) && usage.estimated !== true;
  const input = told ? (usage.inputTokens ?? 0) : Math.ceil(prompt.length / 4);
  const output = told ? (usage.outputTokens ?? 0) : Math.ceil(text.length / 4);
  const used = (told ? usage.totalTokens : undefined) ?? input + output;
  return { TokensInput: input, TokensOutput: output, TokensUsed: used, TokensEstimated: !told };
}
