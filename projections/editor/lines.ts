/**
 * What an editor would show of a session, written down line by line: the plan with its marks, a card for each tool
 * call, the agent's words as they come. It knows the protocol's updates only, as any client does.
 *
 * I1. Text of the other side goes through `safe.ts`.
 * I2. A card's content replaces what it had; it is written once, when the card has ended.
 */
import type { ContentBlock, PlanEntry, SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import { type Paint, paint } from "../terminal/paint.ts";
import { SafeText, safeLine, safeText } from "../terminal/safe.ts";
import { Sheet } from "../terminal/sheet.ts";
import { diffLine } from "../terminal/tool-words.ts";

type Card = { title: string; content: readonly ToolCallContent[] };
type Status = PlanEntry["status"];

const TAIL = 6;
const MARKS: { readonly [status in Status]: string } = { pending: "☐", in_progress: "◐", completed: "☑" };

export class EditorLines {
  readonly #sheet = new Sheet();
  readonly #paint: Paint;
  readonly #cards = new Map<string, Card>();
  #plan: readonly string[] = [];
  #safe = new SafeText();

  constructor({ colours }: { colours: boolean }) {
    this.#paint = paint(colours);
  }

  /** A line of the editor's own. */
  say(text: string): string[] {
    this.#sheet.line(text);
    return this.#sheet.take();
  }

  show(update: SessionUpdate): string[] {
    const { cyan, dim } = this.#paint;
    switch (update.sessionUpdate) {
      case "available_commands_update":
        for (const { name, description, input } of update.availableCommands) {
          const hint = input == null ? "" : ` ${input.hint}`;
          this.#sheet.line(`${cyan(`/${safeLine(name)}`)}${dim(safeLine(hint))}  ${safeLine(description)}`);
        }
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
        this.#cards.set(toolCallId, { title, content: content ?? [] });
        this.#sheet.line(`${cyan("┌")} ${safeLine(title)} ${dim(`(${kind ?? "other"})`)}`);
        this.#end(toolCallId, status ?? "in_progress");
        break;
      }
      case "tool_call_update": {
        const card = this.#cards.get(update.toolCallId) ?? { title: update.toolCallId, content: [] };
        const { title, content, status } = update;
        this.#cards.set(update.toolCallId, { title: title ?? card.title, content: content ?? card.content });
        this.#end(update.toolCallId, status ?? "in_progress");
        break;
      }
      default:
        break;
    }
    return this.#sheet.take();
  }

  /** The whole plan at first; then what has changed in it. */
  #showPlan(entries: readonly PlanEntry[]): void {
    const lines = entries.map(({ content, status }) => `  ${MARKS[status]} ${safeLine(content)}`);
    const before = new Set(this.#plan);
    const changed = lines.filter((line) => !before.has(line));
    const gone = this.#plan.length - lines.length;
    if (this.#plan.length === 0 && lines.length > 0) this.#sheet.line(this.#paint.bold("Plan"));
    for (const line of changed)
      this.#sheet.line(this.#plan.length === 0 ? line : this.#paint.dim(`${line.trimStart()}  (plan)`));
    if (this.#plan.length > 0 && gone > 0) this.#sheet.line(this.#paint.dim(`${gone} not needed  (plan)`));
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
    for (const line of card.content.flatMap(contentLines)) this.#sheet.line(`${dim("│")} ${line}`);
    const mark = status === "completed" ? green("✓") : red("✗");
    this.#sheet.line(`${dim("└")} ${mark} ${safeLine(card.title)}`);
  }
}

function contentLines(content: ToolCallContent): string[] {
  switch (content.type) {
    case "content": {
      if (content.content.type !== "text") return [`(${content.content.type})`];
      const lines = safeText(content.content.text).trimEnd().split("\n");
      return lines.length <= TAIL ? lines : [`… ${lines.length - TAIL} lines above`, ...lines.slice(-TAIL)];
    }
    case "diff": {
      const { path, oldText = null, newText } = content;
      const added = safeText(newText).trimEnd().split("\n");
      return [diffLine({ type: "diff", path, oldText, newText }), ...added.slice(0, TAIL).map((line) => `+ ${line}`)];
    }
    case "terminal":
      return ["(terminal)"];
    default:
      return [];
  }
}
