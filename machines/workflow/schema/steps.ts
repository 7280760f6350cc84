/**
 * All kinds of steps by the word that names them in a file, and the fields of each. Those of an agent stand in `agent.ts`.
 */
import { z } from "zod";
import type { Node } from "../document.ts";
import { agentStep } from "./agent.ts";
import { askStep } from "./ask.ts";
import { commonFields, outputSchema } from "./common.ts";
import { choice, count, duration, names, opt, record, stateName, text } from "./fields.ts";

const commandStep = z
  .strictObject({
    type: opt(choice(["step", "command"])).describe("A shell command or a script file."),
    ...commonFields,
    command: opt(text()).describe("The command line, run by the shell; a template whose values are quoted for you."),
    script_file: opt(text()).describe("A script to run instead of a command; at most 1 MiB, a template itself."),
    dir: opt(text()).describe("The folder it runs in; a template."),
    output_schema: outputSchema().describe(
      "What it writes to standard output must be JSON that fits this: a JSON Schema, or the path of a file beside this one.",
    ),
  })
  .describe("Runs a shell command.");

const operationStep = z
  .strictObject({
    type: opt(choice(["operation"])).describe("A built-in operation."),
    ...commonFields,
    operation: text().describe("The operation, such as http.request, github.get_issue or notify.send."),
    inputs: opt(record()).describe("What the operation is given; templates."),
    operation_inputs: opt(record()).describe("The same as inputs."),
  })
  .describe("Runs a built-in operation.");

const callOutputs = z.record(z.string(), text(), { error: "a map of the workflow's outputs to names here" });
const nestedCall = z.strictObject(
  {
    workflow: opt(text()).describe("The workflow to call."),
    inputs: opt(record()).describe("Its inputs; templates."),
    outputs: opt(callOutputs).describe("Its outputs and their names here."),
    timeout: opt(duration()).describe("The longest the call may take; 5 minutes by default."),
  },
  { error: "a map with workflow, inputs and outputs" },
);

const callStep = z
  .strictObject({
    type: opt(choice(["call_workflow"])).describe("Another workflow."),
    ...commonFields,
    workflow: opt(text()).describe("The workflow to call: a name, or pack/name; a template."),
    inputs: opt(record()).describe("Its inputs; templates."),
    outputs: opt(callOutputs).describe(
      "Its outputs and the names they get here; one that is not listed keeps its own.",
    ),
    call_workflow: opt(nestedCall).describe("The same fields, nested."),
  })
  .describe("Calls another workflow.");

const strategy = () => choice(["all_succeed", "any_succeed", "best_effort", ""]);
const parallelStep = z
  .strictObject({
    type: opt(choice(["parallel"])).describe("Several states at the same time."),
    ...commonFields,
    parallel: names().describe("The states to run; where they would go to is ignored."),
    strategy: opt(strategy()).describe(
      "all_succeed (default): the first failure cancels the rest. any_succeed: one is enough. best_effort: all run, none fails it.",
    ),
    max_concurrent: opt(count(0)).describe("At most so many at a time; 0 for all, the default."),
  })
  .describe("Runs states in parallel.");

const listOf = () => z.union([z.string(), z.array(z.unknown())], { error: "a list, or a template that gives one" });
const loopFields = {
  body: names().describe("The states of one round, in order."),
  max_iterations: opt(
    z.union([count(0), z.string()], { error: "a whole number, or a template or arithmetic that gives one" }),
  ).describe("The most rounds, 100 by default and 10000 at most; a number, a template or arithmetic."),
  break_when: opt(text()).describe("A condition, judged after each round, that ends the loop."),
  on_complete: opt(stateName()).describe("The next state when the loop has ended."),
};

const forEachStep = z
  .strictObject({
    type: opt(choice(["for_each"])).describe("A loop over items."),
    ...commonFields,
    items: opt(listOf()).describe(
      "A list, or a template that gives a JSON list or words with commas between them; with max_concurrent, lines too.",
    ),
    matrix: opt(z.record(z.string(), listOf(), { error: "a map of names to lists" })).describe(
      "In place of items: every combination of one of each list; loop.Item has them by name.",
    ),
    max_concurrent: opt(count(0)).describe(
      "Rounds that run at once, each by itself; 0 for all, 1 by default. With it, strategy or matrix no round sees another's results.",
    ),
    strategy: opt(strategy()).describe(
      "How rounds that run by themselves are judged together. all_succeed (default): the first failure cancels the rest. any_succeed: one is enough. best_effort: all run, none fails it.",
    ),
    ...loopFields,
  })
  .describe("Runs its body once for every item.");

const whileStep = z
  .strictObject({
    type: opt(choice(["while"])).describe("A loop with a condition."),
    ...commonFields,
    while: text().describe("The condition, judged before each round."),
    ...loopFields,
  })
  .describe("Runs its body as long as a condition holds.");

const terminalStep = z
  .strictObject({
    type: opt(choice(["terminal"])).describe("An end of the workflow."),
    description: opt(text()).describe("What this end means."),
    status: opt(choice(["success", "failure", ""])).describe("How the run ends; success by default."),
    message: opt(text()).describe(
      "What the run ends with; a template, shown as it is written where it cannot be rendered.",
    ),
  })
  .describe("Ends the run.");

export type StepWord = Node["type"];

export const STEPS = {
  command: commandStep,
  agent: agentStep,
  operation: operationStep,
  call_workflow: callStep,
  parallel: parallelStep,
  for_each: forEachStep,
  while: whileStep,
  ask: askStep,
  terminal: terminalStep,
} as const satisfies { readonly [word in StepWord]: z.ZodObject };
export const STEP_WORDS = Object.keys(STEPS) as StepWord[];

/** The fields by which a step without `type` is known to be of a kind; the first that it has counts. */
export const MARKS: { readonly [word in StepWord]: readonly string[] } = {
  command: ["command", "script_file"],
  operation: ["operation"],
  parallel: ["parallel"],
  while: ["while"],
  for_each: ["items", "matrix"],
  call_workflow: ["call_workflow", "workflow"],
  agent: ["provider", "agent", "prompt", "prompt_file"],
  ask: ["questions"],
  terminal: ["status", "message"],
};
