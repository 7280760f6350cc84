/**
 * A run as two faces show it, step by step, in one form: a terminal's lines and an editor's updates.
 *
 * V1. Each is read only from the output for that face. Ids, times, indents and colours are left out.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { updatesOf } from "../support/acp-editor.ts";
import type { Sent } from "../support/acp-schema.ts";

/** A step: its lines while it runs, and its mark in the end. */
export type Seen = { step: string; title: string; lines: string[]; end: string };

/** The steps of a run, from the lines of `troupe run`. */
export function seenOnTerminal(lines: readonly string[]): Seen[] {
  const steps: Seen[] = [];
  for (const line of lines) {
    const [, mark, name = "", rest = ""] = /^ {2}([→✓✗■○]) (\S+)(?: (.*))?$/.exec(line) ?? [];
    const open = steps.at(-1);
    if (mark === "→") steps.push({ step: name, title: rest, lines: [], end: "" });
    else if (mark !== undefined && open?.step === name) open.end = mark === "✓" ? "completed" : mark;
    else if (open !== undefined && open.end === "") open.lines.push(line.trim());
  }
  return steps;
}

type Item = { step: string; kind: "text" | "card"; text: string; status: string };

/** The steps of a run, from the updates of an editor: words and cards by their ids, titles and ends from the plan. */
export function seenInEditor(trace: readonly Sent[], rows: readonly Exchange[]): Seen[] {
  const items = new Map<string, Item>();
  let plan: { content: string; status: string }[] = [];
  for (const { update } of updatesOf(trace)) {
    const { sessionUpdate, messageId, toolCallId, content, title, status, entries } = update as {
      [name: string]: string;
    };
    switch (sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const item = items.get(messageId ?? "") ?? {
          step: stepIn(messageId ?? ""),
          kind: "text",
          text: "",
          status: "",
        };
        items.set(messageId ?? "", { ...item, text: item.text + (content as unknown as { text: string }).text });
        break;
      }
      case "tool_call":
      case "tool_call_update": {
        const item = items.get(toolCallId ?? "") ?? {
          step: stepIn(toolCallId ?? ""),
          kind: "card",
          text: "",
          status: "",
        };
        items.set(toolCallId ?? "", { ...item, text: title ?? item.text, status: status ?? item.status });
        break;
      }
      case "plan":
        plan = entries as unknown as typeof plan;
    }
  }
  const names = planNames(rows);
  const taken = stepsOf(rows);
  expectAllCardsClosed([...items.values()]);
  return plan
    .map(({ content, status }) => ({ title: content.replace(USED, ""), end: status }))
    .map(({ title, end }) => ({ step: names.get(title) ?? title, title, end }))
    .toSorted((a, b) => taken.indexOf(a.step) - taken.indexOf(b.step))
    .map((entry) => ({ ...entry, lines: linesOf([...items.values()].filter(({ step }) => step === entry.step)) }));
}

/** What an entry says of use. */
const USED = / \([\d,]+ tokens?(, [^)]*)?\)$/;
/** A step's first words begin a paragraph: that is between it and the step before. */
const linesOf = (items: readonly Item[]): string[] =>
  items.flatMap(({ kind, text }) => (kind === "card" ? [`• ${text}`] : text.replace(/^\n\n/, "").split("\n")));

/** `<run>/<step>@<attempt>.<number>`, the id of a block or a call. */
const stepIn = (id: string): string => /^[^/]+\/([^@]+)@/.exec(id)?.[1] ?? id;

function expectAllCardsClosed(items: readonly Item[]): void {
  const open = items.filter(({ kind, status }) => kind === "card" && status !== "completed");
  if (open.length > 0) throw new Error(`cards that did not end well: ${JSON.stringify(open)}`);
}

/** The steps of a log in the order in which they began. */
export const stepsOf = (rows: readonly Exchange[]): string[] =>
  rows.flatMap((row) => (row.type === "step.started" ? [row.step ?? ""] : []));
const planNames = (rows: readonly Exchange[]): Map<string, string> =>
  new Map(
    rows.flatMap((row) =>
      row.type === "run.started" ? row.payload.plan.map(({ name, title }) => [title, name] as const) : [],
    ),
  );
