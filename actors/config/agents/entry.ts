/** From the checked fields of an agent's entry to the agent. Faults go to the report; what has one is left out. */
import { isAbsolute, join, resolve } from "node:path";
import type { z } from "zod";
import { isProvider } from "../../../machines/workflow/providers.ts";
import { isYes } from "../../../machines/workflow/schema/fields.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import type { Path } from "../../../machines/workflow/texts.ts";
import { userFolders } from "../../base/user-folders.ts";
import type { acpAgent } from "../schema.ts";
import type { AcpAgent, ServerRules } from "../settings.ts";
import { type ConfigContext, fault, resolved, type Values } from "../values.ts";

type Fields = z.output<typeof acpAgent>;
type Known = Pick<AcpAgent, "id" | "slug" | "name" | "formerly" | "enabled" | "preset">;
export type EntryContext = ConfigContext & {
  /** The names of the servers that the user has configured. */
  servers: readonly string[];
};

/** A slug is a provider's name in a workflow, and a word on the command line. */
export const SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
export const SLUG_FORM = "letters, digits, points, hyphens and underscores";

/** Null where the slug is another provider's. A variable that is not set is a fault of the agent alone, not of the file. */
export function agentFrom(known: Known, data: Fields, path: Path, place: EntryContext): AcpAgent | null {
  const { report, file, servers } = place;
  if (isProvider(known.slug)) {
    fault(report, `"${known.slug}" is the name of a provider`, "another name", path, null, "key");
    return null;
  }
  const { passed, rules } = serversOf(data.mcp_servers);
  for (const [index, server] of passed.entries()) {
    // A server may also come from an editor or a workflow; only what looks like a slip is one.
    const meant = servers.includes(server) ? null : suggest(server, servers);
    if (meant === null) continue;
    const at = [...path, "mcp_servers", ...(Array.isArray(data.mcp_servers) ? [] : ["allow"]), index];
    fault(report, `no server "${server}" is configured`, `one of ${servers.join(", ")}`, at, meant);
  }
  const lacking: { [name: string]: string } = {};
  const note = (name: string, variable: string): void => {
    lacking[name] = variable;
  };
  const { plain, secrets } = apart(data.env);
  const env = resolved(plain, [...path, "env"], place, note);
  const { agent_ms: agentMs, start_ms: startMs } = data.limits ?? {};
  return {
    ...known,
    file,
    command: String(data.command),
    args: (data.args ?? []).map(String),
    env,
    lacking,
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    cwd: data.cwd === undefined || data.cwd === null ? null : folderOf(String(data.cwd), place),
    files: data.files ?? "none",
    terminal: isYes(data.terminal),
    sandbox:
      data.sandbox === "workspace"
        ? { kind: "workspace", write: (data.sandbox_write ?? []).map((path) => folderOf(String(path), place)) }
        : { kind: "none" },
    auth: data.auth === undefined || data.auth === null ? null : String(data.auth),
    mcpServers: passed,
    ...(rules === null ? {} : { mcp: rules }),
    ...(data.reads === undefined || data.reads === null ? {} : { reads: data.reads.map(String) }),
    limits: { ...(agentMs ? { agentMs } : {}), ...(startMs ? { startMs } : {}) },
  };
}

/** Values that stand in the store of secrets, apart from the others. */
function apart(given: Fields["env"]): { plain: Values; secrets: NonNullable<AcpAgent["secrets"]> } {
  const plain: { [name: string]: NonNullable<Values>[string] } = {};
  const secrets: NonNullable<AcpAgent["secrets"]> = {};
  for (const [name, value] of Object.entries(given ?? {}))
    if (typeof value === "object" && "secret_ref" in value) secrets[name] = value.secret_ref;
    else plain[name] = value;
  return { plain, secrets };
}

/** A list names what is passed on. */
function serversOf(given: Fields["mcp_servers"]): { passed: string[]; rules: ServerRules | null } {
  if (given === undefined || given === null || Array.isArray(given))
    return { passed: (given ?? []).map(String), rules: null };
  const names = (list: readonly unknown[] | null | undefined): string[] => (list ?? []).map(String);
  const { allow, deny, ask, forward_secrets: secrets } = given;
  return { passed: names(allow), rules: { deny: names(deny), ask: names(ask), secrets: names(secrets) } };
}

/** As a command is meant: from the home, or from the file's folder. */
function folderOf(cwd: string, { file, environment }: ConfigContext): string {
  if (cwd === "~" || cwd.startsWith("~/")) return join(userFolders(environment).home, cwd.slice(1));
  return isAbsolute(cwd) ? cwd : resolve(file, "..", cwd);
}
