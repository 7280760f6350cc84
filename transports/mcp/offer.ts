/**
 * Which workflows are tools now.
 *
 * I1. None, unless the user has trusted the directory. Nothing here asks for trust, or gives it.
 * I2. A file that cannot be run, that says `expose: false`, or that the settings leave out, is no tool and is not started.
 */
import type { WorkflowSummary } from "../../actors/troupe.ts";
import { workflowTool } from "../../projections/mcp/tool.ts";
import type { McpServed } from "./served.ts";
import { isAllowed } from "./settings.ts";

export type McpOffer = { isTrusted: boolean; workflows: readonly WorkflowSummary[] };

export async function offer({ troupe, cwd, settings }: McpServed): Promise<McpOffer> {
  if (!(await troupe.isTrusted(cwd))) return { isTrusted: false, workflows: [] };
  const found = await troupe.list(cwd);
  const workflows = found.filter(
    (one) => one.fault === null && one.mcp?.expose !== false && isAllowed(one.id, settings),
  );
  return { isTrusted: true, workflows };
}

/** The one that a tool's name stands for. */
export const byToolName = ({ workflows }: McpOffer, name: string): WorkflowSummary | undefined =>
  workflows.find((one) => workflowTool(one)?.name === name);

export const untrusted = (cwd: string): string =>
  `${cwd} is not trusted, so none of its workflows is a tool. The user gives trust, in a terminal there: read the workflows, then run troupe trust add.`;

/** What a host learns of the server as a whole. */
export function instructionsOf({ isTrusted }: McpOffer, { cwd, settings }: McpServed): string {
  if (!isTrusted) return untrusted(cwd);
  const { groups, waitMs, allowDecide } = settings;
  const runs = groups.includes("runs");
  return [
    `Each workflow of ${cwd} is a tool; a call starts a run of it.`,
    `A run that takes longer than ${waitMs / 1000} s continues, and the call answers with its id${runs ? ": troupe_run_wait waits for it" : ""}.`,
    ...(runs
      ? [
          "A run that waits for an answer gets the user's words by troupe_run_answer: ask the user, do not make them up.",
        ]
      : []),
    ...(allowDecide ? [] : ["Permissions are decided by a person, never by the model."]),
  ].join(" ");
}
