/** Lines of an agent's words with their Markdown seen: headings and emphasis bold, code and quotes dim. Nothing is left out but the marks. */
import { type Paint, paint } from "../terminal/paint.ts";

/** Of text that is safe, as whole lines; fences are remembered from line to line. */
export function markdownLines(lines: readonly string[], colours: boolean): string[] {
  const paints = paint(colours);
  let isCode = false;
  return lines.map((line) => {
    if (/^\s*(```|~~~)/.test(line)) {
      isCode = !isCode;
      return paints.dim(line);
    }
    return isCode ? paints.cyan(line) : lineOf(line, paints);
  });
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
