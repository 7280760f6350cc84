/** What an HTTP status of a model's answer, or the words beside it, say about a failure. */
import type { AgentErrorClass } from "./agent.ts";

/** The account has to pay before it is let in again: services say so with 402, 400 or 429. */
export const NO_CREDIT = /payment required|insufficient.?(?:balance|credit|fund|quota)|credit balance/i;

export function classOfStatus(status: number): AgentErrorClass {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "no_credit";
  if (status === 429) return "rate_limit";
  if (status === 529 || status === 503) return "overloaded";
  if (status === 408 || status >= 500) return "network";
  return "refused";
}
