/** What stands below the lines of a conversation: what is on its way, what is asked, what waits, what is typed, where one is. */
import type { ChatQuestion } from "../../machines/conversation/event.ts";
import { paint } from "../terminal/paint.ts";
import { safeConsent, safeLine } from "../terminal/safe.ts";
import { shorten, widthOf, wrap } from "../terminal/width.ts";
import { type UiPlace, windowOf } from "../ui/frame.ts";
import { optionLines } from "./decided.ts";

export type RegionView = {
  live: readonly string[];
  /** `waits`: keys are for what is typed, until who types pauses. */
  question: { asked: ChatQuestion; chosen: number; waits: boolean } | null;
  waiting: readonly { text: string }[];
  completions: readonly { word: string; about: string }[];
  /** With a mark where the next character goes. `at`: its place. */
  typed: { text: string; at: number };
  left: string;
  right: string;
};

const MOST_LISTED = 6;
const MOST_TYPED = 8;

/** At most `height` lines; where there are more, what is on its way is cut first. */
export function regionLines(view: RegionView, { width, height, colours }: UiPlace): string[] {
  const { cyan, dim } = paint(colours);
  const { question, waiting, completions } = view;
  const typed = typedLines(view.typed, width - 2).map((line, index) => `${index === 0 ? cyan("❯") : " "} ${line}`);
  const asked = question === null ? typed : askedLines(question, typed, colours);
  const listed = completions
    .slice(0, MOST_LISTED)
    .map(({ word, about }) => `  ${cyan(safeLine(word))}  ${dim(safeLine(about))}`);
  const more = completions.length > MOST_LISTED ? [dim(`  … ${completions.length - MOST_LISTED} more`)] : [];
  const queue = waiting.map(({ text }, index) => dim(`  ⋯ ${index + 1} ${safeLine(text)}`));
  const room = width - widthOf(view.right) - 1;
  const left = shorten(view.left, Math.max(8, room));
  const status = `${left}${" ".repeat(Math.max(1, width - widthOf(left) - widthOf(view.right)))}${view.right}`;
  const fixed = [...queue, ...asked, ...listed, ...more, dim(status)];
  const live = view.live.slice(0, Math.max(0, height - fixed.length));
  return [...live, ...fixed].map((line) => shorten(line, width));
}

function askedLines(
  { asked, chosen, waits }: NonNullable<RegionView["question"]>,
  typed: readonly string[],
  colours: boolean,
): readonly string[] {
  const lines = optionLines(asked, waits ? -1 : chosen, { colours });
  return waits ? [...lines, paint(colours).dim("  it takes an answer when you pause"), ...typed] : lines;
}

/** Those around the mark. Nothing of them is invisible: what is pasted may be somebody else's. */
function typedLines({ text, at }: RegionView["typed"], width: number): readonly string[] {
  const lines = (part: string): string[] => wrap(safeConsent(part), width);
  return windowOf(lines(text), lines(text.slice(0, at)).length - 1, MOST_TYPED);
}
