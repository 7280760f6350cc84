/**
 * What `troupe doctor` finds on this machine and in one folder, and the one thing to do next.
 *
 * I1. Nothing is changed, no store is made, no agent and no server is started, no prompt is sent, no network is used.
 * I2. Each part is looked at, whatever the others say.
 */
import { existsSync } from "node:fs";
import type { Finding } from "../../../machines/workflow/finding.ts";
import type { OwnedAgent } from "../../api/agents.ts";
import type { Check, Checkup } from "../../api/checkup.ts";
import type { WorkflowSummary } from "../../api/records.ts";
import type { Environment } from "../../base/user-folders.ts";
import { unreadFolder } from "../../catalogue/folder.ts";
import { type Config, readConfig } from "../../config/config.ts";
import { lackText } from "../../config/lacking-servers.ts";
import { TroupeError, troupeError } from "../../errors/troupe-error.ts";
import { placeOf } from "../../preflight/installed.ts";
import { checkOwned, checkPrograms } from "./check-agents.ts";
import { checkStore } from "./check-store.ts";
import { checkSystem } from "./check-system.ts";

export type Looked = {
  environment: Environment;
  /** What can be run in the folder, and what a listing leaves out. */
  workflows: () => Promise<{ found: WorkflowSummary[]; warnings: string[] }>;
  /** What `troupe validate` finds in one of them. */
  findings: (id: string) => Promise<readonly Pick<Finding, "code" | "severity">[]>;
  owned: () => Promise<{ agents: OwnedAgent[] }>;
};

export async function checkup({ environment, workflows, findings, owned }: Looked): Promise<Checkup> {
  const [system, programs, own] = await Promise.all([
    checkSystem(environment),
    checkPrograms(environment),
    // A fault of the configuration is reported by its own check.
    owned().then(
      ({ agents }) => checkOwned(agents),
      (): Check[] => [],
    ),
  ]);
  const configured = checkConfiguration(environment);
  const checks = [
    ...system,
    configured.check,
    ...programs,
    ...own,
    ...checkServers(configured.config, environment),
    checkStore(environment),
    await checkWorkflows({ workflows, findings }).catch(unreadWorkflows),
  ];
  return { ok: !checks.some(({ state }) => state === "fault"), checks, next: nextOf(checks) };
}

/** What is done first: what nothing works without, then a workflow, then an agent, then a run. Pure. */
export function nextOf(checks: readonly Check[]): string {
  const asks = (state: Check["state"], ...areas: Check["area"][]): string | undefined =>
    checks.find(
      (check) => check.state === state && check.next !== null && (areas.length === 0 || areas.includes(check.area)),
    )?.next ?? undefined;
  const agents = checks.filter(({ area }) => area === "agents");
  const works = agents.some(({ state, facts }) => state !== "absent" && facts["signIn"] !== "no");
  return (
    asks("fault") ??
    asks("warning", "configuration", "store", "workflows") ??
    (works ? undefined : asks("warning", "agents")) ??
    asks("good", "workflows") ??
    "troupe list"
  );
}

function checkConfiguration(environment: Environment): { check: Check; config: Config | null } {
  const check = { area: "configuration", name: "configuration" } as const;
  try {
    const config = readConfig(environment);
    return {
      check: {
        ...check,
        state: "good",
        says: existsSync(config.file) ? config.file : `no ${config.file}: as it comes`,
        next: null,
        facts: { file: config.file },
      },
      config,
    };
  } catch (error) {
    const says = (error as Error).message;
    const next = `mend ${error instanceof TroupeError ? String(error.details["file"] ?? "it") : "it"}`;
    return { check: { ...check, state: "warning", says, next, facts: {} }, config: null };
  }
}

/** A server is looked for, never started and never called. */
function checkServers(config: Config | null, environment: Environment): Check[] {
  const lacking = (config?.lackingServers ?? []).map((one): Check => {
    const { server, variables } = one;
    const next = `set ${variables.map(({ variable }) => variable).join(", ")}, or take ${server.name} out of ${config?.file}`;
    const facts = { transport: server.transport, lacking: variables.map(({ variable }) => variable) };
    return { area: "servers", name: server.name, state: "warning", says: lackText(one), next, facts };
  });
  const there = (config?.mcpServers ?? []).map((server): Check => {
    const check = { area: "servers", name: server.name } as const;
    if (server.transport !== "stdio") {
      const says = `${server.url} (${server.transport}); not called`;
      return { ...check, state: "good", says, next: null, facts: { transport: server.transport, url: server.url } };
    }
    const place = placeOf(server.command, server.env["PATH"] ?? environment["PATH"]);
    const facts = { transport: server.transport, command: server.command };
    if (place === "nowhere") {
      const says = `there is no program "${server.command}"`;
      return {
        ...check,
        state: "warning",
        says,
        next: `install ${server.command}, or take ${server.name} out of ${config?.file}`,
        facts,
      };
    }
    const says = `${typeof place === "string" ? server.command : place.path}; not started`;
    return { ...check, state: "good", says, next: null, facts };
  });
  return [...there, ...lacking];
}

/** A folder that may not be read ends `list` and `run` as well. */
function unreadWorkflows(error: unknown): Check {
  const { code, message } = troupeError(error);
  const next = `troupe error ${code}`;
  return { area: "workflows", name: "workflows", state: "fault", says: message, next, facts: { code } };
}

/** So many are looked at for one that lacks nothing. */
const MOST_TRIED = 12;
/** The first that lacks nothing here, such as an agent's program or a model; without one, what says what the first lacks. */
async function proposal(found: readonly [WorkflowSummary, ...WorkflowSummary[]], findings: Looked["findings"]) {
  for (const { id } of found.slice(0, MOST_TRIED)) {
    const isLacking = ({ code, severity }: Pick<Finding, "code" | "severity">): boolean =>
      severity === "error" || !code.startsWith("WORKFLOW.");
    if (!(await findings(id)).some(isLacking)) return `troupe run ${id} --dry-run`;
  }
  return `troupe validate ${found[0].id}`;
}

async function checkWorkflows({ workflows, findings }: Pick<Looked, "workflows" | "findings">): Promise<Check> {
  const check = { area: "workflows", name: "workflows" } as const;
  const { found, warnings } = await workflows();
  const unread = warnings.filter((warning) => unreadFolder(warning) !== null);
  const broken = found.filter(({ fault }) => fault !== null);
  const facts = { found: found.length, broken: broken.map(({ id }) => id) };
  const [first, ...others] = found.filter(({ fault }) => fault === null);
  if (broken.length > 0)
    return {
      ...check,
      state: "warning",
      says: `${broken.length} of ${found.length} cannot be run`,
      next: "troupe validate",
      facts,
    };
  if (unread.length > 0) {
    const next = "troupe error SYSTEM.IO.PERMISSION_DENIED";
    return { ...check, state: first === undefined ? "fault" : "warning", says: unread.join("; "), next, facts };
  }
  if (first === undefined)
    return { ...check, state: "warning", says: "none in this folder", next: "troupe init", facts };
  return {
    ...check,
    state: "good",
    says: `${found.length} can be run here`,
    next: await proposal([first, ...others], findings),
    facts,
  };
}
