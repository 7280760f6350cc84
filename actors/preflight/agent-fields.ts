/**
 * The parts of `options:` that have rules of their own: permissions, variables and servers of a step, and the address that
 * a step of `openai_compatible` asks.
 */

import type { AgentNode } from "../../machines/workflow/document.ts";
import type { FindingCode } from "../../machines/workflow/finding.ts";
import { isRendered } from "../../machines/workflow/option-table.ts";
import { mcpServer } from "../../machines/workflow/schema/mcp-server.ts";
import { configuredEnvironment } from "../agents/configured.ts";
import { checkedUrl } from "../agents/openai_compatible/options.ts";
import { stepRulesOf } from "../effects/gate/step-rules.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Faults } from "./subject.ts";

export function checkAgentFields(node: AgentNode, faults: Faults): void {
  const { permissions = null, env = null, mcp_servers: servers = null, base_url: url = null } = node.options;
  const look = (field: string, check: () => void): void => {
    const message = messageOf(check);
    const code: FindingCode = "USER.AGENT.INVALID_OPTION";
    if (message !== null) faults.add(node.name, { code, message, at: ["options", field] });
  };
  if (permissions !== null && !isRendered(permissions))
    look("permissions", () => stepRulesOf(permissions, "options.permissions"));
  if (env !== null && !isRendered(env)) look("env", () => configuredEnvironment({ env }));
  if (node.provider === "openai_compatible" && typeof url === "string" && !isRendered(url))
    look("base_url", () => checkedUrl(url));
  if (typeof servers !== "object" || servers === null || Array.isArray(servers)) return;
  for (const [name, entry] of Object.entries(servers)) {
    const read = isRendered(entry) ? null : mcpServer.safeParse(entry);
    if (read === null || read.success) continue;
    const [issue] = read.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    faults.add(node.name, {
      code: "USER.MCP.INVALID_SERVER",
      message: unknown === undefined ? `server "${name}" is not right` : `server "${name}" has no field "${unknown}"`,
      expected: unknown === undefined ? (issue?.message ?? "a server") : "command, args, env, url or headers",
      at: ["options", "mcp_servers", name, ...(issue?.path ?? []).map(String)],
    });
  }
}

function messageOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof TroupeError) return error.message;
    throw error;
  }
}
