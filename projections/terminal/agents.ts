/** A person's agents on the terminal: a table of them, the known ones, one of them whole. */
import { type Paint, paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { card, type TableOptions, table } from "./tables.ts";

export type AgentView = {
  id: string;
  slug: string;
  name: string;
  formerly: readonly string[];
  preset: string | null;
  file: string;
  command: string;
  path: string | null;
  args: readonly string[];
  env: readonly string[];
  cwd: string | null;
  files: string;
  sandbox: string;
  terminal: boolean;
  auth: string | null;
  mcpServers: readonly string[];
  limits: { agentMs?: number; startMs?: number };
  state: string;
  why?: string;
};
export type PresetView = { id: string; name: string; version: string; package: string; program: string | null };

/** As a person could type it: what a shell would read otherwise is quoted. */
const words = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? safeLine(word) : safeLine(JSON.stringify(word)))).join(" ");

const stateOf = ({ state }: AgentView, paints: Paint): string =>
  state === "ready"
    ? paints.green(state)
    : state === "disabled"
      ? paints.dim(state)
      : (state === "needs approval" ? paints.yellow : paints.red)(state);

export function agentsTable(agents: readonly AgentView[], { colours, columns }: TableOptions): string[] {
  const paints = paint(colours);
  const rows = agents.map((agent) => [
    safeLine(agent.slug),
    safeLine(agent.name),
    stateOf(agent, paints),
    words([agent.command, ...agent.args]),
  ]);
  return table(["AGENT", "NAME", "STATE", "COMMAND"], rows, paints, columns);
}

export function presetsTable(presets: readonly PresetView[], { colours, columns }: TableOptions): string[] {
  const rows = presets.map((preset) => [preset.id, preset.name, preset.version, preset.package, preset.program ?? ""]);
  return table(["PRESET", "NAME", "VERSION", "PACKAGE", "PROGRAM"], rows, paint(colours), columns);
}

export function agentCard(agent: AgentView, { colours }: TableOptions): string[] {
  const paints = paint(colours);
  const fields: [string, string][] = [
    ["agent", safeLine(agent.slug)],
    ["name", safeLine(agent.name)],
    ["id", safeLine(agent.id)],
    ["formerly", safeLine(agent.formerly.join(", "))],
    ["preset", safeLine(agent.preset ?? "")],
    ["state", stateOf(agent, paints)],
    ["why", safeLine(agent.why ?? "")],
    ["file", safeLine(agent.file)],
    ["command", words([agent.command, ...agent.args])],
    ["program", safeLine(agent.path ?? "")],
    ["variables", safeLine(agent.env.join(", "))],
    ["runs in", safeLine(agent.cwd ?? "the run's folder")],
    ["files", agent.files],
    ["sandbox", agent.sandbox],
    ["commands", agent.terminal ? "yes" : "no"],
    ["sign-in", safeLine(agent.auth ?? "")],
    ["servers", safeLine(agent.mcpServers.join(", "))],
  ];
  return card(fields, { colours });
}

export type HealthView = { agent: string; program: string | null; sha256: string | null } & (
  | { ok: false; why: string }
  | {
      ok: true;
      name: string;
      version: string;
      protocolVersion: number;
      capabilities: object;
      signIn: string;
      methods: readonly string[];
      knownFaults: readonly string[];
    }
);

export function healthCard(health: HealthView, { colours }: TableOptions): string[] {
  const { red, green } = paint(colours);
  const found: [string, string][] = [
    ["agent", safeLine(health.agent)],
    ["program", safeLine(health.program ?? "")],
    ["sha256", health.sha256 ?? ""],
  ];
  if (!health.ok) return card([...found, ["starts", red(`no: ${safeLine(health.why)}`)]], { colours });
  return card(
    [
      ...found,
      ["starts", green("yes")],
      ["says", safeLine(`${health.name} ${health.version}`.trim())],
      ["protocol", String(health.protocolVersion)],
      ["can", safeLine(JSON.stringify(health.capabilities))],
      ["sign-in", safeLine(health.signIn)],
      ["methods", safeLine(health.methods.join(", "))],
      ...health.knownFaults.map((fault): [string, string] => ["known", red(safeLine(fault))]),
    ],
    { colours },
  );
}
