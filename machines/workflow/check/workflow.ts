/** All checks that need the whole document. */
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { type AgentOptions, checkAgentOptions } from "./agent-options.ts";
import { checkAgents, type Plugins } from "./agents.ts";
import { flowOf } from "./flow.ts";
import { checkGraph } from "./graph.ts";
import { checkReferences } from "./references.ts";
import { checkTexts } from "./texts.ts";

export type Known = { plugins?: Plugins; operations?: Plugins; agentOptions?: AgentOptions };

export function checkWorkflow(workflow: Workflow, report: Report, known: Known): void {
  const { plugins = {}, operations = {}, agentOptions = {} } = known;
  const repairs = checkReferences(workflow, report);
  const flow = flowOf(workflow, repairs);
  checkGraph(workflow, flow, report);
  checkTexts(workflow, flow, report);
  checkAgents(workflow, flow, report, { plugins, operations });
  checkAgentOptions(workflow, report, agentOptions);
}
