/**
 * Agents that a project proposes: shown, and taken into the user's own file, or not. H6.
 *
 * I1. What is taken is what was shown: the digest covers the whole entry.
 * I2. Its start is asked about as that of every agent.
 */
import { createHash } from "node:crypto";
import { suggest } from "../../../machines/workflow/suggest.ts";
import type { Agents, NewAgent, ProposedAgent } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { agentNamed } from "../../config/agents/named.ts";
import { type Proposal, projectAgents } from "../../config/agents/project.ts";
import { readConfig } from "../../config/config.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { entryOf } from "./entry.ts";

type Place = { environment: Environment; cwd: string; add: Agents["add"] };

export function proposalsOf({ environment, cwd, add }: Place): Pick<Agents, "proposals" | "accept"> {
  const proposals = async (): Promise<(ProposedAgent & { given: NewAgent })[]> => {
    const project = projectAgents(cwd);
    const config = readConfig(environment);
    const made = (project?.proposals ?? []).map(async (proposal) => {
      const given = newAgentOf(proposal);
      const { id: _, ...entry } = await entryOf({ ...given, id: "" }, { cwd, environment });
      const { slug, why } = proposal;
      const isTaken = agentNamed(config, slug) !== undefined;
      const digest = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
      return { slug, why, file: project?.file ?? "", entry, digest, isTaken, given };
    });
    return await Promise.all(made);
  };
  return {
    proposals: async () => (await proposals()).map(({ given: _, ...shown }) => shown),
    async accept({ slug, digest }, as) {
      const all = await proposals();
      const found = all.find((one) => one.slug === slug);
      if (found === undefined) {
        const meant = suggest(
          slug,
          all.map((one) => one.slug),
        );
        const question = meant === null ? "" : `; did you mean "${meant}"?`;
        const message = `${cwd} proposes no agent "${slug}"${question}`;
        throw new TroupeError("USER.AGENT.UNKNOWN", message, { agent: slug });
      }
      if (found.digest !== digest)
        throw new TroupeError("USER.AGENT.CONSENT_CHANGED", `"${slug}" is no longer what was shown; look again`);
      return await add({ ...found.given, ...(as === undefined ? {} : { slug: as }) });
    },
  };
}

function newAgentOf({ runs, slug, name, env, files, terminal, sandbox, auth, mcpServers }: Proposal): NewAgent {
  return {
    source:
      runs.by === "preset"
        ? { from: "preset", preset: runs.preset, installed: false }
        : { from: "command", command: runs.command, args: runs.args },
    ...{ slug, env, files, terminal, sandbox },
    ...(name === null ? {} : { name }),
    ...(auth === null ? {} : { auth }),
    ...(mcpServers.length === 0 ? {} : { mcpServers }),
  };
}
