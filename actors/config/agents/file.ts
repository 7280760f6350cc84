/**
 * `agents.yaml`: the agents that a person owns, beside `config.yaml`. It is written by `troupe agents` and by hand.
 *
 * I1. An agent has an id that never changes, and a slug by which workflows and people name it. Two of one id, or of one
 *     slug, are a fault. A slug that an agent had before names it until another agent takes it.
 * I2. A version or a field that is not known is a fault; such a file is neither used nor written.
 * I3. An agent that was removed leaves its id and slug, so that what it said differs from an agent that never was.
 */
import { z } from "zod";
import type { Json } from "../../../machines/model.ts";
import type { Finding } from "../../../machines/workflow/finding.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { conform } from "../../../machines/workflow/schema/conform.ts";
import { flag, isYes, list, opt, record, text } from "../../../machines/workflow/schema/fields.ts";
import { child, type Located } from "../../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";
import { acpAgentFields } from "../schema.ts";
import type { AcpAgent, RemovedAgent } from "../settings.ts";
import { fault } from "../values.ts";
import { agentFrom, type EntryContext, SLUG, SLUG_FORM } from "./entry.ts";
import { literalWarnings } from "./warnings.ts";

export const AGENTS_VERSION = 1;

const identity = {
  id: text().describe("Given once, never changed: sessions, answers and consent are kept under it."),
  slug: text().describe("The name in workflows and on the command line."),
};
export const ownedFields = {
  ...identity,
  name: opt(text()).describe("What people call it; the slug by default."),
  formerly: opt(list(text(), "a list of slugs")).describe("Slugs that it had before, which still name it."),
  preset: opt(text()).describe("The preset it was made from, with its version."),
  enabled: opt(flag()).describe("false: it is kept, and not started."),
  ...acpAgentFields,
};
const owned = z.strictObject(ownedFields, { error: "a map with id, slug and command" });
const removedFields = { ...identity, name: opt(text()), at: opt(text()), formerly: ownedFields.formerly };
const removed = z.strictObject(removedFields, { error: "a map with id and slug" });
const headFields = {
  version: opt(z.unknown()),
  agents: opt(list(record(), "a list of agents")),
  removed: opt(z.array(z.unknown(), { error: "a list of agents" })),
};
const head = z.strictObject(headFields, { error: "a map with version and agents" });

export type AgentsFile = { agents: AcpAgent[]; removed: RemovedAgent[]; warnings: Finding[] };
export type ReadAgents = { read: AgentsFile | null; findings: Finding[] };

/** The agents of a text, or null and what is wrong with it. Pure. */
export function parseAgents(source: string, context: Omit<EntryContext, "report">): ReadAgents {
  const report = new Report(source, false);
  const { root, faults } = readYaml(source);
  for (const { range, ...one } of faults) report.add({ ...one, path: [], on: range, loads: false });
  if (root === null) return { read: null, findings: report.findings() };
  report.root = root;
  const warned = new Report(source, false);
  warned.root = root;
  const place: EntryContext = { ...context, report };
  const fields = Object.keys(headFields);
  if (root.value !== null) conform(head, root.value, { report, path: [], what: "agents.yaml", fields });
  const version = child(root, "version")?.value;
  if (root.entries !== undefined && version !== AGENTS_VERSION) {
    const expected = `version: ${AGENTS_VERSION}`;
    if (version === undefined) fault(report, "the file says no version", expected, []);
    else fault(report, `version ${JSON.stringify(version)} is not known here`, expected, ["version"]);
  }
  const agents = (child(root, "agents")?.items ?? []).flatMap((at, index) => agentAt(at, index, place) ?? []);
  const gone = (child(root, "removed")?.items ?? []).flatMap((at, index) => removedAt(at, index, place) ?? []);
  single(agents, report);
  for (const [index, agent] of agents.entries())
    literalWarnings(agent, child(root, "agents")?.items?.[index], ["agents", index], warned);
  const findings = report.findings();
  const read = { agents, removed: gone, warnings: warned.findings() };
  return { read: findings.length === 0 ? read : null, findings };
}

function agentAt({ value }: Located, index: number, place: EntryContext): AcpAgent | null {
  const path = ["agents", index];
  const data = conform(owned, value as Json, {
    report: place.report,
    path,
    what: "an agent",
    fields: Object.keys(ownedFields),
  });
  if (data === null) return null;
  const slug = String(data.slug);
  if (!SLUG.test(slug)) {
    fault(place.report, `"${slug}" is no slug`, SLUG_FORM, [...path, "slug"]);
    return null;
  }
  const known = {
    id: String(data.id),
    slug,
    name: String(data.name ?? slug),
    formerly: (data.formerly ?? []).map(String),
    enabled: data.enabled === undefined || data.enabled === null || isYes(data.enabled),
    preset: data.preset === undefined || data.preset === null ? null : String(data.preset),
  };
  return agentFrom(known, data, path, place);
}

function removedAt({ value }: Located, index: number, { report }: EntryContext): RemovedAgent | null {
  const path = ["removed", index];
  const data = conform(removed, value as Json, {
    report,
    path,
    what: "a removed agent",
    fields: Object.keys(removedFields),
  });
  return (
    data && {
      id: String(data.id),
      slug: String(data.slug),
      name: String(data.name ?? data.slug),
      at: String(data.at ?? ""),
      ...(data.formerly ? { formerly: data.formerly.map(String) } : {}),
    }
  );
}

/** I1. */
function single(agents: readonly AcpAgent[], report: Report): void {
  const seen = { id: new Set<string>(), slug: new Set<string>() };
  for (const [index, agent] of agents.entries()) {
    for (const field of ["id", "slug"] as const) {
      const value = agent[field];
      if (seen[field].has(value))
        fault(report, `two agents have the ${field} "${value}"`, `another ${field}`, ["agents", index, field]);
      seen[field].add(value);
    }
  }
}
