/**
 * What the user agreed to of agents: listed, given beforehand, taken back.
 *
 * I1. What is given beforehand is what would be asked about now, by the same description: nothing is started for it.
 */
import { realpathSync } from "node:fs";
import { launchOf } from "../../agents/acp/launch.ts";
import type { AgentLaunch, Agents, ApprovedAgent, OwnedAgent } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { agentNamed } from "../../config/agents/named.ts";
import { agentIn } from "../../config/agents/restricted.ts";
import { readConfig } from "../../config/config.ts";
import { type Consents, changedIn, withoutServers } from "../../effects/gate/approve.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Consent } from "../../host/reads.ts";
import { agentEnvironment } from "../../process/environment.ts";
import { trustedIn } from "../consents.ts";
import { known } from "./agents.ts";

type Approvals = Pick<Agents, "approved" | "launch" | "approve" | "revoke"> & {
  /** The agent with whether it would start in this folder without a question. H7. */
  here(agent: OwnedAgent): OwnedAgent;
};
/** `hasStore`: whether anything can have been agreed to. */
type Place = { environment: Environment; cwd: string; consents: () => Consents; hasStore: () => boolean };

const NOT_HERE = "you have not agreed to its start in this folder";

export function approvalsOf({ environment, cwd, consents, hasStore }: Place): Approvals {
  const slugOf = (id: string): string => agentNamed(readConfig(environment), id)?.slug ?? id;
  const told = ({ agent: keeper, folder, machine, at }: Consent): ApprovedAgent => ({
    agent: `${slugOf(withoutServers(keeper))}${keeper === withoutServers(keeper) ? "" : " (servers)"}`,
    id: withoutServers(keeper),
    cwd: folder,
    at,
    here: machine === consents().machine,
  });
  const launch = (name: string): AgentLaunch & { id: string } => {
    const config = readConfig(environment);
    const agent = agentIn(known(config, name), cwd);
    const sources = Object.fromEntries(config.mcpServers.map((server) => [server.name, "you" as const]));
    const request = { cwd, options: {}, mcpServers: config.mcpServers, serverSources: sources };
    const { shown, digest, workspace, slug } = launchOf(agent, request, {
      ...agentEnvironment(environment, {}),
      ...agent.env,
    });
    return { id: agent.id, agent: slug, cwd: workspace, shown, digest };
  };
  const unapproved = (name: string): string | null => {
    const { id, agent: slug, cwd: folder, shown, digest } = launch(name);
    const isTrusted = (trusted: readonly string[]): boolean => trusted.includes(id) || trusted.includes(slug);
    if (!hasStore()) return isTrusted(trustedIn(environment)) ? null : NOT_HERE;
    const { kept, machine, trusted } = consents();
    if (isTrusted(trusted)) return null;
    const before = kept.find({ machine, agent: id, folder });
    if (before?.digest === digest) return null;
    if (before !== undefined) return `changed since you agreed to it: ${changedIn(before, shown)}`;
    const elsewhere = kept.list().some((one) => one.agent === id && one.machine !== machine);
    return elsewhere ? "you agreed to it on another machine, not on this one" : NOT_HERE;
  };
  return {
    here(agent) {
      if (agent.state !== "ready") return agent;
      try {
        const why = unapproved(agent.id);
        return why === null ? agent : { ...agent, state: "needs approval", why };
      } catch (error) {
        // The start itself reports what is in its way.
        return { ...agent, state: "needs approval", why: (error as Error).message };
      }
    },
    approved: async () => consents().kept.list().map(told),
    async launch(name) {
      const { id: _, ...shown } = launch(name);
      return shown;
    },
    async approve(asked) {
      const now = launch(asked.agent);
      if (now.digest !== asked.digest)
        throw new TroupeError("USER.AGENT.CONSENT_CHANGED", `"${asked.agent}" is no longer what was shown; look again`);
      const { kept, machine, now: clock } = consents();
      const { id, cwd: folder, digest } = now;
      const consent = { machine, agent: id, folder, digest, shown: JSON.stringify(now.shown), at: clock() };
      await kept.keep(consent);
      return told(consent);
    },
    async revoke(name, folder) {
      const { kept } = consents();
      const id = agentNamed(readConfig(environment), name)?.id ?? name;
      const only = folder === undefined ? null : realpathSync(folder);
      const there = kept
        .list()
        .filter((one) => withoutServers(one.agent) === id && (only === null || one.folder === only));
      for (const one of there) await kept.drop(one);
      if (there.length === 0)
        throw new TroupeError(
          "USER.TRUST.UNKNOWN",
          `"${name}" starts nowhere without a question. See troupe trust list.`,
        );
      return there.map(told);
    },
  };
}
