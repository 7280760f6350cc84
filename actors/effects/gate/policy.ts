/**
 * What is decided of a tool call before a person is asked.
 *
 * I1. The user's rules go by structured fields, never by words: a rule that denies before one that allows, that before
 *     one that asks, that before the default, which is to ask.
 *     What only reads inside the workspace, by our own hand, is allowed where the default would ask.
 * I2. A workflow and a project make it stricter, never looser: of their words and the user's the strictest holds.
 * I3. What was chosen for the session takes the place of the user's default, and of nothing else;
 *     a default that denies stays.
 */
import type { Policy } from "../../../machines/contracts.ts";
import type { ToolQuestion } from "../../agents/agent.ts";
import type { PermissionRule, PermissionRules } from "../../config/permissions.ts";
import { commandMatches } from "./command-rule.ts";
import { pathsMatch } from "./paths.ts";
import type { StepRules } from "./step-rules.ts";

/** `project`: what the project denies or has asked about. */
export type Asker = { provider: string; cwd: string; project?: PermissionRules | null };
const STRICTNESS: readonly Policy[] = ["allow", "ask", "deny"];

const NO_RULES: PermissionRules = { deny: [], allow: [], ask: [], default: "ask" };

export function policyOf(tool: ToolQuestion, user: PermissionRules | null, step: StepRules, asker: Asker): Policy {
  const said: Policy[] = [
    rulesPolicy(tool, user ?? NO_RULES, asker),
    step.kinds[tool.kind] ?? "allow",
    asker.project ? rulesPolicy(tool, asker.project, asker) : "allow",
  ];
  return said.reduce((strictest, one) => (STRICTNESS.indexOf(one) > STRICTNESS.indexOf(strictest) ? one : strictest));
}

/** The user's rules with what was chosen for the session in the place of their default (I3). */
export function rulesWith(user: PermissionRules | null, chosen: string | undefined): PermissionRules | null {
  const found = STRICTNESS.find((policy) => policy === chosen);
  return found === undefined || user?.default === "deny" ? user : { ...(user ?? NO_RULES), default: found };
}

function rulesPolicy(
  tool: ToolQuestion,
  { deny, allow, ask, default: otherwise }: PermissionRules,
  asker: Asker,
): Policy {
  const some = (rules: readonly PermissionRule[], all: boolean) => rules.some((rule) => holds(rule, tool, asker, all));
  if (some(deny, false)) return "deny";
  if (some(allow, true)) return "allow";
  if (some(ask, false)) return "ask";
  return otherwise === "ask" && tool.confined === true ? "allow" : otherwise;
}

/** `all`: the rule allows, so all of the call must be what it names. */
function holds(
  { kind, agent, path, command }: PermissionRule,
  tool: ToolQuestion,
  asker: Asker,
  all: boolean,
): boolean {
  if (kind !== undefined && kind !== tool.kind) return false;
  if (agent !== undefined && agent !== asker.provider) return false;
  if (path !== undefined && !pathsMatch(filesOf(tool), path, asker.cwd, all)) return false;
  return command === undefined || commandMatches(tool.input, command, all);
}

/** What it names, and what it would write. */
const filesOf = ({ locations = [], edits = [] }: ToolQuestion): readonly { path: string }[] => [...locations, ...edits];
