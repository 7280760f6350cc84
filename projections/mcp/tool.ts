/**
 * A workflow as a tool of an MCP host.
 *
 * I1. Its name is the workflow's, coded so that both ways round-trip; a workflow whose coded name is too long is no tool.
 * I2. What a call answers has one shape, whether the run has ended or not: `outputs` is there once it has completed.
 */
import type { Tool } from "@modelcontextprotocol/server";
import { encodeMcpName } from "../../machines/prompt/mcp-name.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Input } from "../../machines/workflow/document.ts";
import { inputSchema, secretInputs, secretVariable } from "./input-schema.ts";

export type ListedWorkflow = {
  id: string;
  description: string;
  inputs: readonly Input[];
  outputs?: readonly string[];
};

/** What a run may do is the workflow's: nothing can be promised of it. */
const ANNOTATIONS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
export const RUN_STATUSES = [
  "running",
  "waiting",
  "interrupted",
  "parked",
  "completed",
  "failed",
  "cancelled",
  "skipped",
] as const;

/** Null: it has no name that a host could call (I1). */
export function workflowTool(workflow: ListedWorkflow): Tool | null {
  const name = encodeMcpName(workflow.id);
  if (name === null) return null;
  const { outputs = [] } = workflow;
  return {
    name,
    title: visibleLine(workflow.id),
    description: descriptionOf(workflow),
    inputSchema: inputSchema(workflow.inputs),
    ...(outputs.length === 0 ? {} : { outputSchema: outputSchema(outputs) }),
    annotations: { title: visibleLine(workflow.id), ...ANNOTATIONS },
  };
}

function descriptionOf({ id, description, inputs }: ListedWorkflow): string {
  const variables = secretInputs(inputs).map(({ name }) => secretVariable(name));
  const what = visibleLine(description) || `Runs the workflow ${visibleLine(id)}`;
  return variables.length === 0
    ? what
    : `${what} (secrets come from the server's environment: ${variables.join(", ")})`;
}

function outputSchema(outputs: readonly string[]): NonNullable<Tool["outputSchema"]> {
  return {
    type: "object",
    properties: {
      run: { type: "string", description: "Names the run in other calls." },
      workflow: { type: "string" },
      status: { type: "string", enum: [...RUN_STATUSES] },
      outputs: { type: "object", properties: Object.fromEntries(outputs.map((name) => [name, {}])) },
    },
    required: ["run", "workflow", "status"],
  };
}
