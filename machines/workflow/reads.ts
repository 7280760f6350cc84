/**
 * Which states' results a node reads. A child gets no others at birth, and an owner keeps no others.
 *
 * I1. The answer is never too small: an access that is not known beforehand, or a text that cannot be read, gives "all".
 */
import { nodesBelow } from "./below.ts";
import type { Node, Nodes, Workflow } from "./document.ts";
import { parseExpression } from "./expression/parse.ts";
import { references } from "./expression/references.ts";
import { parseTemplate } from "./template/parse.ts";
import { templateReferences } from "./template/references.ts";
import { nodeTexts, serverTexts, type Text, workflowTexts } from "./texts.ts";

export type Reads = "all" | string[];
type ReadReference = { path: string[]; dynamic?: boolean };

/** Null where the text cannot be read. */
export function textReferences(text: Text): ReadReference[] | null {
  if (text.kind === "template") {
    if (!text.text.includes("{{")) return [];
    const parsed = parseTemplate(text.text);
    return parsed.ok ? templateReferences(parsed.template) : null;
  }
  const parsed = parseExpression(text.text);
  return parsed.ok ? references(parsed.expression) : null;
}

function readsOf(texts: readonly Text[], names: Set<string>): "all" | null {
  for (const text of texts) {
    const found = textReferences(text);
    if (found === null) return "all";
    for (const { path } of found) {
      if (path[0] !== "states") continue;
      const name = path[1];
      // `states` alone, or `states[…]` with an index that is computed: anything may be read.
      if (name === undefined) return "all";
      names.add(name);
    }
  }
  return null;
}

/** A file's text is a template too, and is read only when the step runs. */
const readsFile = (node: Node): boolean =>
  (node.type === "command" && "scriptFile" in node.run) || (node.type === "agent" && "file" in node.prompt);

function collect(nodes: readonly Node[], rest: readonly Text[]): Reads {
  const names = new Set<string>();
  for (const node of nodes) {
    // What a step depends on is looked up like a name that it reads.
    if (node.type !== "terminal") for (const name of node.dependsOn) names.add(name);
    // A conversation continues from what another step left behind.
    if (node.type === "agent" && node.conversation?.continueFrom) names.add(node.conversation.continueFrom);
    const of = node.type === "terminal" ? undefined : node.isolation?.of;
    // Whose tree it is may be told by a template, as a name.
    if (of?.includes("{{") === true) return "all";
    if (of !== undefined) names.add(of);
    // What another step has left under the same name is looked for among all.
    if (node.type === "agent" && node.session !== undefined) return "all";
    if (
      (node.type === "agent" || node.type === "operation") &&
      readsOf(serverTexts(node.mcpServers), names) === "all"
    ) {
      return "all";
    }
    if (readsFile(node) || readsOf(nodeTexts(node), names) === "all") return "all";
  }
  return readsOf(rest, names) ?? [...names];
}

const known = new WeakMap<Node, Reads>();

/** The names that `node` and the nodes below it read, in the order of first mention; "all" where that is not static. */
export function stateReads(node: Node, nodes: Nodes): Reads {
  const cached = known.get(node);
  if (cached !== undefined) return cached;
  const below = node.type === "terminal" ? [] : Object.values(nodesBelow(node, nodes));
  const reads = collect([node, ...below], []);
  known.set(node, reads);
  return reads;
}

const whole = new WeakMap<Workflow, Reads>();

/** The names that anything in the workflow reads: its states, hooks and outputs. */
export function workflowReads(workflow: Workflow): Reads {
  const cached = whole.get(workflow);
  if (cached !== undefined) return cached;
  const reads = collect(Object.values(workflow.states), workflowTexts(workflow));
  whole.set(workflow, reads);
  return reads;
}
