/**
 * What an agent step says it needs (`requires`), against what the user grants: before the first step, not in the middle.
 *
 * I1. `allow`: calls of that kind are let through without a question, whatever they touch. `ask`: they are not denied.
 */
import type { ToolKind } from "../../machines/exchange.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { agentNamed } from "../config/agents/named.ts";
import { projectAgents } from "../config/agents/project.ts";
import type { Config } from "../config/config.ts";
import type { PermissionRules } from "../config/permissions.ts";
import { policyOf, rulesWith } from "../effects/gate/policy.ts";
import { type StepRules, stepRulesOf } from "../effects/gate/step-rules.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Faults } from "./subject.ts";

type Granting = { config: Config | null; permissions: string | undefined; cwd: string };

/** `permissions`: what was chosen for the session. */
export function checkGranted(node: AgentNode, { config, permissions, cwd }: Granting, faults: Faults): void {
  if (node.requires === undefined || config === null) return;
  const step = rulesOf(node);
  if (step === null) return; // said where the rules stand
  const project = projectRules(cwd);
  if (project === "faulty") return; // the step says so
  const asker = { provider: agentNamed(config, node.provider)?.slug ?? node.provider, cwd, project };
  const user = rulesWith(config.permissions, permissions);
  for (const [kind, needed] of Object.entries(node.requires) as [ToolKind, "allow" | "ask"][]) {
    const policy = policyOf({ name: "", kind, input: null }, user, step, asker);
    if (policy === "allow" || (policy === "ask" && needed === "ask")) continue;
    const is = policy === "deny" ? "denied" : "asked about";
    faults.add(node.name, {
      code: "USER.AGENT.NOT_GRANTED",
      message: `this step needs tools of the kind "${kind}" ${needed === "allow" ? "without a question" : "not to be denied"}, and here they are ${is}`,
      expected: `permissions: {allow: [{kind: ${kind}, agent: ${asker.provider}}]} in your config.yaml, where you want that`,
      at: ["requires", kind],
      maybe: true,
    });
  }
}

function projectRules(cwd: string): PermissionRules | null | "faulty" {
  try {
    return projectAgents(cwd)?.permissions ?? null;
  } catch (error) {
    if (error instanceof TroupeError) return "faulty";
    throw error;
  }
}

function rulesOf({ options }: AgentNode): StepRules | null {
  try {
    return stepRulesOf(options["permissions"], "options.permissions");
  } catch (error) {
    if (error instanceof TroupeError) return null;
    throw error;
  }
}
