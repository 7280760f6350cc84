/**
 * The user's agents, listed and changed.
 *
 * I1. Nothing here starts a process, but where it is asked to look at an agent by name (`doctor.ts`, `login.ts`). Values of variables leave it in no form.
 * I2. Agents of `config.yaml` are listed, and changed by hand: that file is the user's own text.
 */
import { suggest } from "../../../machines/workflow/suggest.ts";
import type { AgentPreset, Agents, GoneAgent, OwnedAgent } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { addEntry, editAgents, placeOf } from "../../config/agents/edit.ts";
import type { AgentsFile } from "../../config/agents/file.ts";
import { agentNamed, removedNamed, removedText } from "../../config/agents/named.ts";
import { PRESETS } from "../../config/agents/presets.ts";
import type { RegistryAgent } from "../../config/agents/registry.ts";
import { faultText, readAgents, readConfig } from "../../config/config.ts";
import { serverNames } from "../../config/lacking-servers.ts";
import { agentsFileOf } from "../../config/nothing.ts";
import type { AcpAgent, Config } from "../../config/settings.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { entryOf } from "./entry.ts";
import { ownedAgentOf } from "./owned.ts";

type Place = { environment: Environment; cwd: string; now: () => number };

export function agentsOf({
  environment,
  cwd,
  now,
}: Place): Pick<Agents, "list" | "show" | "presets" | "examine" | "login" | "add" | "rename" | "remove" | "enable"> {
  const shown = (agent: AcpAgent): OwnedAgent => ownedAgentOf(agent, environment);
  const edit = (change: Parameters<typeof editAgents>[2]): AgentsFile =>
    editAgents(environment, serverNames(readConfig(environment)), change);
  /** One of `agents.yaml`; throws where it is none. */
  const changeable = (name: string): AcpAgent => {
    const found = known(readConfig(environment), name);
    if (found.file === agentsFileOf(environment)) return found;
    const message = `"${name}" stands in ${found.file}: change it there, or move it: troupe agents add ${found.slug} -- …`;
    throw new TroupeError("USER.AGENT.UNKNOWN", message, { agent: name });
  };
  const change = (name: string, fields: { [field: string]: unknown }): OwnedAgent => {
    const agent = changeable(name);
    const after = edit((document, file) => {
      for (const [field, value] of Object.entries(fields)) document.setIn([...placeOf(file, agent), field], value);
    });
    return shown(after.agents.find(({ id }) => id === agent.id) as AcpAgent);
  };
  return {
    async list() {
      const config = readConfig(environment);
      const { read } = readAgents(environment, serverNames(config));
      return {
        agents: Object.values(config.acpAgents).map(shown),
        removed: config.removedAgents,
        warnings: warningsOf(read, environment),
      };
    },
    async show(name) {
      return shown(known(readConfig(environment), name));
    },
    presets: () => PRESETS.map(presetOf),
    async examine(name) {
      return (await import("./doctor.ts")).examine(known(readConfig(environment), name), environment);
    },
    async login(name, options) {
      return (await import("./login.ts")).login(known(readConfig(environment), name), options, environment);
    },
    async add(given) {
      const config = readConfig(environment);
      const entry = await entryOf(given, { cwd, environment });
      if (Object.hasOwn(config.acpAgents, entry.slug))
        throw new TroupeError(
          "USER.AGENT.EXISTS",
          `there is an agent "${entry.slug}" already: give another name with --as`,
          { agent: entry.slug },
        );
      const after = edit((document, { removed }) => {
        const index = removed.findIndex(({ id }) => id === entry.id);
        const names = [...(removed[index]?.formerly ?? []), removed[index]?.slug ?? entry.slug];
        const formerly = [...new Set(names)].filter((one) => one !== entry.slug);
        addEntry(document, "agents", formerly.length === 0 ? entry : { ...entry, formerly });
        if (index >= 0) document.deleteIn(["removed", index]);
      });
      const agent = after.agents.find(({ id }) => id === entry.id) as AcpAgent;
      return { agent: shown(agent), warnings: warningsOf(after, environment) };
    },
    async rename(name, { slug, name: title }) {
      const agent = changeable(name);
      const config = readConfig(environment);
      if (slug !== undefined && slug !== agent.slug && Object.hasOwn(config.acpAgents, slug))
        throw new TroupeError("USER.AGENT.EXISTS", `there is an agent "${slug}" already`, { agent: slug });
      const formerly = [...new Set([...agent.formerly, agent.slug])].filter((one) => one !== slug);
      return change(agent.id, {
        ...(slug === undefined ? {} : { slug, formerly }),
        ...(title === undefined ? {} : { name: title }),
      });
    },
    async remove(name) {
      const { id, slug, name: title, formerly } = changeable(name);
      const before = formerly.length === 0 ? {} : { formerly };
      const gone: GoneAgent = { id, slug, name: title, at: new Date(now()).toISOString(), ...before };
      edit((document, file) => {
        document.deleteIn(placeOf(file, { id }));
        addEntry(document, "removed", gone);
      });
      return gone;
    },
    enable: async (name, enabled) => change(name, { enabled }),
  };
}

/** The agent of a name. Throws USER.AGENT.UNKNOWN. */
export function known(config: Config, name: string): AcpAgent {
  const found = agentNamed(config, name);
  if (found !== undefined) return found;
  const gone = removedNamed(config, name);
  const slugs = Object.keys(config.acpAgents);
  const meant = suggest(name, slugs);
  const message =
    gone === undefined
      ? `there is no agent "${name}"${meant === null ? "." : `; did you mean "${meant}"?`} See troupe agents list.`
      : removedText(gone);
  throw new TroupeError("USER.AGENT.UNKNOWN", message, { agent: name });
}

const warningsOf = (read: AgentsFile | null, environment: Environment): string[] =>
  (read?.warnings ?? []).map((finding) => faultText(finding, agentsFileOf(environment)));

function presetOf({ id, name, version, distribution: { npx, uvx } }: RegistryAgent): AgentPreset {
  return { id, name, version, package: (npx ?? uvx)?.package ?? "", program: (npx ?? uvx)?.bin ?? null };
}
