/**
 * Finds words in what is shown of a step.
 *
 * I1. What is found is marked by the browser: nothing of the document is changed for it.
 * I2. What is folded is looked through as well, and is opened where it is gone to.
 * I3. What is not shown is not looked through: where something is left out, the count says that it is of what is shown.
 */
import { type Occurrence, occurrences } from "../../../projections/page/occurrences.ts";
import { bring } from "./scrolled.ts";
import { changed, type OpenRun, state } from "./state.ts";

/** Of more than these it is not said how many there are. */
const MOST = 2_000;
/** What says that something was left out. */
const LEFT_OUT = ".cut, .left-out";
/** What holds one line of words, in however many pieces. */
const LINES = ".words, code, summary, figcaption, pre, p, li, th, td, dt, dd, blockquote";
/** Words that are the page's own. */
const OURS = `button, time, .stream, .chip, ${LEFT_OUT}`;
/** What was shown when it was counted last. */
let shownThen = "";

/** Looks for a text, and goes to the first place. */
export function lookFor(run: OpenRun, text: string): void {
  run.find = { text, at: 0 };
  moveFound(run, 0);
}

/** Goes so many places on, around the ends. */
export function moveFound(run: OpenRun, by: number): void {
  const body = document.querySelector<HTMLElement>(".step-body");
  const ranges = body === null ? [] : rangesIn(body, run.find.text);
  const count = ranges.length;
  run.find = { ...run.find, at: count === 0 ? 0 : (run.find.at + by + count) % count };
  const here = ranges[run.find.at];
  if (body !== null && here !== undefined) goTo(here, body);
  changed();
}

/** After each drawing. */
export function showFound(page: ParentNode): void {
  const body = page.querySelector<HTMLElement>(".step-body");
  const find = state.open?.find ?? { text: "", at: 0 };
  const shown = body?.dataset["shown"] ?? "";
  if (shown !== shownThen) find.at = 0;
  shownThen = shown;
  const ranges = body === null ? [] : rangesIn(body, find.text);
  mark("found", ranges);
  mark("found-here", ranges.slice(find.at, find.at + 1));
  const said = page.querySelector(".found-count");
  const count = `${ranges.length}${ranges.length < MOST ? "" : "+"}`;
  const of = body?.querySelector(LEFT_OUT) == null ? "" : " shown"; // I3
  const words = find.text === "" ? "" : `${ranges.length === 0 ? "none" : `${find.at + 1} of ${count}`}${of}`;
  if (said !== null && said.textContent !== words) said.textContent = words;
}

/** A browser that cannot mark counts, and goes there (I1). */
function mark(name: string, ranges: readonly AbstractRange[]): void {
  if (typeof Highlight === "undefined") return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

function goTo(range: StaticRange, body: HTMLElement): void {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  for (let one = startContainer.parentElement; one !== null && one !== body; one = one.parentElement)
    if (one instanceof HTMLDetailsElement) one.open = true; // I2
  const place = document.createRange();
  place.setStart(startContainer, startOffset);
  place.setEnd(endContainer, endOffset);
  for (let one = startContainer.parentElement; one !== null; one = one.parentElement) {
    if (one.scrollHeight > one.clientHeight && one.clientHeight > 0) bring(place, one);
    if (one === body) break;
  }
  body.scrollIntoView({ block: "nearest" });
}

function rangesIn(body: Element, wanted: string): StaticRange[] {
  const ranges: StaticRange[] = [];
  if (wanted === "") return ranges;
  for (const pieces of linesIn(body)) {
    const text = pieces.map(({ data }) => data).join("");
    for (const found of occurrences(text, wanted, MOST - ranges.length)) ranges.push(rangeOf(pieces, found));
  }
  return ranges;
}

/** The pieces of each line, of the step's own words. */
function linesIn(body: Element): Text[][] {
  const lines: Text[][] = [];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  let last: Element | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const around = node.parentElement;
    if (around === null || around.closest(OURS) !== null) continue;
    const line = around.closest(LINES) ?? around;
    if (line !== last) lines.push([]);
    last = line;
    lines.at(-1)?.push(node as Text);
  }
  return lines;
}

function rangeOf(pieces: readonly Text[], { from, to }: Occurrence): StaticRange {
  const [start, end] = [placeIn(pieces, from, 1), placeIn(pieces, to, 0)];
  return new StaticRange({
    ...{ startContainer: start.node, startOffset: start.offset },
    ...{ endContainer: end.node, endOffset: end.offset },
  });
}

/** `least`: as many letters are to stand behind it in the same piece. */
function placeIn(pieces: readonly Text[], at: number, least: 0 | 1): { node: Text; offset: number } {
  let before = 0;
  for (const node of pieces) {
    if (at + least <= before + node.length) return { node, offset: at - before };
    before += node.length;
  }
  throw new RangeError(`${at} is behind the end`);
}
