/**
 * The parts of `options:` that have rules of their own: permissions, variables and servers of a step, and what a step of
 * `openai_compatible` asks and where.
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

/** `environment`: what the user has set. */
export function checkAgentFields(node: AgentNode, environment: NodeJS.ProcessEnv, faults: Faults): void {
  const { permissions = null, env = null, mcp_servers: servers = null, base_url: url = null } = node.options;
  const look = (field: string, check: () => void): void => {
    const message = messageOf(check);
    const code: FindingCode = "USER.AGENT.INVALID_OPTION";
    if (message !== null) faults.add(node.name, { code, message, at: ["options", field] });
  };
  if (permissions !== null && !isRendered(permissions))
    look("permissions", () => stepRulesOf(permissions, "options.permissions"));
  if (env !== null && !isRendered(env)) look("env", () => configuredEnvironment({ env }));
  if (node.provider === "openai_compatible") {
    if (typeof url === "string" && !isRendered(url)) look("base_url", () => checkedUrl(url));
    checkModel(node, environment, faults);
  }
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

/** A session may have chosen one, and a role may name one: the step says what it lacks then. */
function checkModel({ name, options, role }: AgentNode, environment: NodeJS.ProcessEnv, faults: Faults): void {
  const { model = "", env = null } = options;
  const isSet = isRendered(env) || (typeof env === "object" && env !== null && Object.hasOwn(env, "OPENAI_MODEL"));
  if (model !== "" || role !== null || isSet || environment["OPENAI_MODEL"]) return;
  faults.add(name, {
    code: "USER.AGENT.INVALID_OPTION",
    message: "no model is named",
    expected: "options: {model: …}, or OPENAI_MODEL in the environment",
    at: ["provider"],
    maybe: true,
    passes: true,
  });
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
