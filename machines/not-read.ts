/** The kinds of update that stand for one of an agent that has none, or is not read. No agent sends these. */

/** It is too long, or nested too deep. */
export const NOT_READ = "message_not_read";
/** It names no kind. */
export const NO_KIND = "none";

/** What an update that was not read says to a person, or null for any other. */
export function notReadWords({ sessionUpdate, ...rest }: { sessionUpdate: string; why?: unknown }): string | null {
  if (sessionUpdate !== NOT_READ) return null;
  return `an update of the agent was not read, and what it said is missing: ${typeof rest.why === "string" ? rest.why : "no reason is known"}`;
}
