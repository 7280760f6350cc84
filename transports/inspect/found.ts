/** The processes of this user that are inspected, asked of which sessions they know. */
import type { Environment, InspectedProcess } from "../../actors/troupe.ts";
import { inspectedProcesses } from "../../actors/troupe.ts";

const ANSWER_MS = 10_000;

/** The one that knows of a session; null where none does. */
export async function inspectedWith(environment: Environment, session: string): Promise<InspectedProcess | null> {
  const found = await Promise.all(
    inspectedProcesses(environment).map(async (one) => ((await sessionsOf(one)).includes(session) ? [one] : [])),
  );
  return found.flat()[0] ?? null;
}

/** None where it does not answer. */
async function sessionsOf({ address }: InspectedProcess): Promise<string[]> {
  try {
    const asked = await fetch(address.replace(/^ws:/, "http:"), { signal: AbortSignal.timeout(ANSWER_MS) });
    const { sessions } = (await asked.json()) as { sessions?: unknown };
    return Array.isArray(sessions) ? sessions.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
