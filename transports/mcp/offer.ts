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

/** `broken`: would be tools if they could be run. */
export type McpOffer = {
  isTrusted: boolean;
  workflows: readonly WorkflowSummary[];
  broken: readonly WorkflowSummary[];
};

export async function offer({ troupe, cwd, settings }: McpServed): Promise<McpOffer> {
  if (!(await troupe.isTrusted(cwd))) return { isTrusted: false, workflows: [], broken: [] };
  const found = (await troupe.list(cwd)).filter((one) => one.mcp?.expose !== false && isAllowed(one.id, settings));
  return {
    isTrusted: true,
    workflows: found.filter(({ fault }) => fault === null),
    broken: found.filter(({ fault }) => fault !== null),
  };
}

/** The one that a tool's name stands for. */
export const byToolName = (workflows: readonly WorkflowSummary[], name: string): WorkflowSummary | undefined =>
  workflows.find((one) => workflowTool(one)?.name === name);

/** What is wrong with a file, for who calls its workflow all the same. */
export const brokenWords = ({ id, fault }: WorkflowSummary): string =>
  `the workflow ${id} cannot be run until its file is mended: ${fault?.message}`;

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
