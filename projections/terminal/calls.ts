/**
 * The lines of tool calls: their titles, what they changed, why they failed.
 *
 * I1. Each call has one line with its title. An agent may begin a call before it knows what with: such a line waits for
 *     the next word of that call, which mostly brings the whole title, and at most until its step does something else.
 * I2. Why it failed is one line, of which the beginning is shown: it may be all that a command wrote.
 */
import type { RowOf, ToolFields } from "../../machines/exchange.ts";
import type { Paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { diffLine } from "./tool-words.ts";
import { brief } from "./width.ts";

type Line = { title: boolean; deeper: number; text: string };

export class ToolLines {
  readonly #paint: Paint;
  readonly #titles = new Map<string, string>();
  /** Calls without their line, by step. */
  readonly #held = new Map<string, Set<string>>();

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  begin(step: string, { call, title, status }: RowOf<"tool.call">["payload"]): Line[] {
    this.#titles.set(call, title);
    if (status !== "pending") return [this.#line(call)];
    this.#held.set(step, (this.#held.get(step) ?? new Set()).add(call));
    return [];
  }

  /** More is said of a call. */
  more(step: string, { call, title }: Pick<ToolFields, "call" | "title">): Line[] {
    if (title !== undefined) this.#titles.set(call, title);
    return this.#held.get(step)?.delete(call) === true ? [this.#line(call)] : [];
  }

  end(step: string, payload: RowOf<"tool.result">["payload"]): Line[] {
    const { call, status, content = [] } = payload;
    const lines = this.more(step, payload);
    const add = (text: string) => lines.push({ title: false, deeper: 1, text });
    for (const block of content) if (block.type === "diff") add(this.#paint.dim(diffLine(block)));
    if (status !== "failed") return lines;
    const said = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
    const reason = said === "" ? "" : `: ${brief(safeLine(said))}`;
    add(`${this.#paint.red("✗")} ${safeLine(this.#titles.get(call) ?? "the tool")} failed${reason}`);
    return lines;
  }

  /** The step does something else. */
  leave(step: string): Line[] {
    const held = [...(this.#held.get(step) ?? [])];
    this.#held.delete(step);
    return held.map((call) => this.#line(call));
  }

  #line(call: string): Line {
    return { title: true, deeper: 0, text: `${this.#paint.cyan("•")} ${safeLine(this.#titles.get(call) ?? "")}` };
  }
}
