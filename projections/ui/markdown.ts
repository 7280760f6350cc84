/** Lines of an agent's words with their Markdown seen: headings and emphasis bold, code and quotes dim. Nothing is left out but the marks. */
import { type Paint, paint } from "../terminal/paint.ts";

/** Lines as they come, of text that is safe; a fence is remembered from line to line. */
export class MarkdownLines {
  readonly #paint: Paint;
  #isCode = false;
  constructor(colours: boolean) {
    this.#paint = paint(colours);
  }

  /** A whole line. */
  line(text: string): string {
    const isFence = /^\s*(```|~~~)/.test(text);
    const shown = isFence ? this.#paint.dim(text) : this.open(text);
    if (isFence) this.#isCode = !this.#isCode;
    return shown;
  }
  /** A line that may be continued. */
  open(text: string): string {
    return this.#isCode ? this.#paint.cyan(text) : lineOf(text, this.#paint);
  }
}

/** Of text that is safe, as whole lines. */
export function markdownLines(lines: readonly string[], colours: boolean): string[] {
  const markdown = new MarkdownLines(colours);
  return lines.map((line) => markdown.line(line));
}

function lineOf(line: string, paints: Paint): string {
  const [, margin = "", heading] = /^(\s*)#{1,6} (.*)$/.exec(line) ?? [];
  if (heading !== undefined) return margin + paints.bold(heading);
  const [, before = "", item] = /^(\s*)[-*+] (.*)$/.exec(line) ?? [];
  if (item !== undefined) return `${before}• ${inline(item, paints)}`;
  return /^\s*> /.test(line) ? paints.dim(line) : inline(line, paints);
}
const inline = (text: string, { bold, cyan }: Paint): string =>
  text
    .replace(/`([^`]+)`/g, (_, code: string) => cyan(code))
    .replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => bold(strong));
