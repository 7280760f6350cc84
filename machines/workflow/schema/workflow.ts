/** The document itself; states are checked one by one, each by the schema of its kind. */
import { z } from "zod";
import { budget } from "./budget.ts";
import { runIsolation, workflowHooks } from "./common.ts";
import { flag, opt, record, STATES, stateName, text, texts } from "./fields.ts";
import { mcpServer } from "./mcp-server.ts";
import { starts } from "./starts.ts";

const output = z.strictObject(
  {
    name: text().describe("The output's name."),
    from: opt(text()).describe("A template, or a path such as states.build.Output."),
    value: opt(text()).describe("The same as from."),
    description: opt(text()).describe("What the output is."),
  },
  { error: "a map with name and from" },
);
const outputValue = z.union([text(), output.partial({ name: true })], { error: "a template" });
export const workflowOutputs = z.union([z.record(z.string(), outputValue), z.array(output)], {
  error: "a map of names to templates",
});

export const workflowFields = {
  name: text().describe("What the workflow calls itself. It is run and listed by the name of its file."),
  description: opt(text()).describe("What it does; shown beside the command."),
  version: opt(text()).describe("Its version."),
  author: opt(text()).describe("Who wrote it."),
  tags: opt(texts()).describe("Words to find it by."),
  env: opt(z.array(text(), { error: "a list of names of variables that must be set" })).describe(
    "Environment variables that must be set, and are passed on.",
  ),
  plugins: opt(record()).describe("Short names of plugins."),
  mcp_servers: opt(z.record(z.string(), mcpServer, { error: "a map of names to servers" })).describe(
    "MCP servers of this workflow: for its agents, and for operations named <server>.<tool>.",
  ),
  isolation: opt(runIsolation()).describe("worktree: the whole run works in a tree of git of its own."),
  on: opt(starts).describe(
    "What starts the workflow by itself, once you have enabled that: `troupe schedules enable`.",
  ),
  hooks: opt(workflowHooks).describe("What to do when a run starts, ends, fails or is cancelled."),
  budget: opt(budget).describe("What a run of it may spend, with all that it calls; no limit by default."),
  mcp: opt(
    z.strictObject(
      { expose: opt(flag()).describe("false: no MCP host sees it; true by default.") },
      { error: "a map with expose" },
    ),
  ).describe("How MCP hosts see the workflow."),
  outputs: opt(workflowOutputs).describe("What the workflow gives back to who called it; templates."),
};
export const workflowHead = z.strictObject(
  { ...workflowFields, inputs: opt(z.unknown()), states: z.record(z.string(), z.unknown(), { error: STATES }) },
  { error: "a map with name, states and the like" },
);
export const initialState = stateName().describe("The state the run starts with.");
