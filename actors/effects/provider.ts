/** Finds the agent behind a provider's name. */
import { own } from "../../machines/model.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Agent } from "../agents/agent.ts";
import { isPlanned, PLANNED } from "../agents/registry.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { EffectOptions } from "./options.ts";

/** The agent's loader. Throws a `TroupeError` that names what exists. `where` names the field. */
export function providerOf(name: string, where: string, agents: EffectOptions["agents"]): () => Promise<Agent> {
  const load = own(agents, name);
  if (load !== undefined) return load;
  const exist = Object.keys(agents).sort().join(", ");
  if (isPlanned(name)) {
    throw new TroupeError(
      "EXECUTION.AGENT.UNSUPPORTED",
      `${where}: the provider "${name}" is not supported yet; available: ${exist}`,
      { provider: name },
    );
  }
  const meant = suggest(name, [...Object.keys(agents), ...PLANNED]);
  const message = `${where}: there is no provider "${name}"; available: ${exist}`;
  const question = meant === null ? "" : `; did you mean "${meant}"?`;
  throw new TroupeError("USER.AGENT.UNKNOWN_PROVIDER", message + question, { provider: name });
}
