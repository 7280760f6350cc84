/**
 * A conversation with an agent as a terminal shows it: lines that stay, and below them what is still on its way. H45–H47.
 *
 * I1. Text of the other side goes through `safe.ts`; what is decided by is shown whole, with nothing invisible in it.
 * I2. A line stays as soon as it is whole; only the one that is being said can change.
 * I3. Thoughts are folded to one line, and can be read.
 * I4. It is the same for what happens now and for what was kept.
 */

import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ChatEvent } from "../../machines/conversation/event.ts";
import { prefaceWords } from "../../machines/conversation/preface.ts";
import { notReadWords } from "../../machines/not-read.ts";
import { folding, type Projection } from "../shared/projection.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { SafeText, safeLine, safeText } from "../terminal/safe.ts";
import { brief, wrap } from "../terminal/width.ts";
import { count } from "../terminal/words.ts";
import { MarkdownLines } from "../ui/markdown.ts";
import { ChatCards } from "./cards.ts";
import { answerLine, editedLine, questionLines } from "./decided.ts";
import { type PlanLine, type ToldBlock, type ToldUpdate, toldOf } from "./told.ts";

export type ChatOptions = { colours: boolean; columns: () => number | null };
type Saying = { by: "agent" | "thought"; safe: SafeText; open: string };

const PLAN = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

/** Lines that stay, a batch for each event. */
export const chatLines = (options: ChatOptions): Projection<string[], ChatEvent> =>
  folding(
    () => new ChatFold(options),
    (fold, event: ChatEvent) => fold.take(event),
  );

export class ChatFold {
  readonly #options: ChatOptions;
  readonly #paint: Paint;
  readonly #cards: ChatCards;
  readonly #unknown = new Set<string>();
  #markdown: MarkdownLines;
  #saying: Saying | null = null;
  #thought: string[] = [];
  #plan: readonly PlanLine[] = [];
  /** Thoughts are shown as they come. */
  showsThoughts = false;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#paint = paint(options.colours);
    this.#cards = new ChatCards(options.colours);
    this.#markdown = new MarkdownLines(options.colours);
  }

  /** The lines that an event leaves. */
  take(event: ChatEvent): string[] {
    const { dim, red, yellow } = this.#paint;
    switch (event.type) {
      case "update":
        return this.#wrapped(this.#updated(toldOf(event.update)));
      case "prompted":
        return this.#wrapped([...this.#over(), "", ...this.#prompted(event.blocks as unknown as ContentBlock[])]);
      case "ended":
        return this.#wrapped([...this.#over(), ...this.#end(event.outcome, event.why)]);
      case "asked":
        this.#cards.asked(event.question.diffs);
        return this.#wrapped([...this.#said(), ...questionLines(event.question, this.#options)]);
      case "answered":
        return [answerLine(event, this.#options)];
      case "edited":
        return [editedLine(event.edit, this.#options)];
      case "opened":
        return event.by === "new" ? [] : [dim("— the agent has the conversation again —")];
      case "lost": {
        const what = event.isUnknown ? "What became of the prompt is unknown; it is not sent again." : "";
        const why = event.why === "" ? "" : `: ${safeText(event.why)}`;
        return this.#wrapped([
          ...this.#over(),
          red(`✗ the agent is gone${why}`),
          ...(what === "" ? [] : [yellow(what)]),
        ]);
      }
      case "view only":
        return this.#wrapped([yellow(`It can only be viewed: ${safeLine(event.why)}`)]);
      case "notice":
        return this.#wrapped([dim(safeText(event.message))]);
      case "state":
        return [];
      default:
        return event satisfies never;
    }
  }

  /** What is on its way, as lines that may still change. */
  get live(): string[] {
    const { dim } = this.#paint;
    const saying = this.#saying;
    const open =
      saying === null
        ? []
        : saying.by === "agent"
          ? wrap(this.#markdown.open(saying.open), this.#options.columns()).slice(-4)
          : [dim(`∴ ${safeLine(saying.open.trim() || (this.#thought.at(-1) ?? "…"))}`)];
    const plan = this.#plan.map((one) => `  ${this.#planLine(one)}`);
    return [...open, ...this.#cards.running, ...(plan.length === 0 ? [] : [dim("plan"), ...plan])];
  }
  /** The thought that was folded last. */
  get lastThought(): string[] {
    return this.#wrapped(this.#thought.map((line) => this.#paint.dim(`  ${line}`)));
  }

  #updated(update: ToldUpdate): string[] {
    switch (update.type) {
      case "said":
        return this.#say(update.by, update.block);
      case "call":
        return [...this.#said(), ...this.#cards.take(update.call)];
      case "plan":
        this.#plan = update.entries;
        return [];
      case "notice":
        return [this.#paint.dim(safeLine(brief(update.title)))];
      case "nothing":
        return [];
      case "other": {
        const { kind, why } = update;
        const unread = notReadWords({ sessionUpdate: kind, why });
        if (unread !== null) return [...this.#said(), this.#paint.dim(safeLine(unread))];
        if (this.#unknown.has(kind)) return [];
        this.#unknown.add(kind);
        return [this.#paint.dim(`unsupported update: ${safeLine(kind)}`)];
      }
      default:
        return update satisfies never;
    }
  }

  #say(by: Saying["by"], { type, text }: ToldBlock): string[] {
    const lines = this.#saying === null || this.#saying.by === by ? [] : this.#said();
    if (text === null) return [...lines, ...this.#said(), this.#paint.dim(`(${safeLine(type)})`)];
    if (this.#saying === null && by === "thought") this.#thought = [];
    if (this.#saying === null && by === "agent") this.#markdown = new MarkdownLines(this.#options.colours);
    this.#saying ??= { by, safe: new SafeText(), open: "" };
    const pieces = (this.#saying.open + this.#saying.safe.push(text)).split("\n");
    this.#saying.open = pieces.pop() ?? "";
    return [...lines, ...pieces.flatMap((line) => this.#line(by, line))];
  }
  #line(by: Saying["by"], line: string): string[] {
    if (by === "agent") return [this.#markdown.line(line)];
    this.#thought.push(line);
    return this.showsThoughts ? [this.#paint.dim(`  ${line}`)] : [];
  }
  /** Ends what was being said. */
  #said(): string[] {
    const saying = this.#saying;
    if (saying === null) return [];
    this.#saying = null;
    const last = saying.open === "" ? [] : this.#line(saying.by, saying.open);
    if (saying.by === "agent" || this.showsThoughts) return last;
    return [this.#paint.dim(`∴ thought, ${count(this.#thought.length, "line")}`)];
  }
  #over(): string[] {
    const plan = this.#plan.map((one) => `  ${this.#planLine(one)}`);
    this.#plan = [];
    return [...this.#said(), ...this.#cards.cut(), ...(plan.length === 0 ? [] : [this.#paint.dim("plan"), ...plan])];
  }
  #planLine({ content, status }: PlanLine): string {
    return `${PLAN[status]} ${safeLine(content)}`;
  }
  #prompted(blocks: readonly ContentBlock[]): string[] {
    const { bold, cyan, dim } = this.#paint;
    return blocks.flatMap((block) => {
      switch (block.type) {
        case "text": {
          const preface = prefaceWords(block.text);
          if (preface !== null) return [dim(`  (${safeLine(preface)})`)];
          const [first = "", ...rest] = safeText(block.text).split("\n");
          return [`${cyan("❯")} ${bold(first)}`, ...rest.map((line) => `  ${bold(line)}`)];
        }
        case "resource_link":
          return [dim(`  ↳ ${safeLine(block.name)}`)];
        default:
          return [dim(`  ↳ ${safeLine("mimeType" in block ? (block.mimeType ?? block.type) : block.type)}`)];
      }
    });
  }
  #end(outcome: string, why: string): string[] {
    const { red, yellow } = this.#paint;
    if (outcome === "end_turn") return [];
    if (outcome === "cancelled") return [yellow("— cancelled —")];
    return [red(outcome === "failed" ? `✗ ${safeText(why)}` : `✗ the agent stopped: ${safeLine(outcome)}`)];
  }
  #wrapped(lines: readonly string[]): string[] {
    return lines.flatMap((line) => wrap(line.replaceAll("\t", "    "), this.#options.columns()));
  }
}
