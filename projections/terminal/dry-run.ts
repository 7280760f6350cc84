/**
 * What a run would do, without doing it: its steps in the order of the plan, with everything rendered that the inputs
 * alone decide. What only a running step knows stays as the author wrote it.
 *
 * I1. Nothing is read, started or written: no function of a template that has an effect is given.
 */
import type { Json } from "../../machines/model.ts";
import { standInWords } from "../../machines/step/stand-in.ts";
import type { Node, Transition, Workflow } from "../../machines/workflow/document.ts";
import { budgetWords } from "../../machines/workflow/lower/budget.ts";
import { planEntries } from "../../machines/workflow/plan.ts";
import { parseTemplate } from "../../machines/workflow/template/parse.ts";
import { render } from "../../machines/workflow/template/render.ts";
import { deedOf } from "../step-kinds.ts";
import { paint } from "./paint.ts";
import { safeLine, safeText } from "./safe.ts";

type Inputs = { readonly [name: string]: Json };
/**
 * `does` is what the step would run, say or visit; `next` where it would go. `call`: the workflow that it would call and
 * what with; `calls`: that workflow's own steps, or why they are not shown.
 */
export type PlannedStep = {
  name: string;
  kind: string;
  title: string;
  does: string[];
  next: string[];
  /** It is asked about first: with these words, and what a no means. */
  approval?: { message: string; onDeny: "skip" | "error" | "abort" };
  call?: { workflow: string; inputs: Inputs };
  calls?: Planned | { cut: string };
  /** What it may spend, and what takes its agent's place. */
  budget?: string;
  fallback?: string[];
};
export type Planned = {
  workflow: string;
  inputs: Inputs;
  standIns: readonly string[];
  steps: PlannedStep[];
  budget?: string;
};

export function plannedSteps(workflow: Workflow, inputs: Inputs): PlannedStep[] {
  const known = (text: string): string =>
    renderKnown(text, { inputs: { ...inputs }, workflow: { Name: workflow.name } });
  return planEntries(workflow).map(({ name, title, kind }) => {
    const node = workflow.states[name] as Node;
    const call = callOf(node, known);
    return {
      name,
      kind,
      title,
      does: node.type === "terminal" ? [] : [deedOf(node, known)],
      next: ways(node),
      ...approvalOf(node, known),
      ...(node.type === "terminal" ? {} : spendingOf(node)),
      ...(node.type === "agent" && node.fallback !== undefined ? { fallback: node.fallback.map(standInWords) } : {}),
      ...(call === null ? {} : { call }),
    };
  });
}

/** What a workflow or a step may spend, in words. */
export const spendingOf = ({ budget }: Pick<Workflow, "budget">): { budget?: string } =>
  budget === undefined ? {} : { budget: budgetWords(budget) };

function approvalOf(node: Node, known: (text: string) => string): Pick<PlannedStep, "approval"> {
  if (node.type === "terminal" || node.approval === null) return {};
  const { message, onDeny } = node.approval;
  return { approval: { message: message === null ? "" : known(message), onDeny } };
}
const DENIED = { skip: "it is skipped", error: "it fails", abort: "the run ends" } as const;

function callOf(node: Node, known: (text: string) => string): { workflow: string; inputs: Inputs } | null {
  if (node.type !== "call_workflow") return null;
  const inputs = Object.entries(node.inputs).map(([name, value]): [string, Json] => [
    name,
    typeof value === "string" ? known(value) : value,
  ]);
  return { workflow: known(node.workflow), inputs: Object.fromEntries(inputs) };
}

export function dryRunLines(planned: Planned, { colours }: { colours: boolean }): string[] {
  const { bold, dim } = paint(colours);
  const { workflow, inputs, standIns } = planned;
  const shown = Object.entries(inputs).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const head = `${bold(safeLine(workflow))} ${dim(`· dry run, nothing is started${shown.length === 0 ? "" : ` · ${safeLine(shown.join(" "))}`}`)}`;
  const needed =
    standIns.length === 0 ? [] : [dim(`  a run needs ${safeLine(standIns.join(", "))}: give it with -i name=value`)];
  const spends = planned.budget === undefined ? [] : [dim(`  budget: ${safeLine(planned.budget)}`)];
  return [head, ...spends, ...needed, ...stepLines(planned.steps, colours)];
}

function stepLines(steps: readonly PlannedStep[], colours: boolean): string[] {
  const { bold, cyan, dim, yellow } = paint(colours);
  return steps.flatMap(({ name, kind, title, does, next, calls, approval, budget, fallback = [] }) => [
    `  ${cyan("→")} ${bold(safeLine(name))} ${dim(`(${kind.replace("_", " ")})`)}${title === name ? "" : ` ${safeLine(title)}`}`,
    ...(approval === undefined
      ? []
      : [
          `      ${yellow("?")} asks first${approval.message === "" ? "" : `: ${safeLine(approval.message)}`} ${dim(`(after a no ${DENIED[approval.onDeny]})`)}`,
        ]),
    ...(budget === undefined ? [] : [`      ${dim(`budget: ${safeLine(budget)}`)}`]),
    ...fallback.map((one) => `      ${dim(`falls back to ${safeLine(one)}`)}`),
    ...does.flatMap((text) =>
      safeText(text)
        .trimEnd()
        .split("\n")
        .map((line) => `      ${line}`),
    ),
    ...(calls === undefined
      ? []
      : "cut" in calls
        ? [`      ${dim(safeLine(calls.cut))}`]
        : stepLines(calls.steps, colours).map((line) => `    ${line}`)),
    ...next.map((way) => `      ${dim(safeLine(way))}`),
  ]);
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
    ...named("on skip:", node.onSkip ?? null),
    ...named("on a conflict:", node.isolation?.onConflict ?? null),
  ];
}
