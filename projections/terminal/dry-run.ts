/**
 * What a run would do, without doing it: its steps in the order of the plan, with everything rendered that the inputs
 * alone decide. What only a running step knows stays as the author wrote it.
 *
 * I1. Nothing is read, started or written: no function of a template that has an effect is given.
 */
import type { Json } from "../../machines/model.ts";
import type { Node, Transition, Workflow } from "../../machines/workflow/document.ts";
import { type InputFaultCode, resolveInputs } from "../../machines/workflow/inputs.ts";
import { planEntries } from "../../machines/workflow/plan.ts";
import { parseTemplate } from "../../machines/workflow/template/parse.ts";
import { render } from "../../machines/workflow/template/render.ts";
import { paint } from "./paint.ts";
import { safeLine, safeText } from "./safe.ts";

type Inputs = { readonly [name: string]: Json };
/** `does` is what the step would run, say or visit; `next` where it would go. */
export type PlannedStep = { name: string; kind: string; title: string; does: string[]; next: string[] };

type Given = { ok: true; inputs: { [name: string]: Json } } | { ok: false; code: InputFaultCode; message: string };

/** The inputs that a run would be born with, or everything that is wrong with them as one message. */
export function given(workflow: Workflow, asked: Inputs): Given {
  const resolved = resolveInputs(workflow.inputs, asked, { extras: isAwf(workflow.file) ? "keep" : "refuse" });
  if (resolved.ok) return resolved;
  const [first] = resolved.faults;
  return {
    ok: false,
    code: first?.code ?? "USER.INPUT.MISSING",
    message: resolved.faults.map(({ message }) => message).join("\n"),
  };
}

/** In AWF's places inputs that are not declared are accepted, as AWF does. */
const isAwf = (file: string | null): boolean => /(^|[\\/])\.?awf[\\/]/.test(file ?? "");

export function plannedSteps(workflow: Workflow, inputs: Inputs): PlannedStep[] {
  const known = (text: string): string =>
    renderKnown(text, { inputs: { ...inputs }, workflow: { Name: workflow.name } });
  return planEntries(workflow).map(({ name, title, kind }) => {
    const node = workflow.states[name] as Node;
    return { name, kind, title, does: deeds(node, known), next: ways(node) };
  });
}

export function dryRunLines(workflow: Workflow, inputs: Inputs, { colours }: { colours: boolean }): string[] {
  const { bold, cyan, dim } = paint(colours);
  const given = Object.entries(inputs).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const steps = plannedSteps(workflow, inputs).flatMap(({ name, kind, title, does, next }) => [
    `  ${cyan("→")} ${bold(safeLine(name))} ${dim(`(${kind.replace("_", " ")})`)}${title === name ? "" : ` ${safeLine(title)}`}`,
    ...does.flatMap((text) =>
      safeText(text)
        .trimEnd()
        .split("\n")
        .map((line) => `      ${line}`),
    ),
    ...next.map((way) => `      ${dim(safeLine(way))}`),
  ]);
  const head = `${bold(safeLine(workflow.name))} ${dim(`· dry run, nothing is started${given.length === 0 ? "" : ` · ${safeLine(given.join(" "))}`}`)}`;
  return [head, ...steps];
}

/** Renders every action by itself; one that cannot be rendered yet stays as it is written. */
function renderKnown(source: string, scope: { [name: string]: Json }): string {
  const parsed = parseTemplate(source);
  if (!parsed.ok) return source;
  return parsed.template.nodes
    .map((node) => {
      if (node.type === "text") return node.text;
      try {
        return render({ type: "template", nodes: [node], range: node.range }, scope);
      } catch {
        return source.slice(node.range.start, node.range.end);
      }
    })
    .join("");
}

function deeds(node: Node, known: (text: string) => string): string[] {
  switch (node.type) {
    case "command":
      return ["command" in node.run ? `$ ${known(node.run.command)}` : `$ ${known(node.run.scriptFile)} (script)`];
    case "agent": {
      const prompt = "text" in node.prompt ? known(node.prompt.text) : `the text of ${known(node.prompt.file)}`;
      return [`${known(node.provider)}: ${prompt}`];
    }
    case "operation":
      return [node.operation];
    case "parallel":
      return [`${node.branches.join(", ")} at once (${node.strategy.replace("_", " ")})`];
    case "for_each": {
      const items = typeof node.items === "string" ? known(node.items) : JSON.stringify(node.items);
      return [`${node.body.join(", ")} for each of ${items}`];
    }
    case "while":
      return [`${node.body.join(", ")} while ${node.test}`];
    case "call_workflow":
      return [`workflow ${known(node.workflow)}`];
    case "terminal":
      return [];
    default:
      return node satisfies never;
  }
}

function ways(node: Node): string[] {
  if (node.type === "terminal") return [];
  const named = (label: string, to: string | null): string[] =>
    to === null ? [] : [`${label} ${to.replace(/^__inline_error_.*$/, "end as failed")}`];
  const complete = node.type === "for_each" || node.type === "while" ? node.onComplete : null;
  return [
    ...node.transitions.map(({ when, goto }: Transition) =>
      when === undefined ? `otherwise: ${goto}` : `if ${when}: ${goto}`,
    ),
    ...named("when done:", complete),
    ...named("on success:", node.onSuccess),
    ...named("on failure:", node.onFailure),
  ];
}
