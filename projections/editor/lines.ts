/**
 * What an editor would show of a session, written down line by line: the plan with its marks, a card for each tool
 * call, the agent's words as they come. It knows the protocol's updates only, as any client does.
 *
 * I1. Text of the other side goes through `safe.ts`.
 * I2. A card's content replaces what it had; it is written once, when the card has ended.
 * I3. A list of commands that comes while a prompt is worked on is shown when that has ended, and only the last one.
 * I4. A line that is wider than the terminal is broken between words, and goes on below its words. Words that are still
 *     being said are written as they come.
 */
import type {
  AvailableCommand,
  ContentBlock,
  PermissionOption,
  PlanEntry,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import { folding, type Projection } from "../shared/projection.ts";
import { editLines } from "../terminal/edit.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { SafeText, safeConsent, safeLine, safeText } from "../terminal/safe.ts";
import { Sheet } from "../terminal/sheet.ts";
import { diffLine } from "../terminal/tool-words.ts";
import { brief, widthOf, wrap } from "../terminal/width.ts";
import { count } from "../terminal/words.ts";

/** `asked`: what the card says was said by its question already. */
type Card = { title: string; content: readonly ToolCallContent[]; asked: boolean };
type Status = PlanEntry["status"];

const TAIL = 6;
const MARKS: { readonly [status in Status]: string } = { pending: "☐", in_progress: "◐", completed: "☑" };

/**
 * What happens in an editor: an update comes, a question is answered, it says something itself, a prompt begins or ends,
 * the agent says no more.
 */
export type EditorEvent =
  | { update: SessionUpdate }
  | { asked: RequestPermissionRequest; answer: PermissionOption | undefined }
  | { said: string }
  | { isWorking: boolean }
  | { isOver: true };

/** Cells of the terminal; null where it is none. */
type EditorOptions = { colours: boolean; columns: number | null };

/** Pieces of text to write one after the other, a batch for each event. */
export const editorLines = (options: EditorOptions): Projection<string[], EditorEvent> =>
  folding(
    () => new EditorLines(options),
    (lines, event: EditorEvent) => {
      if ("update" in event) return lines.show(event.update);
      if ("asked" in event) return lines.ask(event.asked, event.answer);
      if ("said" in event) return lines.say(event.said);
      if ("isOver" in event) return lines.end();
      return lines.work(event.isWorking);
    },
  );

class EditorLines {
  readonly #sheet = new Sheet();
  readonly #paint: Paint;
  readonly #cards = new Map<string, Card>();
  #plan: readonly string[] = [];
  #isWorking = false;
  #commands: readonly AvailableCommand[] = [];
  #safe = new SafeText();

  readonly #options: EditorOptions;
  constructor(options: EditorOptions) {
    this.#options = options;
    this.#paint = paint(options.colours);
  }

  /** A line of the editor's own. */
  say(text: string): string[] {
    this.#line("", text);
    return this.#sheet.take();
  }

  /** No line stays open. */
  end(): string[] {
    this.#sheet.close();
    return this.#sheet.take();
  }
  work(isWorking: boolean): string[] {
    this.#isWorking = isWorking;
    if (!isWorking) this.#showCommands();
    return this.#sheet.take();
  }

  show(update: SessionUpdate): string[] {
    const { cyan, dim } = this.#paint;
    switch (update.sessionUpdate) {
      case "available_commands_update":
        this.#commands = update.availableCommands;
        if (!this.#isWorking) this.#showCommands();
        break;
      case "plan":
        this.#showPlan(update.entries);
        break;
      case "agent_message_chunk":
        this.#words("agent", update.content, (text) => text);
        break;
      case "agent_thought_chunk":
        this.#words("thought", update.content, dim);
        break;
      case "tool_call": {
        const { toolCallId, title, kind, content = [], status } = update;
        this.#cards.set(toolCallId, { title, content: content ?? [], asked: false });
        this.#line(`${cyan("┌")} `, `${safeLine(brief(title))} ${dim(`(${kind ?? "other"})`)}`);
        this.#end(toolCallId, status ?? "in_progress");
        break;
      }
      case "tool_call_update": {
        const card = this.#cards.get(update.toolCallId) ?? { title: update.toolCallId, content: [], asked: false };
        const { title, content, status } = update;
        this.#cards.set(update.toolCallId, { ...card, title: title ?? card.title, content: content ?? card.content });
        this.#end(update.toolCallId, status ?? "in_progress");
        break;
      }
      default:
        break;
    }
    return this.#sheet.take();
  }

  /** A question, whole, with the answer that is given to it. */
  ask({ toolCall, options }: RequestPermissionRequest, answer: PermissionOption | undefined): string[] {
    const { bold, green, yellow } = this.#paint;
    const { toolCallId, title, content } = toolCall;
    const card = this.#cards.get(toolCallId);
    if (card !== undefined) this.#cards.set(toolCallId, { ...card, asked: true });
    const question = title ?? card?.title ?? "May it?";
    this.#line(`${yellow("?")} `, bold(safeConsent(question)));
    for (const one of content ?? []) {
      if (one.type === "diff") {
        const { path, oldText = null, newText } = one;
        const { colours, columns } = this.#options;
        const options = { colours, columns: columns === null ? null : columns - 2 };
        for (const line of editLines({ path, oldText, newText }, options)) this.#line("  ", line);
        continue;
      }
      if (one.type !== "content" || one.content.type !== "text" || question.includes(one.content.text)) continue;
      for (const line of safeConsent(one.content.text).split("\n")) this.#line("  ", line);
    }
    for (const option of options) this.#line(`  ${option === answer ? green("●") : "○"} `, safeConsent(option.name));
    return this.#sheet.take();
  }

  #showCommands(): void {
    const { cyan, dim } = this.#paint;
    for (const { name, description, input } of this.#commands) {
      const hint = input == null ? "" : ` ${input.hint}`;
      this.#line("", `${cyan(`/${safeLine(name)}`)}${dim(safeLine(hint))}  ${safeLine(description)}`, "  ");
    }
    this.#commands = [];
  }

  /** The whole plan at first; then what has changed in it. */
  #showPlan(entries: readonly PlanEntry[]): void {
    const lines = entries.map(({ content, status }) => `${MARKS[status]} ${safeLine(content)}`);
    const before = new Set(this.#plan);
    const changed = lines.filter((line) => !before.has(line));
    const gone = this.#plan.length - lines.length;
    if (this.#plan.length === 0 && lines.length > 0) {
      this.#sheet.line(this.#paint.bold("Plan"));
      for (const line of lines) this.#line(`  ${line.slice(0, 2)}`, line.slice(2));
    } else {
      const words = gone > 0 ? [...changed, `${gone} not needed`] : changed;
      if (words.length > 0) this.#line(this.#paint.dim("plan: "), this.#paint.dim(words.join("  ")));
    }
    this.#plan = lines;
  }

  #words(speaker: string, content: ContentBlock, style: (text: string) => string): void {
    if (content.type !== "text") return this.#sheet.line(this.#paint.dim(`(${content.type})`));
    this.#sheet.say({ speaker, margin: "", style }, this.#safe.push(content.text));
  }

  #end(id: string, status: string): void {
    const card = this.#cards.get(id);
    if (card === undefined || (status !== "completed" && status !== "failed")) return;
    this.#cards.delete(id);
    const { dim, green, red } = this.#paint;
    const content = card.asked ? [] : card.content;
    for (const line of content.flatMap(contentLines)) this.#line(`${dim("│")} `, line, `${dim("│")} `);
    const mark = status === "completed" ? green("✓") : red("✗");
    this.#line(`${dim("└")} ${mark} `, safeLine(brief(card.title)));
  }

  /** A line of its own, broken where the terminal is narrower (I4). `next`: stands before each line but the first. */
  #line(lead: string, text: string, next: string = " ".repeat(widthOf(lead))): void {
    const { columns } = this.#options;
    const room = columns === null ? null : Math.max(1, columns - Math.max(widthOf(lead), widthOf(next)));
    for (const [index, line] of wrap(text, room).entries()) this.#sheet.line((index === 0 ? lead : next) + line);
  }
}

function contentLines(content: ToolCallContent): string[] {
  switch (content.type) {
    case "content": {
      if (content.content.type !== "text") return [`(${content.content.type})`];
      const lines = unfenced(safeText(content.content.text).trimEnd().split("\n"));
      return lines.length <= TAIL ? lines : [`… ${count(lines.length - TAIL, "line")} above`, ...lines.slice(-TAIL)];
    }
    case "diff": {
      const { path, oldText = null, newText } = content;
      const added = safeText(newText).trimEnd().split("\n");
      return [diffLine({ path, oldText, newText }), ...added.slice(0, TAIL).map((line) => `+ ${line}`)];
    }
    case "terminal":
      return ["(terminal)"];
    default:
      return [];
  }
}

/** An editor shows a fenced block as a block; here its fence is only noise. */
const unfenced = (lines: string[]): string[] =>
  lines.length > 2 && /^```/.test(lines[0] ?? "") && lines.at(-1) === "```" ? lines.slice(1, -1) : lines;
