/** A tool call of a conversation as a card: one line while it runs, what it brought when it has ended. H45. */
import { editLines } from "../terminal/edit.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { safeLine, safeText } from "../terminal/safe.ts";
import { brief } from "../terminal/width.ts";
import { count } from "../terminal/words.ts";
import type { ToldCall, ToldContent } from "./told.ts";

type Card = { title: string; kind: string; content: readonly ToldContent[]; asked: boolean; shown: string };

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
  take({ id, title, kind, status, content, beside }: ToldCall): string[] {
    const before = this.#open.get(id) ?? {
      title: "a tool",
      kind: "",
      content: [],
      asked: false,
      shown: "",
    };
    const card: Card = {
      ...before,
      ...(title ? { title: brief(title) } : {}),
      ...(kind ? { kind } : {}),
      ...(content === null ? {} : { content }),
      ...(beside !== null ? { shown: (before.shown + beside).slice(-8_000) } : {}),
    };
    this.#open.set(id, card);
    if (status !== "completed" && status !== "failed") return [];
    this.#open.delete(id);
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
  #content(content: ToldContent, asked: boolean): string[] {
    const { dim } = this.#paint;
    switch (content.type) {
      case "content":
        if (content.block.text === null) return [dim(`(${safeLine(content.block.type)})`)];
        return tailOf(content.block.text).map(dim);
      case "diff": {
        const { path, oldText, newText } = content;
        const lines = editLines({ path, oldText, newText }, { colours: this.#colours });
        if (asked) return lines.slice(0, 1);
        return lines.length <= DIFF
          ? lines
          : [...lines.slice(0, DIFF), dim(`… ${count(lines.length - DIFF, "more line")}`)];
      }
      default:
        return content satisfies never;
    }
  }
}

function tailOf(text: string): string[] {
  const all = safeText(text).trimEnd().split("\n");
  const lines = all.length > 2 && /^```/.test(all[0] ?? "") && all.at(-1) === "```" ? all.slice(1, -1) : all;
  if (lines.length === 1 && lines[0] === "") return [];
  const last = lines.slice(-TAIL).map(brief);
  return lines.length <= TAIL ? last : [`… ${count(lines.length - TAIL, "line")} above`, ...last];
}
