/** What Claude Code reports beside the conversation, as notices. */
import type { Json } from "../../../machines/model.ts";
import { type Fields, fieldsOf, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent } from "../agent.ts";

/** Limits of one model alone: `seven_day_opus`. */
const OF_A_MODEL = /opus|sonnet|haiku/;

/** A request to the model failed and is tried again. */
export function retryNotice(message: Fields): AgentEvent[] {
  const status = numberAt(message, "error_status");
  const why = textAt(message, "error") ?? "unknown";
  const answer = status === null ? `no answer from the model (${why})` : `the model's answer was ${status} (${why})`;
  const attempt = numberAt(message, "attempt") ?? 1;
  const seconds = ((numberAt(message, "retry_delay_ms") ?? 0) / 1000).toFixed(1);
  const text = `${answer}; retry ${attempt} of ${numberAt(message, "max_retries") ?? "?"} in ${seconds} s`;
  const notice: AgentEvent = { type: "notice", severity: "warning", message: text };
  const afterMs = numberAt(message, "retry_delay_ms");
  if (status !== 429 || afterMs === null) return [notice];
  return [notice, { type: "limited", pause: { afterMs }, passing: true }];
}

/** The account's limit comes near or is reached. */
export function limitNotice(info: Fields): AgentEvent[] {
  const status = textAt(info, "status");
  if (status === null || status === "allowed") return [];
  const limit = textAt(info, "rateLimitType") ?? "usage";
  const resets = timeOf(numberAt(info, "resetsAt"));
  const until = resets === null ? "" : `; it resets at ${resets.toISOString()}`;
  const what = status === "rejected" ? "is reached" : "is near";
  const message = `the limit ${limit} of the account ${what}${until}`;
  const notice: AgentEvent = { type: "notice", severity: "warning", message };
  if (status !== "rejected" || resets === null) return [notice];
  const account = OF_A_MODEL.test(limit) ? {} : { account: true as const };
  return [notice, { type: "limited", pause: { until: resets.getTime() }, ...account }];
}

/** Seconds since the epoch as a time; null for more of them than a date can have. */
function timeOf(seconds: number | null): Date | null {
  const time = seconds === null ? null : new Date(seconds * 1000);
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

/** Tools that were not allowed to run; no question was asked. */
export function deniedNotice(denials: readonly Json[]): AgentEvent[] {
  if (denials.length === 0) return [];
  const tools = [...new Set(denials.map((one) => textAt(fieldsOf(one), "tool_name") ?? "a tool"))].join(", ");
  const message = `not allowed: ${tools}. Allow it with options.allowed_tools or options.permission_mode`;
  return [{ type: "notice", severity: "warning", message }];
}
