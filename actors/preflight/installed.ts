/**
 * What agent steps need of this machine: the program of their provider, and what the user has configured.
 *
 * I1. Programs are looked for, never started. What is not known is taken as there.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { own } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { resolveCommand } from "../acp-client/command.ts";
import { AGENT_PROGRAMS, type AgentProgram } from "../agents/programs.ts";
import { installOf } from "../config/agents/install.ts";
import { agentNamed, namesOf, removedNamed, removedText, slugsOf } from "../config/agents/named.ts";
import type { AcpAgent, Config } from "../config/config.ts";
import type { KnownTexts } from "./known.ts";
import type { Faults } from "./subject.ts";

export type Machine = {
  environment: NodeJS.ProcessEnv;
  /** The names of all providers of this installation. */
  providers: readonly string[];
  /** null where the configuration cannot be read. */
  config: Partial<Config> | null;
};

/** Answers a provider's program where it is there, with its path; null where there is none or it is a configured agent. */
export function checkInstalled(
  node: AgentNode,
  known: KnownTexts,
  machine: Machine,
  faults: Faults,
): { program: AgentProgram; path: string } | null {
  const provider = known.text(node.provider);
  if (provider === null) return null;
  const agents = machine.config?.acpAgents;
  if (provider !== node.provider && agents !== undefined) checkRendered(node, provider, machine, faults);
  const named = provider === "acp" ? known.text(String(node.options["agent"] ?? "")) : provider;
  const agent = agentNamed(machine.config ?? {}, named ?? "");
  const gone = agent === undefined ? removedNamed(machine.config ?? {}, named ?? "") : undefined;
  if (agent?.enabled === false || gone !== undefined) {
    const expected = "an agent that is there and enabled: troupe agents list";
    const message = gone === undefined ? `the agent "${agent?.slug}" is disabled` : removedText(gone);
    const code = gone === undefined ? "USER.AGENT.DISABLED" : "USER.AGENT.UNKNOWN";
    faults.add(node.name, { code, message, expected, at: ["provider"], maybe: true });
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
  faults.add(node.name, {
    code: "USER.AGENT.NOT_INSTALLED",
    cause: `not installed ${command}`,
    message:
      closed === null
        ? `${name} is not installed here: there is no "${command}"${command.includes("/") ? "" : " in PATH"}`
        : `${name} cannot be started here: ${closed} may not be executed`,
    expected: closed === null ? install : `chmod +x ${closed}`,
    at: ["provider"],
    maybe: true,
  });
  return null;
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
function checkRendered(node: AgentNode, provider: string, { providers, config }: Machine, faults: Faults): void {
  const exist = [...providers, ...slugsOf(config ?? {})];
  if (exist.includes(provider) || namesOf(config ?? {}).includes(provider)) return;
  faults.add(node.name, {
    code: "USER.AGENT.UNKNOWN_PROVIDER",
    message: `there is no provider "${provider}"`,
    expected: `one of ${exist.join(", ")}`,
    suggestion: suggest(provider, exist),
    at: ["provider"],
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
