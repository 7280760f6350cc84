/** An agent's entry in `agents.yaml`, made from what the user names: a preset, an agent of a registry, or a command. */
import { randomUUID } from "node:crypto";
import { isProvider } from "../../../machines/workflow/providers.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import type { NewAgent } from "../../api/agents.ts";
import type { Environment } from "../../base/user-folders.ts";
import { fetchedArchive } from "../../config/agents/archives.ts";
import { PRESETS } from "../../config/agents/presets.ts";
import { archiveOf, launchOf, parseRegistry, type RegistryAgent, refused } from "../../config/agents/registry.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { bytesOf, placeOf, placeText } from "../../packs/source.ts";

type Place = { cwd: string; environment: Environment };

/** The entry as it is written. Fields with their default values are left out. */
export async function entryOf({ source, ...given }: NewAgent, { cwd, environment }: Place) {
  const made = await sourced(source, { cwd, environment });
  const { slug = made.slug, name = made.name, id = randomUUID(), env = {}, cwd: folder = made.cwd } = given;
  const values = { ...made.env, ...env };
  return {
    id,
    slug,
    ...(name === undefined || name === slug ? {} : { name }),
    ...(made.preset === null ? {} : { preset: made.preset }),
    command: made.command,
    ...(made.args.length === 0 ? {} : { args: made.args }),
    ...(Object.keys(values).length === 0 ? {} : { env: values }),
    ...(folder === null ? {} : { cwd: folder }),
    ...(given.files === undefined ? {} : { files: given.files }),
    ...(given.sandbox === undefined ? {} : { sandbox: given.sandbox }),
    ...(given.terminal === undefined ? {} : { terminal: given.terminal }),
    ...(given.auth === undefined ? {} : { auth: given.auth }),
    ...(given.mcpServers === undefined ? {} : { mcp_servers: given.mcpServers }),
  };
}

async function sourced(source: NewAgent["source"], { cwd, environment }: Place) {
  switch (source.from) {
    case "preset":
      return launched(one(PRESETS, source.preset, "troupe agents presets"), source.installed);
    case "registry": {
      const place = placeOf(source.file, { type: "path", path: cwd });
      const file = placeText(place);
      const agents = parseRegistry((await bytesOf(place)).toString("utf8"), file);
      const id = source.agent ?? (agents.length === 1 ? agents[0]?.id : undefined);
      if (id === undefined)
        throw new TroupeError(
          "USER.AGENT.PRESET",
          `${file} has several agents; name one: ${agents.map((a) => a.id).join(", ")}`,
        );
      const found = one(agents, id, file);
      // Who gives digits believes that something is checked by them.
      if (source.fetch?.sha256 !== undefined && (source.installed || archiveOf(found) === null))
        throw refused(`of "${found.id}" no archive is fetched for this machine: leave --sha256 out`);
      const archive = source.installed || source.fetch === undefined ? null : archiveOf(found);
      if (archive === null || source.fetch === undefined) return launched(found, source.installed);
      return { ...known(found), ...(await fetchedArchive(found, archive, { ...source.fetch, place, environment })) };
    }
    case "command": {
      const { command, args } = source;
      return { slug: "", name: undefined, preset: null, command, args, env: {}, cwd: null };
    }
    default:
      return source satisfies never;
  }
}

/** A provider's name cannot be a slug: `gemini` is the program, `gemini-acp` the agent. */
const launched = (agent: RegistryAgent, installed: boolean) => ({ ...known(agent), ...launchOf(agent, installed) });
const known = (agent: RegistryAgent) => ({
  slug: isProvider(agent.id) ? `${agent.id}-acp` : agent.id,
  name: agent.name as string | undefined,
  preset: `${agent.id}@${agent.version}` as string | null,
});

function one(agents: readonly RegistryAgent[], id: string, where: string): RegistryAgent {
  const found = agents.find((agent) => agent.id === id);
  if (found !== undefined) return found;
  const meant = suggest(
    id,
    agents.map((agent) => agent.id),
  );
  const message = `no agent "${id}" is known${meant === null ? "." : `; did you mean "${meant}"?`} See ${where}, or name a command: troupe agents add ${id} -- program arguments`;
  throw new TroupeError("USER.AGENT.PRESET", message, { agent: id });
}
