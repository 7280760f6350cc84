/**
 * `.troupe/agents.yaml` of a project: agents that it proposes, and what it makes stricter. H6.
 *
 * I1. Nothing in it ever starts or allows anything: a proposal is data until its user takes it into their own file, and
 *     all else only takes away.
 * I2. With a fault in it nothing of it is used, and no agent works there: what it takes away would be lost.
 * I3. A proposed command is a full path, `~/…` or a name for PATH; it never leads from the project's folder.
 */
import { join } from "node:path";
import type { z } from "zod";
import type { Json } from "../../../machines/model.ts";
import { isProvider } from "../../../machines/workflow/providers.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { conform } from "../../../machines/workflow/schema/conform.ts";
import { isYes } from "../../../machines/workflow/schema/fields.ts";
import { child, type Located } from "../../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";
import type { NewAgent } from "../../api/agents.ts";
import { readText } from "../../base/read-text.ts";
import { lstatAt } from "../../base/stat-at.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { faultText } from "../config.ts";
import { type PermissionRules, permissionRules } from "../permissions.ts";
import type { SecretRef } from "../settings.ts";
import { fault } from "../values.ts";
import { SLUG, SLUG_FORM } from "./entry.ts";
import * as schema from "./project-schema.ts";

export const PROJECT_FILE = join(".troupe", "agents.yaml");
const VERSION = 1;

export type Proposal = {
  slug: string;
  name: string | null;
  /** What the project says that it is for. */
  why: string | null;
  runs: { by: "preset"; preset: string } | { by: "command"; command: string; args: string[] };
  env: NonNullable<NewAgent["env"]>;
  files: "none" | "read" | "write";
  terminal: boolean;
  sandbox: "none" | "workspace";
  auth: string | null;
  mcpServers: string[];
};
/** What a project takes away from an agent of the user; what it does not name stays. */
export type Restriction = {
  files?: Proposal["files"];
  terminal?: boolean;
  sandbox?: "workspace";
  mcpServers?: string[];
};
export type ProjectAgents = {
  file: string;
  proposals: Proposal[];
  /** By slug. */
  restricted: { [slug: string]: Restriction };
  /** Of all agents there: only what denies or asks. */
  permissions: PermissionRules | null;
};

/** What the file of a folder says; null where there is none. Throws USER.CONFIG.INVALID with every fault (I2). */
export function projectAgents(cwd: string): ProjectAgents | null {
  const file = join(cwd, PROJECT_FILE);
  if (lstatAt(file) === undefined) return null;
  const source = textOf(file);
  const report = new Report(source, false);
  const read = parse(source, file, report);
  const findings = report.findings();
  if (read !== null && findings.length === 0) return read;
  const { line = 1, column = 1 } = findings[0] ?? {};
  const told = findings.map((finding) => faultText(finding, file)).join("\n");
  throw new TroupeError("USER.CONFIG.INVALID", told, { file, line, column });
}

function textOf(file: string): string {
  try {
    return readText(file).text;
  } catch (error) {
    throw new TroupeError("USER.CONFIG.INVALID", (error as Error).message, { file }, error);
  }
}

function parse(source: string, file: string, report: Report): ProjectAgents | null {
  const { root, faults } = readYaml(source);
  for (const { range, ...one } of faults) report.add({ ...one, path: [], on: range, loads: false });
  if (root === null) return null;
  report.root = root;
  const fields = Object.keys(schema.headFields);
  conform(schema.head, (root.value ?? {}) as Json, { report, path: [], what: "a project's agents.yaml", fields });
  const version = child(root, "version")?.value;
  if (version !== VERSION) fault(report, "this version is not known here", `version: ${VERSION}`, ["version"]);
  const at = (name: string): Located | undefined => child(root, name);
  const proposals = (at("propose")?.items ?? []).flatMap((one, index) => proposalAt(one, index, report) ?? []);
  const twice = proposals.find(({ slug }, index) => proposals.findIndex((one) => one.slug === slug) < index);
  if (twice !== undefined) fault(report, `"${twice.slug}" is proposed twice`, "one proposal of a name", ["propose"]);
  return {
    file,
    proposals,
    restricted: Object.fromEntries(
      [...(at("restrict")?.entries ?? [])].map(([slug, { value }]) => [slug, restrictionOf(slug, value.value, report)]),
    ),
    permissions: rulesOf(at("permissions"), report),
  };
}

function rulesOf(at: Located | undefined, report: Report): PermissionRules | null {
  if (at === undefined) return null;
  const place = { report, path: ["permissions"], what: "permissions", fields: Object.keys(schema.permissionFields) };
  const given = conform(schema.permissions, at.value as Json, place);
  // Where it says nothing, all that the user allows is let through.
  return given && { ...permissionRules({ ...given, allow: [], remember: null }), default: given.default ?? "allow" };
}

function restrictionOf(slug: string, value: unknown, report: Report): Restriction {
  const place = { report, path: ["restrict", slug], what: `"${slug}"`, fields: Object.keys(schema.restrictedFields) };
  const data = conform(schema.restricted, value as Json, place);
  return {
    ...(data?.files ? { files: data.files } : {}),
    ...(data?.terminal === false ? { terminal: false } : {}),
    ...(data?.sandbox ? { sandbox: data.sandbox } : {}),
    ...(data?.mcp_servers ? { mcpServers: data.mcp_servers.map(String) } : {}),
  };
}

function proposalAt({ value }: Located, index: number, report: Report): Proposal | null {
  const path = ["propose", index];
  const place = { report, path, what: "a proposal", fields: Object.keys(schema.proposalFields) };
  const data = conform(schema.proposal, value as Json, place);
  if (data === null) return null;
  const slug = String(data.slug);
  if (!SLUG.test(slug) || isProvider(slug)) fault(report, `"${slug}" is no slug`, SLUG_FORM, [...path, "slug"]);
  const runs = runsOf(data);
  if (typeof runs === "string") {
    fault(report, runs, "preset: a known agent, or command: a full path or a name", path);
    return null;
  }
  const text = (given: unknown): string | null => (given === undefined || given === null ? null : String(given));
  return {
    ...{ slug, runs, name: text(data.name), why: text(data.why), auth: text(data.auth) },
    env: Object.fromEntries(Object.entries(data.env ?? {}).map(([name, one]) => [name, writtenValue(one)])),
    files: data.files ?? "none",
    terminal: isYes(data.terminal),
    sandbox: data.sandbox ?? "none",
    mcpServers: (data.mcp_servers ?? []).map(String),
  };
}

const writtenValue = (
  given: string | number | boolean | { from_env: string | number | boolean } | { secret_ref: SecretRef },
): Proposal["env"][string] => {
  if (typeof given !== "object") return String(given);
  return "from_env" in given ? { from_env: String(given.from_env) } : given;
};

/** What would run, or what is wrong with it (I3). */
function runsOf({ preset, command, args }: z.output<typeof schema.proposal>): Proposal["runs"] | string {
  if (preset != null && command == null && args == null) return { by: "preset", preset: String(preset) };
  if (command == null || preset != null) return "a proposal names either a preset or a command";
  const name = String(command);
  if (name.includes("/") && !/^(?:\/|~\/)/.test(name)) return `"${name}" leads from the project's folder`;
  return { by: "command", command: name, args: (args ?? []).map(String) };
}
