/** What an HTTP status of a model's answer says about a failure. */
import type { AgentErrorClass } from "./agent.ts";

export function classOfStatus(status: number): AgentErrorClass {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  if (status === 529 || status === 503) return "overloaded";
  if (status === 408 || status >= 500) return "network";
  return "refused";
}
