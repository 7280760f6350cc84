/**
 * Texts of agents and programs.
 *
 * I1. They become text of the document and nothing else: no element of theirs, no picture, no link that could be followed.
 * I2. A text is drawn anew only when it has changed.
 */

import { guard } from "lit/directives/guard.js";
import { html, type TemplateResult } from "lit/html.js";
import { marked, type Token, type Tokens } from "marked";
import { type Painted, paintedLines } from "../../../../projections/page/ansi.ts";
import type { ShownText } from "../../../../projections/page/detail.ts";
import { lineTimes } from "../../../../projections/page/line-times.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { countText } from "../../../../projections/page/spoken.ts";
import { timeView } from "./marks.ts";

type Drawn = TemplateResult | string | readonly Drawn[];

const cutNote = ({ cut }: ShownText): Drawn =>
  cut === 0 ? "" : html`<p class="cut">${countText(cut)} characters before this are not shown</p>`;

/** What an agent said, with the structure of its Markdown. */
export const markdown = (words: ShownText): Drawn =>
  html`${cutNote(words)}<div class="prose">${guard([words.text], () => blocks(marked.lexer(visible(words.text))))}</div>`;

const blocks = (tokens: readonly Token[]): Drawn => tokens.map(block);
const inline = (tokens: readonly Token[] | undefined, text: string): Drawn =>
  tokens === undefined ? text : tokens.map(span);

function block(token: Token): Drawn {
  switch (token.type) {
    case "heading":
      return html`<p class="heading h${(token as Tokens.Heading).depth}">${inline(token.tokens, token.raw)}</p>`;
    case "paragraph":
      return html`<p>${inline(token.tokens, token.raw)}</p>`;
    case "text":
      return inline(token.tokens, (token as Tokens.Text).text);
    case "code":
      return html`<pre tabindex="0"><code>${(token as Tokens.Code).text}</code></pre>`;
    case "blockquote":
      return html`<blockquote>${blocks(token.tokens ?? [])}</blockquote>`;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return html`<hr>`;
    case "space":
    case "def":
      return "";
    default:
      return html`<p>${token.raw}</p>`;
  }
}

function list({ ordered, items }: Tokens.List): Drawn {
  const rows = items.map(
    ({ task, checked, tokens }) => html`<li>${task ? (checked === true ? "☑ " : "☐ ") : ""}${blocks(tokens)}</li>`,
  );
  return ordered ? html`<ol>${rows}</ol>` : html`<ul>${rows}</ul>`;
}
const table = ({ header, rows }: Tokens.Table): Drawn =>
  html`<div class="scroll" tabindex="0"><table><thead><tr>${header.map((cell) => html`<th>${inline(cell.tokens, cell.text)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell.tokens, cell.text)}</td>`)}</tr>`)}</tbody></table></div>`;

function span(token: Token): Drawn {
  switch (token.type) {
    case "strong":
      return html`<strong>${inline(token.tokens, token.raw)}</strong>`;
    case "em":
      return html`<em>${inline(token.tokens, token.raw)}</em>`;
    case "del":
      return html`<s>${inline(token.tokens, token.raw)}</s>`;
    case "codespan":
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case "br":
      return html`<br>`;
    case "link":
      return html`<span class="link">${inline(token.tokens, token.raw)} <small>${(token as Tokens.Link).href}</small></span>`;
    case "image":
      return html`<span class="link">[picture: ${(token as Tokens.Image).text}] <small>${(token as Tokens.Image).href}</small></span>`;
    case "escape":
      return (token as Tokens.Escape).text;
    case "text":
      return inline(token.tokens, (token as Tokens.Text).text);
    default:
      return token.raw;
  }
}

/** `at`: what names a line, but for its number; `line`: the one that the address means. */
type Output = {
  words: ShownText;
  at: number;
  line: string | null;
  /** Whether it is said when each line came. */
  isTimed: boolean;
  choose: (line: string) => void;
};
/** What a program printed, in its colours; a line's number is its link. */
export const output = ({ words, at, line, isTimed, choose }: Output): Drawn => {
  // Of what is not committed yet it changes.
  const times = isTimed ? lineTimes(words) : [];
  return html`${cutNote(words)}<div class="output ${isTimed ? "timed" : ""}" tabindex="0" role="group" aria-label="Output">${guard(
    [words.text, words.cutLines, line, times.join()],
    () => {
      const lines = paintedLines(words.text.replace(/\n$/, ""));
      return lines.map((pieces, index) => {
        const number = words.cutLines + index + 1;
        const name = `${at}.${number}`;
        return html`<div class="line ${name === line ? "meant" : ""}" data-line=${name}><button class="number" aria-label="line ${number}"
        @click=${() => choose(name)}>${number}</button>${isTimed ? timeView(times[index] ?? 0) : ""}<span class="words">${pieces.map(painted)}</span></div>`;
      });
    },
  )}</div>`;
};

const painted = ({ text, colour, ground, bold, dim, italic, underline }: Painted): Drawn => {
  const looks = [
    ...(colour === null ? [] : [`c${colour}`]),
    ...(ground === null ? [] : [`g${ground}`]),
    ...(bold ? ["bold"] : []),
    ...(dim ? ["dim"] : []),
    ...(italic ? ["italic"] : []),
    ...(underline ? ["underline"] : []),
  ];
  return looks.length === 0 ? text : html`<span class=${looks.join(" ")}>${text}</span>`;
};
