/** `type: agent`. */
import { z } from "zod";
import { TOOL_KINDS, type ToolKind } from "../../exchange.ts";
import { PROVIDER_NAMES } from "../providers.ts";
import { commonFields, outputSchema } from "./common.ts";
import { choice, flag, list, opt, record, stateName, text, texts } from "./fields.ts";

export const pluginTool = z.strictObject(
  {
    plugin: text().describe("The plugin or MCP server."),
    expose: opt(texts()).describe("The operations the agent may call."),
  },
  { error: "a map with plugin and expose" },
);
export const mcpProxy = z.strictObject(
  {
    enable: opt(flag()).describe("Give the agent our tools; false by default."),
    intercept_builtins: opt(flag()).describe("Replace the agent's own tools by ours; true by default."),
    plugin_tools: opt(list(pluginTool, "a list of maps with plugin and expose")).describe("Further tools."),
  },
  { error: "a map with enable, intercept_builtins and plugin_tools" },
);
const skill = z.union([z.string(), z.strictObject({ path: text().describe("Folder of the skill.") })], {
  error: "the name of a skill, or a map with path",
});

const NEEDED = "allow (without a question) or ask (not denied)";
const needed = z.enum(["allow", "ask"], { error: NEEDED });
const requires = z.strictObject(
  Object.fromEntries(TOOL_KINDS.map((kind) => [kind, opt(needed).describe(NEEDED)])) as {
    [kind in ToolKind]: ReturnType<typeof opt<typeof needed>>;
  },
  { error: `a map of kinds of tools (${TOOL_KINDS.join(", ")}) to allow or ask` },
);
const FALLBACK = "a map with provider, model or both";
const fallback = z
  .strictObject(
    {
      provider: opt(text()).describe("Another provider; without it, the step's own."),
      model: opt(text()).describe("Its model; without it, the one that the provider takes by itself."),
      options: opt(record()).describe(
        "Its options; without them, the step's own where the provider is the same, and none where it is another.",
      ),
    },
    { error: FALLBACK },
  )
  .refine(({ provider, model }) => (provider ?? model) !== undefined && (provider ?? model) !== null, {
    error: FALLBACK,
  });
const REPAIR = "a whole number from 0 to 10";

export const agentStep = z
  .strictObject({
    type: opt(choice(["agent"])).describe("A prompt to an AI agent."),
    ...commonFields,
    provider: opt(text()).describe(`The agent: ${PROVIDER_NAMES}, or one you configured.`),
    agent: opt(text()).describe("The same as provider: an agent by its slug or its id."),
    prompt: opt(text()).describe("What the agent is asked; a template."),
    prompt_file: opt(text()).describe("A file with the prompt; a template itself."),
    options: opt(record()).describe("Options of the provider, such as model and allowed_tools."),
    output_format: opt(choice(["json", "text", ""])).describe(
      "json: the answer is parsed into states.<name>.JSON; text by default.",
    ),
    output_schema: outputSchema().describe(
      "What the answer must be like: a JSON Schema, or the path of a JSON or YAML file beside this one; it is parsed into states.<name>.JSON.",
    ),
    repair: opt(z.int({ error: REPAIR }).min(0, { error: REPAIR }).max(10, { error: REPAIR })).describe(
      "How often an answer that does not fit output_schema goes back to the agent, with what is wrong; 2 by default.",
    ),
    fallback: opt(list(fallback, "a list of maps with provider, model or both")).describe(
      "What takes its place where its provider limits it, is out or refuses: one after another, each once; nothing by default.",
    ),
    fallback_after_output: opt(flag()).describe(
      "Fall back also where the agent has said something or used a tool before it failed; false by default.",
    ),
    mode: opt(choice(["single", "conversation", ""])).describe(
      "conversation: the user may answer until the talk is ended; single by default.",
    ),
    system_prompt: opt(text()).describe("Instructions besides the prompt; a template."),
    role: opt(text()).describe("A role from the roles folder, put before the system prompt."),
    skills: opt(list(skill, "a list of skills")).describe("Skills from the skills folders."),
    conversation: opt(
      z.strictObject(
        { continue_from: opt(stateName()).describe("The agent step whose conversation is continued.") },
        { error: "a map, which may name continue_from" },
      ),
    ).describe("Keep the conversation, so that later steps can continue it."),
    session: opt(text()).describe(
      "isolated, the default: a conversation of its own. Any other name: steps that give it share one conversation.",
    ),
    requires: opt(requires).describe(
      "What the user's permissions must grant before the first step, by kinds of tools.",
    ),
    mcp_proxy: opt(mcpProxy).describe("Tools that Troupe serves to the agent."),
  })
  .describe("Asks an AI agent.");
