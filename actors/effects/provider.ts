/** Finds the agent behind a provider's name. */
import { type Json, own } from "../../machines/model.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Agent } from "../agents/agent.ts";
import { agentNamed, removedNamed, slugsOf } from "../config/agents/named.ts";
import type { AcpAgent, Config } from "../config/settings.ts";
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
  const configured: Partial<Config> = acp === undefined ? {} : (config?.() ?? {});
  // One that was removed says so itself.
  if (acp !== undefined && (agentNamed(configured, name) ?? removedNamed(configured, name)) !== undefined)
    return () => named(name, acp);
  const known = [...Object.keys(agents), ...slugsOf(configured)];
  const exist = known.toSorted().join(", ");
  const meant = suggest(name, known);
  const message = `${where}: there is no provider "${name}"; available: ${exist}`;
  const question = meant === null ? "" : `; did you mean "${meant}"?`;
  throw new TroupeError("USER.AGENT.UNKNOWN_PROVIDER", message + question, { provider: name });
}

/** The configured agent that a step means, by its provider's name or by `options.agent`; undefined for any other provider. */
export function ownedAgent(
  provider: string,
  named: Json | undefined,
  { agents, config }: Pick<EffectOptions, "agents" | "config">,
): AcpAgent | undefined {
  if (provider !== "acp" && own(agents, provider) !== undefined) return undefined;
  const configured: Partial<Config> = config?.() ?? {};
  if (provider !== "acp") return agentNamed(configured, provider);
  if (typeof named === "string") return agentNamed(configured, named);
  const all = Object.values(configured.acpAgents ?? {});
  return all.length === 1 ? all[0] : undefined;
}

/** A configured agent is a provider of its own name. */
async function named(name: string, load: () => Promise<Agent>): Promise<Agent> {
  const acp = await load();
  const agent: Agent = (request, emit, signal) =>
    acp({ ...request, options: { ...request.options, agent: name } }, emit, signal);
  const { environment, content, takes } = acp;
  return Object.assign(agent, environment && { environment }, content && { content }, takes && { takes });
}
