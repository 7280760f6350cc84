/** All checks that need the whole document. */
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { child } from "../yaml/located.ts";
import { checkAgents, type Plugins } from "./agents.ts";
import { checkDefaults } from "./defaults.ts";
import { checkDepends } from "./depends.ts";
import { checkDescriptions } from "./descriptions.ts";
import { checkFans } from "./fans.ts";
import { flowOf } from "./flow.ts";
import { checkGraph } from "./graph.ts";
import { checkMembers } from "./members.ts";
import { checkOperations } from "./operations.ts";
import { checkOutputs } from "./outputs.ts";
import { checkPassedOver } from "./passed.ts";
import { checkProviders, type KnownAgents } from "./providers.ts";
import { checkReferences } from "./references.ts";
import { checkSkips } from "./skips.ts";
import { checkStarts } from "./starts.ts";
import { checkTexts } from "./texts.ts";
import { toleratedSteps } from "./tolerated.ts";
import { checkTrees } from "./trees.ts";
import { checkUnread } from "./unread.ts";

/** What an installation and its user's configuration are known to have. */
export type Known = KnownAgents & {
  /** Plugins and MCP servers by name with their operations, where these are known. */
  plugins?: Plugins;
  /** The operations of this installation itself, by plugin; undefined: those that steps name are not checked. */
  operations?: { readonly [plugin: string]: readonly string[] };
};

export function checkWorkflow(workflow: Workflow, report: Report, known: Known): void {
  const { plugins = {}, operations } = known;
  const repairs = checkReferences(workflow, report);
  const flow = flowOf(workflow, repairs, report.unsure);
  checkMembers(workflow, report);
  checkGraph(workflow, flow, report);
  checkTexts(workflow, flow, report);
  checkAgents(workflow, flow, report, { plugins, operations: operations ?? {} });
  checkDefaults(workflow, report);
  checkDescriptions(workflow, report);
  checkOutputs(workflow, report);
  checkSkips(workflow, report);
  checkPassedOver(workflow, report);
  checkFans(workflow, report);
  checkDepends(workflow, flow, report);
  checkTrees(workflow, flow, report);
  checkStarts(workflow, report);
  checkUnread(workflow, report);
  const tolerated = toleratedSteps(workflow);
  const refuses = (name: string): boolean => flow.reached.has(name) && !tolerated.has(name);
  checkProviders(workflow, report, known, refuses);
  if (operations === undefined) return;
  const servers = child(report.root, "mcp_servers");
  // What they are is not known: that they cannot be read is the one cause.
  if (servers !== undefined && !servers.entries) return;
  const named = [child(report.root, "plugins"), servers].flatMap((field) => [...(field?.entries?.keys() ?? [])]);
  checkOperations(workflow, report, { operations, servers: [...Object.keys(plugins), ...named] }, refuses);
}
