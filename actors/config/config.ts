/**
 * What the user has configured: `config.yaml` in Troupe's folder of the user's configuration, and `agents.yaml` beside
 * it.
 *
 * I1. Both are the user's alone: nothing of a repository is read here. A file that others may write is refused. A link to
 *     a file is followed (`own-file.ts`).
 * I2. All faults are reported at once, with line, column and what to do; with a fault nothing of them is used.
 * I3. Reading starts nothing and looks nothing up but the variables that the files name.
 * I4. Values of variables and headers are learned as secrets before they are handed out.
 */
import { join } from "node:path";
import type { Finding } from "../../machines/workflow/finding.ts";
import { Report } from "../../machines/workflow/report.ts";
import { readYaml } from "../../machines/workflow/yaml/read.ts";
import { readText } from "../base/read-text.ts";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { learnArguments, learnServer, learnValues } from "../masking/given.ts";
import type { Mask } from "../masking/masking.ts";
import { parseAgents, type ReadAgents } from "./agents/file.ts";
import { namesOf } from "./agents/named.ts";
import { serverNames } from "./lacking-servers.ts";
import { lowerConfig } from "./lower.ts";
import { agentsFileOf, nothingConfigured } from "./nothing.ts";
import { ownFile } from "./own-file.ts";
import type { AcpAgent, Config } from "./settings.ts";

export type { AcpAgent, Config } from "./settings.ts";

export const CONFIG_FILE = "config.yaml";

/** The place of the user's configuration file. */
export const configFileOf = (environment: Environment): string =>
  join(userFolders(environment).config, "troupe", CONFIG_FILE);

/** Reads the file at its first call and keeps what it found; the masking hears of its secrets first (I4). */
export function configReader(environment: Environment, mask: Pick<Mask, "learn">): () => Config {
  let config: Config | undefined;
  return () => {
    if (config !== undefined) return config;
    const read = readConfig(environment);
    for (const agent of Object.values(read.acpAgents)) learnAgent(mask, agent);
    const lacking = read.lackingServers?.map(({ server }) => server) ?? [];
    for (const server of [...read.mcpServers, ...lacking]) learnServer(mask, "config/mcp", server);
    config = read;
    return config;
  };
}

/** What is secret of an agent: values of its variables, and arguments that hold one. */
export function learnAgent(mask: Pick<Mask, "learn">, { slug, env, args }: Pick<AcpAgent, "slug" | "env" | "args">) {
  learnValues(mask, `config/agents/${slug}`, env);
  learnArguments(mask, `config/agents/${slug}`, args);
}

/** The same, or nothing while the file has a fault: what is only listed does without, and a step reports it. */
export const configuredBy =
  (config: () => Config): (() => Partial<Config>) =>
  () => {
    try {
      return config();
    } catch {
      return {};
    }
  };

/**
 * The configuration; an empty one where there is no file. Throws USER.CONFIG.INVALID with every fault of both files.
 */
export function readConfig(environment: Environment): Config {
  const file = configFileOf(environment);
  const owned = (): string[] | null => ownedNames(environment);
  const { config, findings } = parseConfig(safeTextOf(file), file, environment, owned);
  const known = serverNames(config ?? {});
  const { read, findings: ofAgents } = readAgents(environment, known);
  const [place, first] = findings.length > 0 ? [file, findings[0]] : [agentsFileOf(environment), ofAgents[0]];
  if (config !== null && read !== null) {
    const twice = read.agents.find(({ slug }) => Object.hasOwn(config.acpAgents, slug));
    if (twice === undefined) {
      const owned = Object.fromEntries(read.agents.map((agent) => [agent.slug, agent]));
      return { ...config, acpAgents: { ...config.acpAgents, ...owned }, removedAgents: read.removed };
    }
    const message = `an agent "${twice.slug}" stands in ${file} and in ${place}; give one of them another name`;
    throw new TroupeError("USER.CONFIG.INVALID", message, { file });
  }
  const told = [
    ...findings.map((finding) => faultText(finding, file)),
    ...ofAgents.map((finding) => faultText(finding, agentsFileOf(environment))),
  ];
  const { line = 1, column = 1 } = first ?? {};
  throw new TroupeError("USER.CONFIG.INVALID", told.join("\n"), { file: place, line, column });
}

/** `agents.yaml` as it is now; `servers`: the names of configured MCP servers. */
export function readAgents(environment: Environment, servers: readonly string[]): ReadAgents {
  const file = agentsFileOf(environment);
  const text = safeTextOf(file);
  if (text === "") return { read: { agents: [], removed: [], warnings: [] }, findings: [] };
  return parseAgents(text, { file, environment, servers });
}

/** Every name that means an agent of `agents.yaml`, or one that was removed; null where that has a fault. */
function ownedNames(environment: Environment): string[] | null {
  const { read } = readAgents(environment, []); // without servers no name of one is a slip
  if (read === null) return null;
  return namesOf({
    acpAgents: Object.fromEntries(read.agents.map((one) => [one.slug, one])),
    removedAgents: read.removed,
  });
}

/** The text of a file that is the user's alone; "" where there is none. */
function safeTextOf(file: string): string {
  const real = ownFile(file);
  return real === null ? "" : readText(real).text;
}

/** The configuration of a text, or null and what is wrong with it. Pure. `owned`: see `lowerConfig`. */
export function parseConfig(
  source: string,
  file: string,
  environment: Environment,
  owned: () => readonly string[] | null = () => [],
): { config: Config | null; findings: Finding[] } {
  if (source === "") return { config: nothingConfigured(file), findings: [] };
  const report = new Report(source, false);
  const { root, faults } = readYaml(source);
  for (const { range, ...fault } of faults) report.add({ ...fault, path: [], on: range, loads: false });
  if (root === null) return { config: null, findings: report.findings() };
  report.root = root;
  const config = lowerConfig(root, { file, environment, report }, owned);
  const findings = report.findings();
  return { config: findings.length === 0 ? config : null, findings };
}

/** A fault with its place, on one line. */
export const faultText = (finding: Finding, file: string): string =>
  `${file}:${finding.line}:${finding.column}: ${wordsOf(finding)}`;

/** Without its place, which is none of a file that was not written. */
export function wordsOf({ message, expected, suggestion }: Finding): string {
  const meant = suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
  const wanted = expected === undefined || message.includes(expected) ? "" : ` (expected ${expected})`;
  return `${message}${wanted}${meant}`;
}
