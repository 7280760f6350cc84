/** An agent of the user as a project lets it work: never with more than the user gives. H6. */
import type { AcpAgent } from "../settings.ts";
import { type ProjectAgents, projectAgents, type Restriction } from "./project.ts";

const FILES = ["none", "read", "write"] as const;

/** The agent in a folder, by the folder's own file. Throws USER.CONFIG.INVALID where that has a fault. */
export const agentIn = (agent: AcpAgent, cwd: string): AcpAgent => restricted(agent, projectAgents(cwd));

export function restricted(agent: AcpAgent, project: Pick<ProjectAgents, "restricted"> | null): AcpAgent {
  const names = [agent.slug, agent.id, ...agent.formerly];
  return Object.entries(project?.restricted ?? {})
    .filter(([name]) => names.includes(name))
    .reduce((narrowed, [, restriction]) => less(narrowed, restriction), agent);
}

function less(agent: AcpAgent, { files = "write", terminal, sandbox, mcpServers }: Restriction): AcpAgent {
  const least = Math.min(FILES.indexOf(agent.files), FILES.indexOf(files));
  return {
    ...agent,
    files: FILES[least] ?? "none",
    terminal: agent.terminal && terminal !== false,
    sandbox:
      sandbox === "workspace" && agent.sandbox.kind === "none" ? { kind: "workspace", write: [] } : agent.sandbox,
    ...(mcpServers === undefined ? {} : serversLeft(agent, mcpServers)),
  };
}

/** Of what the user passes on, by name or by `*`, what the project leaves; `*` still asks. */
function serversLeft({ mcpServers, mcp }: AcpAgent, left: readonly string[]): Pick<AcpAgent, "mcpServers" | "mcp"> {
  const named = mcpServers.filter((name) => left.includes(name));
  if (mcp === undefined && !mcpServers.includes("*")) return { mcpServers: named };
  const { deny, ask, secrets } = mcp ?? { deny: [], ask: [], secrets: [] };
  const asked = mcpServers.includes("*") ? left : left.filter((name) => ask.includes(name));
  return { mcpServers: named, mcp: { deny, ask: asked.filter((name) => !named.includes(name)), secrets } };
}
