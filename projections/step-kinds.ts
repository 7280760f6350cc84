/** What each kind of step looks like, wherever it is shown. */
import type { ToolKind } from "@agentclientprotocol/sdk";
import type { StepKind } from "../machines/exchange.ts";
import type { Fanned, ForEachNode, StepNode } from "../machines/workflow/document.ts";

type Look = {
  /** Where it has a card of its own in an editor while all is well. */
  card: "everywhere" | "below a parallel" | "nowhere";
  tool: ToolKind;
  /** Its mark in a terminal's drawing. */
  mark: string;
  /** The brackets around its name in a Mermaid chart. */
  mermaid: readonly [open: string, close: string];
  /** Its shape in Graphviz. */
  dot: string;
};

const LOOKS: { readonly [kind in StepKind]: Look } = {
  command: { card: "everywhere", tool: "execute", mark: "●", mermaid: ["[", "]"], dot: "box" },
  agent: { card: "below a parallel", tool: "other", mark: "●", mermaid: ["(", ")"], dot: "ellipse" },
  operation: { card: "everywhere", tool: "other", mark: "●", mermaid: ["[[", "]]"], dot: "box3d" },
  call_workflow: { card: "everywhere", tool: "other", mark: "▣", mermaid: ["[/", "/]"], dot: "folder" },
  parallel: { card: "nowhere", tool: "other", mark: "◆", mermaid: ["{", "}"], dot: "diamond" },
  for_each: { card: "nowhere", tool: "other", mark: "↻", mermaid: ["{{", "}}"], dot: "hexagon" },
  while: { card: "nowhere", tool: "other", mark: "↻", mermaid: ["{{", "}}"], dot: "hexagon" },
  ask: { card: "nowhere", tool: "other", mark: "?", mermaid: [">", "]"], dot: "note" },
};

/** A log may be of a later version, with kinds that are not known here. */
export const lookOf = (kind: StepKind): Look => LOOKS[kind] ?? LOOKS.operation;

/** What a step would run, say or visit, in one text. `known` renders what of a template is known before a run. */
export function deedOf(node: StepNode, known: (text: string) => string): string {
  switch (node.type) {
    case "command":
      return "command" in node.run ? `$ ${known(node.run.command)}` : `$ ${known(node.run.scriptFile)} (script)`;
    case "agent": {
      const prompt = "text" in node.prompt ? known(node.prompt.text) : `the text of ${known(node.prompt.file)}`;
      return `${known(node.provider)}: ${prompt}`;
    }
    case "operation":
      return node.operation;
    case "parallel":
      return `${node.branches.join(", ")} ${atOnce(node)}`;
    case "for_each": {
      const many = node.fanned === undefined ? "" : `, ${atOnce(node.fanned)}`;
      return `${node.body.join(", ")} for each of ${overWhat(node, known)}${many}`;
    }
    case "while":
      return `${node.body.join(", ")} while ${node.test}`;
    case "ask":
      return node.questions.map(({ name, prompt }) => `${name}: ${known(prompt)}`).join("; ");
    case "call_workflow":
      return `workflow ${known(node.workflow)}`;
    default:
      return node satisfies never;
  }
}

/** How many run at once, and what makes them a success. */
function atOnce({ maxConcurrent, strategy }: Fanned): string {
  const most = maxConcurrent === 0 ? "" : `at most ${maxConcurrent} `;
  return `${maxConcurrent === 1 ? "one after the other" : `${most}at once`} (${strategy.replace("_", " ")})`;
}

function overWhat({ items, matrix }: ForEachNode, known: (text: string) => string): string {
  const shown = (list: ForEachNode["items"]): string => (typeof list === "string" ? known(list) : JSON.stringify(list));
  if (matrix === undefined) return shown(items);
  return Object.entries(matrix)
    .map(([name, list]) => `${name} ${shown(list)}`)
    .join(" × ");
}
