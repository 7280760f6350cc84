/**
 * Names in `options:` that the step's agent does not take.
 *
 * I1. AWF passes over them: in its places each is a warning, and the document is without it.
 */
import { own } from "../../model.ts";
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { suggest } from "../suggest.ts";

export type AgentOptions = { readonly [provider: string]: readonly string[] };

/** What every agent step may say; the rest is its provider's. */
const COMMON = ["permissions", "mcp_servers"];

export function checkAgentOptions(workflow: Workflow, report: Report, known: AgentOptions): void {
  for (const node of Object.values(workflow.states)) {
    const names = node.type === "agent" ? own(known, node.provider) : undefined;
    if (node.type !== "agent" || names === undefined) continue;
    for (const name of Object.keys(node.options)) {
      if (names.includes(name) || COMMON.includes(name)) continue;
      report.add({
        code: "WORKFLOW.PARSE.UNKNOWN_FIELD",
        message: `${node.provider} has no option "${name}"${report.awf ? ": it is passed over" : ""}`,
        expected: `one of ${names.join(", ")}`,
        suggestion: suggest(name, names),
        path: ["states", node.name, "options", name],
        on: "key",
        loads: true,
      });
      if (report.awf) delete node.options[name];
    }
  }
}
