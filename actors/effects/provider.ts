/** Finds the agent behind a provider's name. */
import { own } from "../../machines/model.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Agent } from "../agents/agent.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { EffectOptions } from "./options.ts";

/** The agent's loader. Throws a `TroupeError` that names what exists. `where` names the field. */
export function providerOf(
  name: string,
  where: string,
  { agents, config }: Pick<EffectOptions, "agents" | "config">,
): () => Promise<Agent> {
  const load = own(agents, name);
  if (load !== undefined) return load;
  const acp = own(agents, "acp");
  const configured = acp === undefined ? {} : (config?.().acpAgents ?? {});
  if (acp !== undefined && own(configured, name) !== undefined) return () => named(name, acp);
  const exist = [...Object.keys(agents), ...Object.keys(configured)].sort().join(", ");
  const meant = suggest(name, [...Object.keys(agents), ...Object.keys(configured)]);
  const message = `${where}: there is no provider "${name}"; available: ${exist}`;
  const question = meant === null ? "" : `; did you mean "${meant}"?`;
  throw new TroupeError("USER.AGENT.UNKNOWN_PROVIDER", message + question, { provider: name });
}

/** A configured agent is a provider of its own name. */
async function named(name: string, load: () => Promise<Agent>): Promise<Agent> {
  const acp = await load();
  const agent: Agent = (request, emit, signal) =>
    acp({ ...request, options: { ...request.options, agent: name } }, emit, signal);
  const { environment, content, takes } = acp;
  return Object.assign(agent, environment && { environment }, content && { content }, takes && { takes });
}
