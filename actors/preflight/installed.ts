/**
 * What agent steps need of this machine: the program of their provider, and what the user has configured.
 *
 * I1. Programs are looked for, never started. What is not known is taken as there.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { type Json, own } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Path } from "../../machines/workflow/texts.ts";
import { resolveCommand } from "../acp-client/command.ts";
import { AGENT_PROGRAMS, type AgentProgram } from "../agents/programs.ts";
import type { KnownTexts } from "../catalogue/known.ts";
import { installOf } from "../config/agents/install.ts";
import { agentNamed, namesOf, removedNamed, removedText, slugsOf } from "../config/agents/named.ts";
import type { AcpAgent, Config } from "../config/config.ts";
import type { Faults } from "./subject.ts";

export type Machine = {
  environment: NodeJS.ProcessEnv;
  /** The names of all providers of this installation. */
  providers: readonly string[];
  /** null where the configuration cannot be read. */
  config: Partial<Config> | null;
};

/** An agent that a step names: for itself, or for who takes its place. Without the latter it may run all the same. */
type Wanted = { step: string; provider: string; agent: Json | undefined; at: Path; passes: boolean };

/** Answers a provider's program where it is there, with its path; null where there is none or it is a configured agent. */
export function checkInstalled(
  node: AgentNode,
  known: KnownTexts,
  machine: Machine,
  faults: Faults,
): { program: AgentProgram; path: string } | null {
  const { name: step, provider, options, fallback = [] } = node;
  const itself = { step, provider, agent: options["agent"], at: ["provider"], passes: false };
  const found = checkWanted(itself, known, machine, faults);
  for (const [index, { provider: other, options: given }] of fallback.entries())
    if (other !== undefined) {
      const wanted = { step, provider: other, agent: given?.["agent"], at: ["fallback", index], passes: true };
      checkWanted(wanted, known, machine, faults);
    }
  return found;
}

function checkWanted(
  wanted: Wanted,
  known: KnownTexts,
  machine: Machine,
  faults: Faults,
): { program: AgentProgram; path: string } | null {
  const { step, at, passes } = wanted;
  const provider = known.text(wanted.provider);
  if (provider === null) return null;
  const agents = machine.config?.acpAgents;
  if (provider !== wanted.provider && agents !== undefined) checkRendered(wanted, provider, machine, faults);
  const named = provider === "acp" ? known.text(String(wanted.agent ?? "")) : provider;
  const agent = agentNamed(machine.config ?? {}, named ?? "");
  const unfit = unfitOf(agent, named ?? "", machine);
  if (unfit !== null) {
    faults.add(step, { ...unfit, at, passes, maybe: true });
    return null;
  }
  const programs: { readonly [provider: string]: AgentProgram | null } = AGENT_PROGRAMS;
  const program = agent === undefined ? own(programs, provider) : programOf(agent);
  const path = agent?.env["PATH"] ?? machine.environment["PATH"];
  if (program === undefined || program === null) return null;
  const found = agent === undefined ? placeOf(program.command, path) : placeOfAgent(agent, path, machine);
  if (found !== "nowhere") return found === "unknown" || agent !== undefined ? null : { program, path: found.path };
  const { name, command, install } = program;
  const closed = closedPlaceOf(command, path);
  faults.add(step, {
    code: "USER.AGENT.NOT_INSTALLED",
    cause: `not installed ${command}`,
    message:
      closed === null
        ? `${name} is not installed here: there is no "${command}"${command.includes("/") ? "" : " in PATH"}`
        : `${name} cannot be started here: ${closed} may not be executed`,
    expected: closed === null ? `its program: ${install}` : `the right to execute it: chmod +x ${closed}`,
    at,
    passes,
    maybe: true,
  });
  return null;
}

/** Why an agent of the user's own does not start, as `agents/acp` says it then. */
function unfitOf(agent: AcpAgent | undefined, named: string, { config }: Machine) {
  const gone = agent === undefined ? removedNamed(config ?? {}, named) : undefined;
  const expected = "an agent that is there and enabled: troupe agents list";
  if (gone !== undefined) return { code: "USER.AGENT.UNKNOWN", message: removedText(gone), expected } as const;
  if (agent === undefined) return null;
  const { slug, enabled, lacking, file } = agent;
  if (!enabled) return { code: "USER.AGENT.DISABLED", message: `the agent "${slug}" is disabled`, expected } as const;
  const [missing] = Object.entries(lacking);
  if (missing === undefined) return null;
  const [name, variable] = missing;
  return {
    code: "USER.CONFIG.INVALID",
    message: `the agent "${slug}" needs ${name} from the variable ${variable}, which is not set`,
    expected: `${variable} in the environment, or another value in ${file}`,
  } as const;
}

const programOf = ({ name, command, file, preset }: AcpAgent): AgentProgram => ({
  signIn: "",
  name: `the agent "${name}"`,
  command,
  install: [installOf({ command, preset }), `another command in ${file}`].filter((text) => text !== null).join("; or "),
});

function placeOfAgent({ command, file }: AcpAgent, path: string | undefined, { environment }: Machine): Place {
  if (process.platform === "win32" || (path === undefined && !command.includes("/"))) return "unknown";
  const home = environment["HOME"];
  try {
    return { path: resolveCommand(command, { path, base: dirname(file), ...(home === undefined ? {} : { home }) }) };
  } catch {
    return "nowhere";
  }
}

/** A provider's name that an input gives; one that stands in the file was judged when that was read. */
function checkRendered(
  { step, at, passes }: Wanted,
  provider: string,
  { providers, config }: Machine,
  faults: Faults,
): void {
  const exist = [...providers, ...slugsOf(config ?? {})];
  if (exist.includes(provider) || namesOf(config ?? {}).includes(provider)) return;
  faults.add(step, {
    code: "USER.AGENT.UNKNOWN_PROVIDER",
    message: `there is no provider "${provider}"`,
    expected: `one of ${exist.join(", ")}`,
    suggestion: suggest(provider, exist),
    at,
    passes,
  });
}

/** `unknown`: it may be there (I1). */
export type Place = { path: string } | "nowhere" | "unknown";

/** Where the program of a name, or of a path, is on this machine. */
export function placeOf(command: string, path: string | undefined): Place {
  if (process.platform === "win32") return "unknown";
  if (command.includes("/")) return isExecutable(command) ? { path: command } : "nowhere";
  if (path === undefined) return "unknown";
  const found = path
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find(isExecutable);
  if (found === undefined) return "nowhere";
  // One that the working directory decides is nothing to ask.
  return isAbsolute(found) ? { path: found } : "unknown";
}

/** Of a program that is nowhere: a file of its name that is there and may not be executed; null where there is none. */
export function closedPlaceOf(command: string, path = ""): string | null {
  const folders = command.includes("/") ? [""] : path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, command)).find(isFile) ?? null;
}

/** A folder of PATH that may not be searched, or a link that leads nowhere, is passed over as a shell does. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
