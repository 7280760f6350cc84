/**
 * What a run of the `vibe` program came to: it writes a report of its own.
 *
 * I1. Without a report that says `finished` the run has failed, whatever the exit code says.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fields, fieldsAt, fieldsOf, numberAt, parsed, textAt } from "../../base/json.ts";
import type { End } from "../../process/spawn.ts";
import type { AgentErrorClass, AgentResult, Usage } from "../agent.ts";
import { turnText } from "../paragraphs.ts";
import { endedEarly } from "../program.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { classOfStatus } from "../status.ts";
import type { VibeParser } from "./parser.ts";

type Read = Pick<VibeParser, "said" | "text">;

export const NAME = AGENT_PROGRAMS.mistral_vibe.name;

const CODES: { readonly [code: string]: AgentErrorClass } = {
  rate_limit: "rate_limit",
  invalid_api_key: "auth",
  invalid_model: "refused",
  context_too_long: "refused",
  refusal: "refused",
  response_too_long: "cut",
  incomplete_stream: "network",
};
const OUTCOMES: { readonly [outcome: string]: AgentErrorClass } = {
  usage_error: "refused",
  config_error: "refused",
  refusal: "refused",
  infrastructure_failure: "network",
};

/** The report in this folder, or null where the program wrote none. */
export function reportIn(folder: string): Fields | null {
  const file = join(folder, "export.json");
  return existsSync(file) ? fieldsOf(parsed(readFileSync(file, "utf8")) ?? undefined) : null;
}

export function outcomeOf(read: Read, report: Fields | null, end: End, stderr: string): AgentResult {
  const usage = report === null ? null : usageOf(report);
  const failed = (name: AgentErrorClass, message: string): AgentResult => {
    return { status: "failed", class: name, message, text: read.said, usage };
  };
  const words = lastWords(stderr);
  if (report === null) {
    if (/API key/i.test(words)) return failed("auth", words);
    return { ...endedEarly(AGENT_PROGRAMS.mistral_vibe, end, words), text: read.said, usage };
  }
  const outcome = textAt(report, "outcome") ?? "";
  if (outcome === "finished") return { status: "completed", text: turnText(read.text, read.said), usage };
  const error = fieldsAt(report, "error");
  const message = (textAt(error, "message") ?? words).split("\n")[0] || `${NAME} stopped: ${outcome}`;
  return failed(classOf(outcome, textAt(error, "code"), message), message);
}

/** The conversation that was to be resumed does not exist: nothing was asked of the model. */
export const isUnknownConversation = (report: Fields | null): boolean =>
  /^Session not found/.test(textAt(fieldsAt(report ?? {}, "error"), "message") ?? "");

function classOf(outcome: string, code: string | null, message: string): AgentErrorClass {
  const status = /\berror '(\d{3}) /.exec(message)?.[1];
  if (status !== undefined) return classOfStatus(Number(status));
  if (code !== null && Object.hasOwn(CODES, code)) return CODES[code] ?? "crashed";
  if (/API key/i.test(message)) return "auth";
  // What is left are the limits that the step set.
  return Object.hasOwn(OUTCOMES, outcome) ? (OUTCOMES[outcome] ?? "crashed") : "cut";
}

function usageOf(report: Fields): Usage | null {
  const usage = fieldsAt(report, "usage");
  const inputTokens = numberAt(usage, "input_tokens");
  const outputTokens = numberAt(usage, "output_tokens");
  const totalTokens = numberAt(usage, "total_tokens");
  if (inputTokens === null || outputTokens === null || totalTokens === null || totalTokens === 0) return null;
  const cost = numberAt(report, "cost_usd");
  const tokens = { inputTokens, outputTokens, totalTokens };
  return cost === null ? tokens : { ...tokens, cost: { amount: cost, currency: "USD" } };
}

/** The program warns of a folder that is not trusted: so it is meant. */
const lastWords = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => !/^Warning: .* is not trusted/.test(line))
    .join("\n")
    .trim();
