/**
 * The names that `--trust-agent` gives. One that means no agent would be noticed only where an agent may not start, which
 * can be the last step of a long run.
 */
import { type Troupe, TroupeError, troupeError } from "../../actors/troupe.ts";

/** For a command that ends. Throws USER.AGENT.UNKNOWN. */
export async function refuseUnknownAgents(troupe: Troupe, names: readonly string[], cwd: string): Promise<void> {
  if (names.length === 0) return;
  const agents = await troupe.agents(cwd);
  for (const name of names) {
    const { slug, id } = await agents.show(name);
    if (name === slug || name === id) continue;
    throw new TroupeError("USER.AGENT.UNKNOWN", `the agent "${name}" is called "${slug}" now: --trust-agent ${slug}`);
  }
}

/** For one that serves: an agent may come later, and no editor is to stand there without its agent for a name. */
export async function tellUnknownAgents(
  troupe: Troupe,
  names: readonly string[],
  cwd: string,
  log: (line: string) => void,
): Promise<void> {
  for (const name of names)
    await refuseUnknownAgents(troupe, [name], cwd).catch((error) =>
      log(`--trust-agent: ${troupeError(error).message}`),
    );
}
