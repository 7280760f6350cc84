/** From the file's values to the configuration. Faults go to the report; what has one is left out. */
import type { z } from "zod";
import { serverOf } from "../../machines/mcp/entry.ts";
import type { Json } from "../../machines/model.ts";
import { budgetOf } from "../../machines/workflow/lower/budget.ts";
import { conform } from "../../machines/workflow/schema/conform.ts";
import { isYes } from "../../machines/workflow/schema/fields.ts";
import type { Path } from "../../machines/workflow/texts.ts";
import { child, type Located } from "../../machines/workflow/yaml/located.ts";
import type { Limits } from "../base/limits.ts";
import { LIMITS } from "../base/limits.ts";
import { agentFrom, SLUG, SLUG_FORM } from "./agents/entry.ts";
import { serverNames } from "./lacking-servers.ts";
import { modelsOf } from "./models.ts";
import { permissionFields, permissionRules, permissions } from "./permissions.ts";
import { retentionFrom } from "./retention.ts";
import * as schema from "./schema.ts";
import type { AcpAgent, Config, LackingServer } from "./settings.ts";
import { type ConfigContext, fault, resolved } from "./values.ts";

/** `owned`: the names of agents that stand in a file of their own; null where that cannot be read. */
export function lowerConfig(root: Located, place: ConfigContext, owned: () => readonly string[] | null): Config {
  const section = <T extends z.ZodType>(type: T, at: Located | undefined, path: Path, fields: object) =>
    at === undefined
      ? null
      : conform(type, at.value, { report: place.report, path, what: path.join("."), fields: Object.keys(fields) });
  if (root.value !== null) {
    const fields = Object.keys(schema.configFields);
    conform(schema.configHead, root.value, { report: place.report, path: [], what: "the configuration", fields });
  }
  const agents = child(root, "agents");
  section(schema.agents, agents, ["agents"], schema.agentsFields);
  const editor = section(schema.editor, child(root, "editor"), ["editor"], schema.editorFields);
  const worktrees = section(schema.worktrees, child(root, "worktrees"), ["worktrees"], schema.worktreesFields);
  const limits = section(schema.limits, child(root, "limits"), ["limits"], schema.limitFields);
  const retention = section(schema.retention, child(root, "retention"), ["retention"], schema.retentionFields);
  const budget = section(schema.budget, child(root, "budget"), ["budget"], schema.budgetFields);
  const prices = section(schema.prices, child(root, "prices"), ["prices"], {});
  const servers = serversOf(child(root, "mcp_servers"), place);
  const known = serverNames(servers);
  const acpAgents = acpAgentsOf(child(agents, "acp"), known, place);
  return {
    file: place.file,
    acpAgents,
    removedAgents: [],
    ...servers,
    permissions: permissionRules(
      section(permissions, child(root, "permissions"), ["permissions"], permissionFields) ?? null,
    ),
    editor: { write: isYes(editor?.write), terminal: isYes(editor?.terminal) },
    ...(worktrees?.dir ? { worktreesDir: worktrees.dir } : {}),
    models: modelsOf(child(root, "models"), { agents: Object.keys(acpAgents), owned }, place.report),
    retention: retentionFrom(retention),
    ...budgetOf(budget),
    ...(prices ? { prices } : {}),
    limits: limitsFrom(limits as { [name: string]: number | null } | null),
  };
}

function limitsFrom(given: { [name: string]: number | null } | null): Partial<Limits> {
  const names = Object.keys(LIMITS) as (keyof Limits)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given?.[schema.limitName(name)];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** Entries of a map whose names are in order; `entry` makes one of the checked fields. */
function entriesOf<T extends z.ZodType, R>(
  at: Located | undefined,
  o: { above: string[]; what: string; type: T; fields: object; place: ConfigContext },
  entry: (name: string, data: z.output<T>, path: Path) => R | null,
): R[] {
  const { report } = o.place;
  return [...(at?.entries ?? [])].flatMap(([name, { value }]) => {
    const path = [...o.above, name];
    if (!SLUG.test(name)) {
      const expected = SLUG_FORM;
      const message = `"${name}" is no name for ${o.what}`;
      report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected, path, on: "key", loads: false });
      return [];
    }
    const what = `${o.what} "${name}"`;
    const data = conform(o.type, value.value as Json, { report, path, what, fields: Object.keys(o.fields) });
    const made = data === null ? null : entry(name, data, path);
    return made === null ? [] : [made];
  });
}

function serversOf(at: Located | undefined, place: ConfigContext): Pick<Config, "mcpServers" | "lackingServers"> {
  const o = { above: ["mcp_servers"], what: "server", type: schema.userServer, fields: schema.userServerFields, place };
  const lackingServers: LackingServer[] = [];
  const mcpServers = entriesOf(at, o, (name, data, path) => {
    const unset: { name: string; variable: string }[] = [];
    const note = (of: string, variable: string): void => void unset.push({ name: of, variable });
    const env = resolved(data.env, [...path, "env"], place, note);
    const headers = resolved(data.headers, [...path, "headers"], place, note);
    const entered = serverOf(name, { ...data, env, headers });
    if (!entered.ok) {
      const { message, expected } = entered;
      fault(place.report, `server "${name}": ${message}`, expected, path);
      return null;
    }
    const [first, ...more] = unset;
    if (first === undefined) return entered.server;
    lackingServers.push({ server: entered.server, variables: [first, ...more] });
    return null;
  });
  return lackingServers.length === 0 ? { mcpServers } : { mcpServers, lackingServers };
}

function acpAgentsOf(at: Located | undefined, servers: string[], place: ConfigContext): Config["acpAgents"] {
  const o = { above: ["agents", "acp"], what: "agent", type: schema.acpAgent, fields: schema.acpAgentFields, place };
  const agents = entriesOf(at, o, (slug, data, path): AcpAgent | null => {
    const known = { id: slug, slug, name: slug, formerly: [], enabled: true, preset: null };
    return agentFrom(known, data, path, { ...place, servers });
  });
  return Object.fromEntries(agents.map((agent) => [agent.slug, agent]));
}
