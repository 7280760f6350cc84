/**
 * An agent's plan in words that the SDK takes: it drops an entry whose status or priority it does not know, and tells
 * nobody.
 *
 * I1. Of such an entry nothing is known but its words: it is pending, of medium priority.
 */
import type { PlanEntry } from "@agentclientprotocol/sdk";

const STATUSES: ReadonlySet<unknown> = new Set<PlanEntry["status"]>(["pending", "in_progress", "completed"]);
const PRIORITIES: ReadonlySet<unknown> = new Set<PlanEntry["priority"]>(["high", "medium", "low"]);

type Fields = { readonly [name: string]: unknown };
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The update of a session; the same object where nothing is to be exchanged. */
export function knownEntries(update: Fields): Fields {
  const { sessionUpdate, entries } = update;
  if (sessionUpdate !== "plan" || !Array.isArray(entries) || entries.every(isKnown)) return update;
  return { ...update, entries: entries.map((entry: unknown) => (isFields(entry) ? known(entry) : entry)) };
}

const isKnown = (entry: unknown): boolean =>
  isFields(entry) && STATUSES.has(entry["status"]) && PRIORITIES.has(entry["priority"]);

const known = (entry: Fields): Fields => ({
  ...entry,
  ...(STATUSES.has(entry["status"]) ? {} : { status: "pending" }),
  ...(PRIORITIES.has(entry["priority"]) ? {} : { priority: "medium" }),
});
