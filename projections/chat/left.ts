/** What is said of a conversation that is left: how it goes on. */
import { safeLine } from "../terminal/safe.ts";

export function leftLine(id: string, agent: string, canGoOn: boolean): string {
  const how = canGoOn
    ? `continue with troupe chat --resume ${id}`
    : `it can only be viewed; a new one begins with its summary: troupe chat --from ${id}`;
  return `${safeLine(agent)}: ${how}`;
}
