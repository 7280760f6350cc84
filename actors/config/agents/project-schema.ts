/** The fields of a project's `.troupe/agents.yaml`. */
import { z } from "zod";
import { choice, list, opt, record, text, texts } from "../../../machines/workflow/schema/fields.ts";
import { permissionFields as ofUser } from "../permissions.ts";
import { acpAgentFields } from "../schema.ts";

const LESS = "a project can only take away";
const { command, args, env, files, terminal, auth, sandbox } = acpAgentFields;

export const proposalFields = {
  slug: text().describe("The name that its workflows use."),
  name: opt(text()).describe("What people call it."),
  why: opt(text()).describe("What it is for, in the project's words."),
  preset: opt(text()).describe("A known agent: troupe agents presets."),
  ...{ command: opt(command), args, env, files, terminal, auth, sandbox },
  mcp_servers: opt(texts()).describe("Names of the user's MCP servers that it would be passed."),
};
export const proposal = z.strictObject(proposalFields, { error: "a map with slug, and preset or command" });

export const restrictedFields = {
  files: opt(z.enum(["none", "read"], { error: `none or read: ${LESS}` })),
  terminal: opt(z.literal(false, { error: `false: ${LESS}` })),
  sandbox: opt(z.literal("workspace", { error: `workspace: ${LESS}` })),
  mcp_servers: opt(texts()).describe("The only servers that are passed on, of those that the user passes on."),
};
export const restricted = z.strictObject(restrictedFields, {
  error: "a map with files, terminal, sandbox, mcp_servers",
});

export const permissionFields = {
  default: opt(choice(["ask", "deny"])),
  deny: ofUser.deny,
  ask: ofUser.ask,
};
export const permissions = z.strictObject(permissionFields, { error: "a map with default, deny and ask" });

export const headFields = {
  version: opt(z.unknown()),
  propose: opt(list(z.unknown(), "a list of proposals")),
  restrict: opt(record()),
  permissions: opt(z.unknown()),
};
export const head = z.strictObject(headFields, { error: "a map with version, propose, restrict and permissions" });
