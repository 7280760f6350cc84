/** A tool call of a conversation as a card: one line while it runs, what it brought when it has ended. H45. */
import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import { editLines } from "../terminal/edit.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { safeLine, safeText } from "../terminal/safe.ts";
import { brief } from "../terminal/width.ts";

type Call = Extract<SessionUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>;
type Card = { title: string; kind: string; content: readonly ToolCallContent[]; asked: boolean; shown: string };

/** Last lines of an output; of a diff, lines that were exchanged. */
const TAIL = 6;
const DIFF = 40;

export class ChatCards {
  readonly #colours: boolean;
  readonly #paint: Paint;
  readonly #open = new Map<string, Card>();
  constructor(colours: boolean) {
    this.#colours = colours;
    this.#paint = paint(colours);
  }

  /** Lines of a card that has ended; else nothing. */
  take(call: Call): string[] {
    const before = this.#open.get(call.toolCallId) ?? {
      title: "a tool",
      kind: "",
      content: [],
      asked: false,
      shown: "",
    };
    const { title, kind, content, status } = call;
    const beside = (call._meta as { terminal_output_delta?: { data?: unknown } } | null)?.terminal_output_delta?.data;
    const card: Card = {
      ...before,
      ...(title ? { title: brief(title) } : {}),
      ...(kind ? { kind } : {}),
      ...(content ? { content } : {}),
      ...(typeof beside === "string" ? { shown: (before.shown + beside).slice(-8_000) } : {}),
    };
    this.#open.set(call.toolCallId, card);
    if (status !== "completed" && status !== "failed") return [];
    this.#open.delete(call.toolCallId);
    return this.#ended(card, status === "completed");
  }
  /** What it wants was shown whole by its question. */
  asked(diffs: readonly { path: string; newText: string }[]): void {
    for (const [id, card] of this.#open)
      if (card.content.some((one) => one.type === "diff" && diffs.some(({ path }) => path === one.path)))
        this.#open.set(id, { ...card, asked: true });
  }
  /** No more comes of those that are open. */
  cut(): string[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    return open.map(
      ({ title }) => `${this.#paint.dim("◌")} ${safeLine(title)} ${this.#paint.dim("(no end was told)")}`,
    );
  }
  /** One line for each that runs. */
  get running(): string[] {
    const { yellow, dim } = this.#paint;
    return [...this.#open.values()].map(
      ({ title, kind }) => `${yellow("◐")} ${safeLine(title)} ${dim(safeLine(kind))}`,
    );
  }

  #ended({ title, content, asked, shown }: Card, well: boolean): string[] {
    const { dim, green, red } = this.#paint;
    const lines = content.flatMap((one) => this.#content(one, asked));
    const beside = content.length === 0 && shown !== "" ? tailOf(shown) : [];
    return [
      `${well ? green("✓") : red("✗")} ${safeLine(title)}`,
      ...[...lines, ...beside.map(dim)].map((line) => `  ${dim("│")} ${line}`),
    ];
  }
  #content(content: ToolCallContent, asked: boolean): string[] {
    const { dim } = this.#paint;
    switch (content.type) {
      case "content":
        if (content.content.type !== "text") return [dim(`(${content.content.type})`)];
        return tailOf(content.content.text).map(dim);
      case "diff": {
        const { path, oldText = null, newText } = content;
        const lines = editLines({ path, oldText, newText }, { colours: this.#colours });
        if (asked) return lines.slice(0, 1);
        return lines.length <= DIFF ? lines : [...lines.slice(0, DIFF), dim(`… ${lines.length - DIFF} more lines`)];
      }
      default:
        return [];
    }
  }
}

function tailOf(text: string): string[] {
  const all = safeText(text).trimEnd().split("\n");
  const lines = all.length > 2 && /^```/.test(all[0] ?? "") && all.at(-1) === "```" ? all.slice(1, -1) : all;
  if (lines.length === 1 && lines[0] === "") return [];
  const last = lines.slice(-TAIL).map(brief);
  return lines.length <= TAIL ? last : [`… ${lines.length - TAIL} lines above`, ...last];
}
