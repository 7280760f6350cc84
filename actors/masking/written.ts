/**
 * Secrets that stand in a workflow file: defaults of secret inputs, variables and headers that it writes out.
 *
 * I1. They are learned when the file is loaded for a run, before anything of it is stored or started.
 * I2. Their names hold the file's path, so that another process can read them there again.
 */
import { type Json, own } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import type { McpServers, Node, Workflow } from "../../machines/workflow/document.ts";
import { learnValues } from "./given.ts";
import type { Mask } from "./masking.ts";

type Fields = { readonly [name: string]: Json };

const FILE = "file/";
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function learnWritten(mask: Pick<Mask, "learn">, workflow: Workflow): void {
  const above = `${FILE}${encodeURIComponent(workflow.file ?? workflow.name)}`;
  for (const { name, default: initial } of workflow.inputs)
    if (isSecretName(name) && initial !== undefined) mask.learn(`${above}/inputs/${name}`, initial);
  learnServers(workflow.mcpServers, `${above}/mcp_servers`);
  for (const node of Object.values(workflow.states)) learnNode(node, `${above}/states/${node.name}`);

  function learnNode(node: Node, place: string): void {
    if (node.type !== "agent" && node.type !== "operation") return;
    learnServers(node.mcpServers, `${place}/mcp_servers`);
    if (node.type !== "agent") return;
    learnLiterals(own(node.options, "env"), `${place}/env`);
    learnLiterals(own(node.options, "headers"), `${place}/headers`);
    learnServers(own(node.options, "mcp_servers"), `${place}/options/mcp_servers`);
  }
  function learnServers(servers: McpServers | Json | undefined, place: string): void {
    if (!isFields(servers)) return;
    for (const [name, entry] of Object.entries(servers)) {
      if (!isFields(entry)) continue;
      learnLiterals(own(entry, "env"), `${place}/${name}/env`);
      learnLiterals(own(entry, "headers"), `${place}/${name}/headers`);
    }
  }
  /** What a template gives is learned when it is rendered. */
  function learnLiterals(values: Json | undefined, place: string): void {
    if (!isFields(values)) return;
    const literal = Object.entries(values).filter(([, value]) => typeof value !== "string" || !value.includes("{{"));
    learnValues(mask, place, Object.fromEntries(literal));
  }
}

/** The file that the name of a secret points to; null for a secret from elsewhere. */
export function fileOfSecret(name: string): string | null {
  if (!name.startsWith(FILE)) return null;
  const [file = ""] = name.slice(FILE.length).split("/");
  return decodeURIComponent(file);
}
