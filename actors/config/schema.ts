/** The fields of `config.yaml`; its parts are checked one by one, so that each fault stands at its own place. */
import { z } from "zod";
import { budget, budgetFields } from "../../machines/workflow/schema/budget.ts";
import { choice, count, flag, opt, record, text, texts } from "../../machines/workflow/schema/fields.ts";
import { mcpServerFields } from "../../machines/workflow/schema/mcp-server.ts";
import { LIMITS } from "../base/limits.ts";
import { AGE_FORM, ageOf, SIZE_FORM, sizeOf } from "./retention.ts";

/** A text, or the name of a variable of the user's environment that holds it. */
const value = z.union([text(), z.strictObject({ from_env: text() })], { error: "a text, or {from_env: NAME}" });
const values = z.record(z.string(), value, { error: "a map of names to texts or {from_env: NAME}" });

const SECRET = "a map of attributes to texts, one at least";
const secretRef = z
  .record(z.string().regex(/^[\w:.-]+$/, { error: SECRET }), z.string().min(1, { error: SECRET }), { error: SECRET })
  .refine((attributes) => Object.keys(attributes).length > 0, { error: SECRET });
const OF_AGENT = "a text, {from_env: NAME} or {secret_ref: {attribute: value}}";
const agentValue = z.union([text(), z.strictObject({ from_env: text() }), z.strictObject({ secret_ref: secretRef })], {
  error: OF_AGENT,
});
const agentValues = z.record(z.string(), agentValue, { error: "a map of names to values" });

const serverRules = z.strictObject(
  {
    allow: opt(texts()).describe("Passed on; * stands for all, after a question."),
    deny: opt(texts()).describe("Never passed on; goes before all else."),
    ask: opt(texts()).describe("Passed on after a question."),
    forward_secrets: opt(texts()).describe("Those whose credentials it is handed; the others' stay with Troupe."),
  },
  { error: "a list of names, or a map with allow, deny, ask and forward_secrets" },
);

export const acpAgentFields = {
  command: text().describe("The program: a full path, ~/…, or a name that is looked for in PATH."),
  args: opt(texts()).describe("Its arguments, passed as they are."),
  env: opt(agentValues).describe("Environment variables for it, beside the few that every agent gets."),
  files: opt(choice(["none", "read", "write"])).describe("What it may do to the workspace's files through Troupe."),
  terminal: opt(flag()).describe("Whether it may run commands through Troupe."),
  auth: opt(text()).describe("The method it is authenticated by where it asks for that."),
  mcp_servers: opt(
    z.union([texts(), serverRules], { error: "a list of names, or a map with allow, deny, ask and forward_secrets" }),
  ).describe("Names of the MCP servers that are passed on to it, or rules about them."),
  sandbox: opt(choice(["none", "workspace"])).describe(
    "workspace: it can write the workspace and nothing else, by bubblewrap on Linux; none by default.",
  ),
  sandbox_write: opt(texts()).describe("Other folders that it can write in its sandbox: full paths or ~/…."),
  reads: opt(texts()).describe(
    "The files with a repository's words for agents that it reads by itself; one that lacks AGENTS.md is given that.",
  ),
  cwd: opt(text()).describe("The folder its process runs in: a full path, ~/…, or from this file's folder."),
  limits: opt(
    z.strictObject(
      {
        agent_ms: opt(count(1)).describe("How long it may work at one attempt."),
        start_ms: opt(count(1)).describe("How long it may take from its start to its first answer; 30000 by default."),
      },
      { error: "a map with agent_ms and start_ms" },
    ),
  ).describe("Limits of this agent."),
};
export const acpAgent = z.strictObject(acpAgentFields, { error: "a map with command" });

export const userServerFields = { ...mcpServerFields, env: opt(values), headers: opt(values) };
export const userServer = z.strictObject(userServerFields, { error: "a map with command or url" });

export const editorFields = {
  write: opt(flag()).describe("Let the editor write files where it offers to."),
  terminal: opt(flag()).describe("Let the editor run commands where it offers to."),
};
export const editor = z.strictObject(editorFields, { error: "a map with write and terminal" });

const PLACE = "an absolute path";
export const worktreesFields = {
  dir: opt(z.string({ error: PLACE }).startsWith("/", { error: PLACE })).describe(
    "The folder of all trees of steps; by default one beside each repository.",
  ),
};
export const worktrees = z.strictObject(worktreesFields, { error: "a map with dir" });

export { budget, budgetFields };

const PRICE = "a number, 0 or more: US dollars for a million tokens";
const price = z.number({ error: PRICE }).min(0, { error: PRICE });
export const priceFields = { input: price, output: price };
export const prices = z.record(z.string(), z.strictObject(priceFields, { error: "a map with input and output" }), {
  error: "a map of models to prices",
});

/** `keptOutputBytes` is `kept_output_bytes` in the file. */
export const limitName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const limitFields = Object.fromEntries(Object.keys(LIMITS).map((name) => [limitName(name), opt(count(1))]));
export const limits = z.strictObject(limitFields, { error: "a map of limits" });

const age = z.string({ error: AGE_FORM }).refine((word) => ageOf(word) !== null, { error: AGE_FORM });
const size = z.string({ error: SIZE_FORM }).refine((word) => sizeOf(word) !== null, { error: SIZE_FORM });
export const retentionFields = { max_age: opt(age), max_runs: opt(count(1)), max_size: opt(size) };
export const retention = z.strictObject(retentionFields, { error: "a map with max_age, max_runs and max_size" });

export const agentsFields = { acp: opt(record()) };
export const agents = z.strictObject(agentsFields, { error: "a map with acp" });

export const configFields = {
  agents: opt(z.unknown()).describe("Agents of your own."),
  mcp_servers: opt(record()).describe("MCP servers for agents and for operation steps."),
  permissions: opt(z.unknown()).describe("Which tool calls are decided without a question."),
  editor: opt(z.unknown()).describe("What the editor is asked to do."),
  models: opt(record()).describe("Models that an editor offers, by provider."),
  worktrees: opt(z.unknown()).describe("Where trees of steps stand."),
  budget: opt(z.unknown()).describe("What each run may spend at most."),
  prices: opt(z.unknown()).describe("What models cost that are in no table, or cost you something else."),
  limits: opt(z.unknown()).describe("Limits other than the default ones."),
  retention: opt(z.unknown()).describe("How much of the past `troupe gc` keeps."),
};
export const configHead = z.strictObject(configFields, { error: "a map with agents, mcp_servers and the like" });
