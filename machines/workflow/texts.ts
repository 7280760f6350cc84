/**
 * Every template and expression of a node, with the place where it stands in the file.
 * The checks read them to point at faults; `reads.ts` reads them to know what a node needs.
 *
 * I1. A text that is rendered or evaluated anywhere at run time is listed here.
 */

import type { Json } from "../model.ts";
import type { Isolation } from "../worktree/tree.ts";
import type { AskQuestion, CommandNode, Hook, LoopNode, McpServers, Node, StepNode, Workflow } from "./document.ts";

export type Path = readonly (string | number)[];
/** `enter`: before the state's work; `exit`: after it, when its own result is known. */
export type Moment = "enter" | "exit";
export type Text = {
  kind: "template" | "expression";
  text: string;
  path: Path;
  moment: Moment;
  /** What reads the rendered text: a shell, or nothing that cares. */
  reader?: "shell";
};

const template = (text: string | null, path: Path, moment: Moment = "enter"): Text[] =>
  text === null ? [] : [{ kind: "template", text, path, moment }];
const command = (text: string, path: Path, moment: Moment = "enter"): Text[] => [
  { kind: "template", text, path, moment, reader: "shell" },
];
const expression = (text: string | null, path: Path): Text[] =>
  text === null ? [] : [{ kind: "expression", text, path, moment: "exit" }];

/** Every string inside a value that is rendered as a template, however deep. */
function values(value: Json, path: Path): Text[] {
  if (typeof value === "string") return template(value, path);
  if (Array.isArray(value)) return value.flatMap((item, index) => values(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => values(item, [...path, name]));
}

/** The texts of a list of hooks. */
export function hookTexts(hooks: readonly Hook[], path: Path, moment: Moment): Text[] {
  return hooks.flatMap((hook, index) =>
    "log" in hook
      ? template(hook.log, [...path, index, "log"], moment)
      : command(hook.command, [...path, index, "command"], moment),
  );
}

function commandTexts(node: CommandNode): Text[] {
  const run = node.run;
  const script = "command" in run ? command(run.command, ["command"]) : template(run.scriptFile, ["script_file"]);
  return [...script, ...template(node.dir, ["dir"])];
}

/** Arithmetic without braces reads names of its own; with braces it is rendered first. */
function boundTexts(text: string): Text[] {
  const path = ["max_iterations"];
  return text.includes("{{") ? template(text, path) : [{ kind: "expression", text, path, moment: "enter" }];
}

function loopTexts(node: LoopNode): Text[] {
  const most = node.maxIterations;
  const bound = typeof most === "string" ? boundTexts(most) : [];
  const head =
    node.type === "while"
      ? expression(node.test, ["while"])
      : [...values(node.items, ["items"]), ...values(node.matrix ?? {}, ["matrix"])];
  return [...head, ...bound, ...expression(node.breakWhen, ["break_when"])];
}

function questionTexts({ prompt, choices, ...question }: AskQuestion, index: number): Text[] {
  const path = ["questions", index];
  return [
    ...template(prompt, [...path, "prompt"]),
    ...values(choices ?? null, [...path, "choices"]),
    ...values(question.default ?? null, [...path, "default"]),
  ];
}

/** The texts of the node's own work, without what every step has. */
function workTexts(node: StepNode): Text[] {
  switch (node.type) {
    case "command":
      return commandTexts(node);
    case "agent": {
      const prompt =
        "text" in node.prompt ? template(node.prompt.text, ["prompt"]) : template(node.prompt.file, ["prompt_file"]);
      return [
        ...template(node.provider, ["provider"]),
        ...prompt,
        ...template(node.systemPrompt, ["system_prompt"]),
        ...template(node.role, ["role"]),
        ...values(node.skills, ["skills"]),
        ...values(node.options, ["options"]),
        ...values((node.fallback ?? []) as Json, ["fallback"]),
      ];
    }
    case "operation":
      return values(node.inputs, ["inputs"]);
    case "call_workflow":
      return [...template(node.workflow, ["workflow"]), ...values(node.inputs, ["inputs"])];
    case "for_each":
    case "while":
      return loopTexts(node);
    case "ask":
      return [...template(node.message, ["message"]), ...node.questions.flatMap(questionTexts)];
    case "parallel":
      return [];
    default:
      return node satisfies never;
  }
}

function isolationTexts({ type, isolation }: { type?: StepNode["type"]; isolation?: Isolation }): Text[] {
  if (isolation === undefined) return [];
  // Of one that only merges, its inputs are these texts.
  if (type === "operation" && isolation.of !== undefined && isolation.from === "") return [];
  const path = ["isolation", "worktree"];
  const setup = isolation.setup === null ? [] : command(isolation.setup, [...path, "setup"]);
  const { from, of = null } = isolation;
  return [...template(from, [...path, "from"]), ...template(of, [...path, "of"]), ...setup];
}

/** All texts of one node, not those of nodes below it. Paths start at the state. */
export function nodeTexts(node: Node): Text[] {
  if (node.type === "terminal") return template(node.message, ["message"], "exit");
  return [
    ...hookTexts(node.hooks.pre, ["hooks", "pre"], "enter"),
    ...template(node.approval?.message ?? null, ["approval", "message"]),
    ...isolationTexts(node),
    ...workTexts(node),
    ...hookTexts(node.hooks.post, ["hooks", "post"], "exit"),
    ...node.transitions.flatMap((each, index) => expression(each.when ?? null, ["transitions", index, "when"])),
  ];
}

/** The texts of the workflow's servers; a node that carries them renders them. Paths start at the document. */
export const serverTexts = (servers: McpServers | undefined): Text[] => values(servers ?? {}, ["mcp_servers"]);

/** The texts of the workflow itself: its servers, outputs and hooks. Paths start at the document. */
export function workflowTexts(workflow: Workflow): Text[] {
  const { start, end, error, cancel } = workflow.hooks;
  return [
    ...serverTexts(workflow.mcpServers),
    ...isolationTexts(workflow.isolation === undefined ? {} : { isolation: workflow.isolation }),
    ...Object.entries(workflow.outputs).flatMap(([name, text]) => template(text, ["outputs", name], "exit")),
    ...hookTexts(start, ["hooks", "workflow_start"], "enter"),
    ...hookTexts(end, ["hooks", "workflow_end"], "exit"),
    ...hookTexts(error, ["hooks", "workflow_error"], "exit"),
    ...hookTexts(cancel, ["hooks", "workflow_cancel"], "exit"),
  ];
}
