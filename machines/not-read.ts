/** The kind of update that stands for one of an agent that is not read: too long, nested too deep. No agent sends it. */

export const NOT_READ = "message_not_read";

/** What such an update says to a person, or null for any other. */
export function notReadWords({ sessionUpdate, ...rest }: { sessionUpdate: string; why?: unknown }): string | null {
  if (sessionUpdate !== NOT_READ) return null;
  return `an update of the agent was not read, and what it said is missing: ${String(rest.why)}`;
}
