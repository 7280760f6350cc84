/** What is shown of an agent: where its program is now, and whether it could start. No value of a variable. */
import { programOf as resolved } from "../../agents/acp/launch.ts";
import type { AgentState, OwnedAgent } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { shownArguments } from "../../config/agents/warnings.ts";
import type { AcpAgent } from "../../config/settings.ts";

export function ownedAgentOf(agent: AcpAgent, environment: Environment): OwnedAgent {
  const found = programOf(agent, environment);
  const { id, slug, name, formerly, preset, file, command, args, env, lacking, secrets = {} } = agent;
  const { cwd, files, terminal, sandbox, auth, mcpServers, limits } = agent;
  const shown = {
    ...{ id, slug, name, formerly, preset, file, command, path: typeof found === "string" ? found : null },
    ...{
      args: shownArguments(args),
      env: [...Object.keys(env), ...Object.keys(lacking), ...Object.keys(secrets)].toSorted(),
    },
    ...{ cwd, files, terminal, sandbox: sandbox.kind, auth, mcpServers, limits },
  };
  return { ...shown, ...stateOf(agent, found) };
}

function programOf(agent: AcpAgent, environment: Environment): string | { why: string } {
  const home = environment["HOME"];
  try {
    const path = agent.env["PATH"] ?? environment["PATH"];
    return resolved(agent, {
      ...(path === undefined ? {} : { PATH: path }),
      ...(home === undefined ? {} : { HOME: home }),
    });
  } catch (error) {
    return { why: (error as Error).message };
  }
}

function stateOf({ enabled, lacking }: AcpAgent, found: string | { why: string }): AgentState {
  if (!enabled) return { state: "disabled" };
  if (typeof found !== "string") return { state: "not found", why: found.why };
  const [missing] = Object.entries(lacking);
  if (missing === undefined) return { state: "ready" };
  return { state: "lacks a value", why: `${missing[0]} comes from the variable ${missing[1]}, which is not set` };
}
