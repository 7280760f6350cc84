/**
 * What the user has configured, in one file: `config.yaml` in Troupe's folder of the user's configuration.
 *
 * I1. It is the user's alone: nothing of a repository is read here, and a file that others may write is refused.
 * I2. All faults of the file are reported at once, with line, column and what to do; a file with a fault is not used at
 *     all.
 * I3. Reading starts nothing and looks nothing up but the variables that the file names.
 * I4. Values of variables and headers are learned as secrets before anybody gets them.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../machines/workflow/finding.ts";
import { Report } from "../../machines/workflow/report.ts";
import { readYaml } from "../../machines/workflow/yaml/read.ts";
import { readText } from "../base/read-text.ts";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { learnServer, learnValues } from "../masking/given.ts";
import type { Mask } from "../masking/masking.ts";
import { lowerConfig } from "./lower.ts";
import type { Config } from "./settings.ts";

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
    for (const { name, env } of Object.values(read.acpAgents)) learnValues(mask, `config/agents/${name}`, env);
    for (const server of read.mcpServers) learnServer(mask, "config/mcp", server);
    config = read;
    return config;
  };
}

/** The same, or nothing while the file has a fault: what is only listed does without, and a step tells of it. */
export const configuredBy =
  (config: () => Config): (() => Partial<Config>) =>
  () => {
    try {
      return config();
    } catch {
      return {};
    }
  };

/** The configuration; an empty one where there is no file. Throws USER.CONFIG.INVALID with every fault. */
export function readConfig(environment: Environment): Config {
  const file = configFileOf(environment);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return parseConfig("", file, environment).config as Config;
  if (process.platform !== "win32" && (stat.mode & 0o002) !== 0) {
    const message = `${file} may be written by everybody; take that right away: chmod o-w ${file}`;
    throw new TroupeError("USER.CONFIG.INVALID", message, { file });
  }
  const { config, findings } = parseConfig(readText(file).text, file, environment);
  if (config !== null) return config;
  const [first] = findings;
  throw new TroupeError("USER.CONFIG.INVALID", findings.map((finding) => told(finding, file)).join("\n"), {
    file,
    line: first?.line ?? 1,
    column: first?.column ?? 1,
  });
}

/** The configuration of a text, or null and what is wrong with it. Pure. */
export function parseConfig(
  source: string,
  file: string,
  environment: Environment,
): { config: Config | null; findings: Finding[] } {
  const report = new Report(source, false);
  const { root, faults } = readYaml(source);
  for (const { range, ...fault } of faults) report.add({ ...fault, path: [], on: range, loads: false });
  if (root === null) return { config: null, findings: report.findings() };
  report.root = root;
  const config = lowerConfig(root, { file, environment, report });
  const findings = report.findings();
  return { config: findings.length === 0 ? config : null, findings };
}

function told({ line, column, message, expected, suggestion }: Finding, file: string): string {
  const meant = suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
  const wanted = expected === undefined || message.includes(expected) ? "" : ` (expected ${expected})`;
  return `${file}:${line}:${column}: ${message}${wanted}${meant}`;
}
