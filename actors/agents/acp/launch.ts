/**
 * What would start, whole: it is shown to a person before, and their answer holds for nothing else.
 *
 * I1. The digest covers every field that is shown, in any order of names. What changes in one of them is another launch.
 * I2. Programs and scripts are known by their contents: the command's file, and each argument that is a file.
 * I3. Names of variables are shown, and never a value; arguments that look like secrets count, and are not shown.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { McpServer } from "../../../machines/mcp/server.ts";
import type { Json } from "../../../machines/model.ts";
import { resolveCommand } from "../../acp-client/command.ts";
import { ClientError, isClientError } from "../../acp-client/errors.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";
import { installOf } from "../../config/agents/install.ts";
import { shownArguments } from "../../config/agents/warnings.ts";
import type { AcpAgent } from "../../config/config.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { AgentRequest, Launch } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { chosenServers, keepsSecrets } from "./servers.ts";

const CHUNK = 1024 * 1024;
const hashes = new Map<string, string>();

/** The program that an agent's command is now. Throws `agentNotFound`. */
export function programOf(agent: AcpAgent, env: { readonly [name: string]: string }): string {
  try {
    return resolveCommand(agent.command, {
      path: env["PATH"],
      base: dirname(agent.file),
      ...(env["HOME"] === undefined ? {} : { home: env["HOME"] }),
    });
  } catch (error) {
    const install = installOf(agent);
    if (install === null || !isClientError(error, "agentNotFound")) throw error;
    throw new ClientError("agentNotFound", `${error.message}. To install it: ${install}`, error.details);
  }
}

/** Throws `agentNotFound` where there is no such program. */
export function launchOf(
  agent: AcpAgent,
  request: Pick<AgentRequest, "cwd" | "directories" | "options" | "mcpServers" | "serverSources">,
  env: { readonly [name: string]: string },
): Launch {
  const program = programOf(agent, env);
  const workspace = realpathSync(request.cwd);
  const runsIn = agent.cwd ?? request.cwd;
  const own = [...Object.keys(agent.env), ...Object.keys(agent.secrets ?? {})];
  const step = Object.keys(configuredEnvironment(request.options));
  const shown: { [name: string]: Json } = {
    agent: agent.slug,
    program,
    sha256: sha256Of(program),
    argv: [program, ...shownArguments(agent.args)],
    files: Object.fromEntries(agent.args.flatMap((arg) => fileOf(arg, runsIn))),
    variables: [...new Set([...own, ...step])].toSorted(),
    "runs in": runsIn,
    workspace,
    ...(request.directories === undefined ? {} : { "other folders": [...request.directories] }),
    "MCP servers": chosenServers(agent, request.mcpServers).pass.map((server) => shownServer(agent, server, request)),
    ...(agent.sandbox.kind === "none" ? {} : { sandbox: sandboxWords(agent.sandbox) }),
    "may, through Troupe": grantsOf(agent),
  };
  // Its slug is a name that may change.
  const digest = sha256([canonical({ ...shown, agent: agent.id }), canonical(agent.args)].join("\n"));
  return { what: "start", agent: agent.id, slug: agent.slug, workspace, shown, digest };
}

const NOT_AGREED: ReadonlySet<string> = new Set(["USER.AGENT.CONSENT_REFUSED", "USER.AGENT.CONSENT_REQUIRED"]);

/** What is passed on to the agent: what it is given, and what the person agrees to now or has. H40. */
export async function agreedServers(
  agent: AcpAgent,
  request: Pick<AgentRequest, "cwd" | "mcpServers" | "serverSources">,
  approve: (launch: Launch) => Promise<void>,
  notice: (message: string) => void,
): Promise<McpServer[]> {
  const { pass, ask } = chosenServers(agent, request.mcpServers);
  const launch = serversAsked(agent, request);
  if (launch === null) return pass;
  try {
    await approve(launch);
    return [...pass, ...ask];
  } catch (error) {
    if (!(error instanceof TroupeError) || !NOT_AGREED.has(error.code)) throw error;
    const names = ask.map(({ name }) => `"${name}"`).join(", ");
    notice(`without your yes these MCP servers are not passed on to the agent: ${names}`);
    return pass;
  }
}

/** The servers that are asked about before the agent has them; null where there are none. H40, H41. */
function serversAsked(
  agent: AcpAgent,
  request: Pick<AgentRequest, "cwd" | "mcpServers" | "serverSources">,
): Launch | null {
  const asked = chosenServers(agent, request.mcpServers).ask;
  if (asked.length === 0) return null;
  const workspace = realpathSync(request.cwd);
  const shown = { agent: agent.slug, workspace, "MCP servers": asked.map((one) => shownServer(agent, one, request)) };
  // Arguments that are not shown count.
  const whole = asked.map((one) => (one.transport === "stdio" ? one.args : one.url));
  const digest = sha256([canonical({ ...shown, agent: agent.id }), canonical(whole)].join("\n"));
  return { what: "servers", agent: agent.id, slug: agent.slug, workspace, shown, digest };
}

/** What it is kept from, as a person reads it. */
const sandboxWords = ({ write }: { write: readonly string[] }): string[] => [
  "can write the workspace and a temporary folder of its own",
  ...write.map((path) => `can write ${path}`),
  "can read everything but keys and what is Troupe's own",
  "can use the network",
];

function grantsOf({ files, terminal, auth }: AcpAgent): string[] {
  return [
    files === "none"
      ? "no files"
      : files === "read"
        ? "read files of the workspace"
        : "read files of the workspace, and write them where you agree",
    terminal ? "run commands where you agree" : "no commands",
    ...(auth === null ? [] : [`sign in by ${auth}`]),
  ];
}

function shownServer(agent: AcpAgent, server: McpServer, { serverSources }: Pick<AgentRequest, "serverSources">): Json {
  const { name } = server;
  const from = serverSources?.[name] ?? "you";
  // Where it listens is another place each time.
  if (name === TOOLS_SERVER) return { name, from: "Troupe" };
  switch (server.transport) {
    case "stdio":
      return {
        name,
        from,
        command: [server.command, ...shownArguments(server.args)],
        variables: Object.keys(server.env).toSorted(),
        ...credentials(agent, server),
      };
    case "http":
    case "sse":
      return {
        ...{ name, from, url: server.url, headers: Object.keys(server.headers).toSorted() },
        ...credentials(agent, server),
      };
    default:
      return server satisfies never;
  }
}

/** Whether it is handed what the server is reached with. */
const credentials = (agent: AcpAgent, server: McpServer): { [name: string]: Json } =>
  keepsSecrets(agent, server)
    ? { credentials: "stay with Troupe" }
    : agent.mcp?.secrets.includes(server.name) === true
      ? { credentials: "are handed to it" }
      : {};

/** An argument that is a regular file is what runs as much as the command is (I2). */
function fileOf(arg: string, cwd: string): [string, string][] {
  if (arg === "" || arg.startsWith("-") || arg.includes("\0")) return [];
  const path = resolve(cwd, arg);
  return isFile(path) ? [[path, sha256Of(path)]] : [];
}
/** A path that leads nowhere is none, whatever keeps it from leading: an argument need not be one at all. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const sha256 = (data: string): string => createHash("sha256").update(data).digest("hex");

/** Read anew where the file is not the very one that was read before. */
function sha256Of(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = fstatSync(descriptor);
    const stamp = [file, dev, ino, size, mtimeMs, ctimeMs].join(":");
    const known = hashes.get(stamp);
    if (known !== undefined) return known;
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      hash.update(chunk.subarray(0, read));
    const digest = hash.digest("hex");
    hashes.set(stamp, digest);
    return digest;
  } finally {
    closeSync(descriptor);
  }
}

/** JSON with the fields of every object in one order (I1). */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`).join(",")}}`;
}
