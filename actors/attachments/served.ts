/**
 * Whether what a prompt brings along can be given to an agent, before anything is started.
 *
 * I1. It is given to the agent steps whose prompt names the input that holds it; each of these must take it. A provider
 *     that is a template counts as one that takes nothing: it is not known yet.
 * I2. There must be such a step. What a prompt's file names and what a called workflow does with it is seen only then:
 *     the step fails that may not have it.
 * I3. An answer is given to the agent whose conversation waits for it.
 */
import { type Fault, type Json, own } from "../../machines/model.ts";
import { type Attached, type AttachmentKind, attachmentsIn } from "../../machines/prompt/attachment.ts";
import type { AgentNode, Node, Workflow } from "../../machines/workflow/document.ts";
import { parseTemplate } from "../../machines/workflow/template/parse.ts";
import { templateReferences } from "../../machines/workflow/template/references.ts";
import { nounOf } from "./take.ts";

/** What an agent takes; nothing, where there is none of this name. */
export type Takes = (provider: string) => Promise<readonly AttachmentKind[]>;

const refused = (message: string): Fault => ({ code: "USER.PROMPT.UNSUPPORTED_BLOCK", message });

/** Why a run with these inputs cannot be given all of it. */
export async function unservedInRun(
  { workflow, inputs }: { workflow: Workflow; inputs: { readonly [name: string]: Json } },
  attached: readonly Attached[],
  takes: Takes,
): Promise<Fault | null> {
  const nodes = Object.values(workflow.states);
  const isOpen = nodes.some(
    (node) => node.type === "call_workflow" || (node.type === "agent" && "file" in node.prompt),
  );
  for (const piece of attached) {
    const names = Object.keys(inputs).filter((name) => holds(own(inputs, name), piece.id));
    const readers = nodes.filter((node) => node.type === "agent").filter((node) => reads(node, names));
    for (const node of readers) {
      const fault = await unservedBy(node, piece, takes);
      if (fault !== null) return fault;
    }
    if (readers.length === 0 && !isOpen) {
      const where = names.length === 0 ? "no input holds it" : `no agent step names its input ${names.join(", ")}`;
      return refused(`"${workflow.name}" cannot use the ${nounOf(piece.type)}: ${where}; nothing was started`);
    }
  }
  return null;
}

/** Why an answer to this step's question cannot bring all of it. */
export async function unservedInAnswer(
  node: Node | null,
  attached: readonly Attached[],
  takes: Takes,
): Promise<Fault | null> {
  for (const piece of attached) {
    if (node?.type !== "agent")
      return refused(`what waits here is answered with words: it cannot use the ${nounOf(piece.type)}`);
    const fault = await unservedBy(node, piece, takes);
    if (fault !== null) return fault;
  }
  return null;
}

async function unservedBy({ name, provider }: AgentNode, { type }: Attached, takes: Takes): Promise<Fault | null> {
  if (!provider.includes("{{") && (await takes(provider)).includes(type)) return null;
  return refused(
    `the agent "${provider}" of step "${name}" takes no ${nounOf(type)}: send words or links to files; nothing was started`,
  );
}

const holds = (value: Json | undefined, id: string): boolean =>
  typeof value === "string" && attachmentsIn(value).includes(id);

function reads({ prompt }: AgentNode, inputs: readonly string[]): boolean {
  if ("file" in prompt) return false;
  const parsed = parseTemplate(prompt.text);
  if (!parsed.ok) return true;
  return templateReferences(parsed.template).some(
    ({ path: [root, name] }) => root === "inputs" && (name === undefined || inputs.includes(name)),
  );
}
