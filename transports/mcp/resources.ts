/**
 * Runs, their logs and workflow files as resources.
 *
 * I1. What can be read is what the tools show: runs of the served directory, workflows that are offered.
 */
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import { shownWorkflow, TroupeError } from "../../actors/troupe.ts";
import { addressed, logUri, runUri, workflowUri } from "../../projections/mcp/uris.ts";
import { offer } from "./offer.ts";
import type { McpServed } from "./served.ts";
import { endOf, standing } from "./standing.ts";
import { logText } from "./tools/introspect.ts";
import { runsHere } from "./tools/runs.ts";

const LISTED_RUNS = 20;

export const RESOURCE_TEMPLATES = [
  {
    name: "run",
    uriTemplate: "troupe://runs/{run}",
    mimeType: "application/json",
    description: "A run and its result",
  },
  { name: "log", uriTemplate: "troupe://runs/{run}/log", mimeType: "text/plain", description: "The log of a run" },
  {
    name: "workflow",
    uriTemplate: "troupe://workflows/{name}",
    mimeType: "application/yaml",
    description: "The file of a workflow",
  },
];

export async function listResources(served: McpServed): Promise<Resource[]> {
  const { isTrusted, workflows } = await offer(served);
  if (!isTrusted) return [];
  const files = workflows
    .filter(({ file }) => file !== null)
    .map(({ id, description }) => ({
      uri: workflowUri(id),
      name: id,
      mimeType: "application/yaml",
      ...(description === "" ? {} : { description }),
    }));
  const runs = (await runsHere(served, { limit: LISTED_RUNS })).flatMap(({ id, workflow, status }) => [
    { uri: runUri(id), name: `${workflow}, ${status}`, mimeType: "application/json" },
    { uri: logUri(id), name: `${workflow}, log`, mimeType: "text/plain" },
  ]);
  return [...files, ...runs];
}

/** Throws a `ProtocolError` for what is not there. */
export async function readResource(served: McpServed, uri: string): Promise<ReadResourceResult> {
  const named = addressed(uri);
  if (named === null) throw missing(uri);
  const { isTrusted, workflows } = await offer(served);
  if (!isTrusted) throw missing(uri);
  if (named.type === "workflow") {
    const file = workflows.find(({ id }) => id === named.id)?.file ?? null;
    if (file === null) throw missing(uri);
    const { source, workflow } = shownWorkflow(await served.troupe.validate(served.cwd, named.id));
    if (workflow === null) throw missing(uri);
    return { contents: [{ uri, mimeType: "application/yaml", text: source }] };
  }
  const one = await standing(served, named.run).catch((error: unknown) => {
    throw error instanceof TroupeError && error.code === "USER.RUN.NOT_FOUND" ? missing(uri) : error;
  });
  if (named.type === "log") return { contents: [{ uri, mimeType: "text/plain", text: await logText(one) }] };
  const { id, workflow, status, error, startedAt, endedAt, questions, permissions } = one.record;
  const end = endOf(one) ?? {};
  const told = { run: id, workflow, status, error, startedAt, endedAt, questions, permissions, ...end };
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(told, null, 2) }] };
}

const missing = (uri: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri}`, { uri });
