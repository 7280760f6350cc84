/**
 * Looks whether an agent can be started, and what it says of itself.
 *
 * I1. No prompt is sent; it has ended before this returns (`bare.ts`).
 */
import type { AgentHealth } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { knownFaults } from "../../config/agents/known-faults.ts";
import type { AcpAgent } from "../../config/settings.ts";
import { isSignedIn, maskFor, withAgent } from "./bare.ts";

export async function examine(agent: AcpAgent, environment: Environment): Promise<AgentHealth> {
  const { slug } = agent;
  let found: Pick<AgentHealth, "program" | "sha256"> = { program: null, sha256: null };
  const mask = maskFor(agent, environment);
  try {
    const onFound = (one: typeof found): void => {
      found = one;
    };
    return await withAgent(agent, { environment, mask, onFound }, async (started) => {
      const { agentInfo, agentCapabilities, authMethods, protocolVersion } = started.client.calls.agent;
      const { needed } = await isSignedIn(started);
      const name = agentInfo?.name ?? agent.preset ?? slug;
      const version = agentInfo?.version ?? "";
      const told = {
        name,
        version,
        protocolVersion,
        capabilities: JSON.parse(JSON.stringify(agentCapabilities ?? {})),
      };
      const methods = (authMethods ?? []).map((method) => method.id);
      return {
        agent: slug,
        ...found,
        ok: true,
        ...told,
        signIn: needed,
        methods,
        knownFaults: knownFaults(name, version),
      };
    });
  } catch (error) {
    return { agent: slug, ...found, ok: false, why: mask.text((error as Error).message) };
  }
}
