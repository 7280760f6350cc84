/** `permissions` of the configuration: which tool calls are decided without a question. */
import { z } from "zod";
import { TOOL_KINDS, type ToolKind } from "../../machines/exchange.ts";
import { durationMs } from "../../machines/workflow/duration.ts";
import { choice, duration, list, opt, text } from "../../machines/workflow/schema/fields.ts";

const rule = z.strictObject(
  {
    kind: opt(choice(TOOL_KINDS)).describe("The kind of tool call."),
    agent: opt(text()).describe("The provider, or the name of a configured agent."),
    path: opt(text()).describe("A pattern for the files concerned, such as src/**."),
    command: opt(text()).describe("What a command begins with, word by word."),
  },
  { error: "a map with kind, agent, path or command" },
);
const rules = opt(list(rule, "a list of maps with kind, agent, path or command"));

/** How long an answer for good holds where the user does not say. */
export const REMEMBER_MS = 30 * 24 * 60 * 60 * 1_000;

export const permissionFields = {
  default: opt(choice(["ask", "allow", "deny"])).describe("What holds where no rule does; ask by default."),
  deny: rules.describe("Never allowed; goes before all else."),
  allow: rules.describe("Allowed without a question."),
  ask: rules.describe("Asked, even where the default allows."),
  remember: opt(duration()).describe("How long an answer for good holds in its session; 720h by default."),
};
export const permissions = z.strictObject(permissionFields, {
  error: "a map with default, deny, allow, ask and remember",
});

export type PermissionRule = {
  kind?: ToolKind;
  agent?: string;
  path?: string;
  command?: string;
};
export type PermissionRules = {
  default: "ask" | "allow" | "deny";
  deny: PermissionRule[];
  allow: PermissionRule[];
  ask: PermissionRule[];
  /** How long an answer for good holds; 30 days by default. */
  rememberMs?: number;
};

type PermissionConfig = z.output<typeof permissions>;

export function permissionRules(given: PermissionConfig | null): PermissionRules {
  const lowered = (list: PermissionConfig["deny"]): PermissionRule[] =>
    (list ?? []).map(({ kind, agent, path, command }) => ({
      ...(kind ? { kind } : {}),
      ...(agent === undefined || agent === null ? {} : { agent: String(agent) }),
      ...(path === undefined || path === null ? {} : { path: String(path) }),
      ...(command === undefined || command === null ? {} : { command: String(command) }),
    }));
  const { remember } = given ?? {};
  const rememberMs = remember === undefined || remember === null ? null : durationMs(remember);
  return {
    ...(rememberMs === null ? {} : { rememberMs }),
    default: given?.default ?? "ask",
    deny: lowered(given?.deny),
    allow: lowered(given?.allow),
    ask: lowered(given?.ask),
  };
}
