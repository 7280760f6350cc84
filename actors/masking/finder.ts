/**
 * Finds secrets in a text, also where colours stand in them or line ends break them.
 *
 * I1. A colour code may stand anywhere in a secret. A line end may stand in what programs break into lines (base64,
 *     hexadecimal digits), from its KEPT-th unit on: what stands before a line end is held back only if it is that
 *     long.
 * I2. So each such form is looked for without its first units as well: a line end among them hides nothing but them.
 * I3. What is open never begins inside a colour code or line end, and holds one that may continue: so the same text has
 *     the same secrets, however it is cut.
 * I4. A text with neither, or whose lines end in nothing that continues, is searched once.
 */
import { Automaton, type Match, type Open } from "./automaton.ts";
import { inJson } from "./patterns.ts";

/** What stands in a secret and is none of it, in units of the text. */
export type Gap = { at: number; length: number };
/** `gaps` lie inside, in their order. */
export type Hit = Match & { gaps: readonly Gap[] };
/**
 * `open`: how much of the text's end may still become a secret, and no more; `half`: how much of it is half of one or
 * more.
 */
export type Found = { hits: Hit[]; open: number; half: number };
export type Pattern = { text: string; wraps: boolean };

export const KEPT = 4;
const PAIRS = 128 * 128;
const NOTHING: Found = { hits: [], open: 0, half: 0 };
const NO_GAPS: readonly Gap[] = [];
const ESCAPE = "\u001b";
const GAPS = new RegExp(`[\\r\\n]+[ \\t]*|${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,4}(?:[@-~]|$)|$)`, "g");
/** The beginning of a colour code at the end of a text. */
const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,4})?$`);
/** The same in a text that was written as JSON. */
const JSON_GAPS = /(?:\\[rn])+(?: |\\t)*|\\u001b\[[0-?]{0,64}[ -/]{0,4}[@-~]/g;

/** `joined`: where it stood in the text without gaps; `before`: how long all gaps before it are. */
type Joint = Gap & { joined: number; before: number; isLine: boolean };

export class Finder {
  readonly #patterns: readonly Pattern[];
  readonly #automaton: Automaton;
  /** All that a line may end with when it ends in a pattern that wraps: KEPT units each. */
  readonly #pieces = new Set<number>();
  /** The last two units of each piece: most lines end in none, and a look here is cheaper than one into the set. */
  readonly #lastPairs = new Uint8Array(PAIRS);
  #json: Automaton | null = null;

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    this.#automaton = new Automaton(
      patterns.map(({ text }) => text),
      (pattern) => patterns[pattern]?.wraps === true,
    );
    for (const { text, wraps } of patterns)
      for (let end = KEPT; wraps && end < text.length; end++) {
        this.#pieces.add(pieceBefore(text, end));
        this.#lastPairs[pairBefore(text, end)] = 1;
      }
  }

  /** `hits` in the order of their ends. */
  scan(text: string): Found {
    const { matches, opens } = this.#automaton.scan(text);
    const found: Found =
      matches.length + opens.length === 0
        ? NOTHING
        : {
            hits: matches.length === 0 ? [] : matches.map((match) => ({ ...match, gaps: NO_GAPS })),
            open: opens[0]?.length ?? 0,
            half: opens.length === 0 ? 0 : (opens.find(isHalf)?.length ?? 0),
          };
    const mayGoOn = text.indexOf(ESCAPE) >= 0 || this.#mayWrap(text, "\n") || this.#mayWrap(text, "\r");
    return mayGoOn ? this.#across(text, found) : found;
  }

  /** Whether some line of the text ends in the middle of what programs break into lines. */
  #mayWrap(text: string, lineEnd: "\n" | "\r"): boolean {
    const lastPairs = this.#lastPairs;
    for (let end = text.indexOf(lineEnd); end >= 0; end = text.indexOf(lineEnd, end + 1)) {
      if (end < KEPT) continue;
      if (lastPairs[pairBefore(text, end)] === 1 && this.#pieces.has(pieceBefore(text, end))) return true;
    }
    return false;
  }

  /** Whether a text that was written as JSON may hold a secret: true too often, but never too seldom. */
  mayBeIn(json: string): boolean {
    this.#json ??= new Automaton([...new Set(this.#patterns.map(({ text }) => inJson(text)))]);
    if (this.#json.finds(json)) return true;
    if (!/\\(?:n|r|u001b)/.test(json)) return false;
    return this.#json.finds(json.replace(JSON_GAPS, ""));
  }

  /** Adds what is found when all that may stand in a secret is taken out. */
  #across(text: string, found: Found): Found {
    const joined = text.replace(GAPS, "");
    const { matches, opens } = this.#automaton.scan(joined);
    const unfinished = UNFINISHED.exec(text)?.[0].length ?? 0;
    if (matches.length + opens.length + found.open + unfinished === 0) return found;
    const joints = jointsOf(text);
    const hits = matches.flatMap((match) => this.#hitOf(match, joints));
    const open = opens.find((one) => this.#isOpen(one, joined.length, joints));
    const half = opens.find((one) => isHalf(one) && this.#isOpen(one, joined.length, joints));
    const unitsOf = (one: Open | undefined): number =>
      one === undefined ? 0 : text.length - startOf(joined.length - one.length, joints);
    const begins = text.length - Math.max(found.open, unitsOf(open), unfinished);
    const around = joints.findLast(({ at }) => at < begins);
    return {
      hits: hits.length === 0 ? found.hits : [...found.hits, ...hits].sort((a, b) => a.end - b.end),
      open: text.length - (around !== undefined && begins < around.at + around.length ? around.at : begins),
      half: Math.max(found.half, unitsOf(half)),
    };
  }

  /** The match in units of the text; none where no gap is inside: it was found without. */
  #hitOf({ end, pattern: longest }: Match, joints: readonly Joint[]): Hit[] {
    for (let pattern: number | null = longest; pattern !== null; pattern = this.#automaton.suffixOf(pattern)) {
      const { text, wraps } = this.#patterns[pattern] as Pattern;
      const from = end - text.length;
      const inside = joints.slice(after(from, joints), after(end - 1, joints));
      if (inside.length === 0) return [];
      if (!inside.every((joint) => mayStand(joint, from, wraps))) continue;
      const rawEnd = startOf(end - 1, joints) + 1;
      return [{ start: startOf(from, joints), end: rawEnd, pattern, gaps: inside }];
    }
    return [];
  }

  #isOpen({ length, wraps }: Open, end: number, joints: readonly Joint[]): boolean {
    const from = end - length;
    const inside = joints.slice(after(from, joints));
    return inside.length > 0 && inside.every((joint) => mayStand(joint, from, wraps));
  }
}

const pairBefore = (text: string, end: number): number =>
  ((text.charCodeAt(end - 2) & 127) << 7) | (text.charCodeAt(end - 1) & 127);

/** Up to `end`, as one number: patterns that wrap are ASCII. */
function pieceBefore(text: string, end: number): number {
  let piece = 0;
  for (let at = end - KEPT; at < end; at++) piece = piece * 128 + (text.charCodeAt(at) & 127);
  return piece;
}

const isHalf = ({ length, goal }: Open): boolean => length * 2 >= goal;
const mayStand = ({ isLine, joined }: Joint, from: number, wraps: boolean): boolean =>
  !isLine || (wraps && joined - from >= KEPT);

function jointsOf(text: string): Joint[] {
  const joints: Joint[] = [];
  let before = 0;
  for (const { 0: gap, index } of text.matchAll(GAPS)) {
    joints.push({ at: index, length: gap.length, joined: index - before, before, isLine: gap[0] !== ESCAPE });
    before += gap.length;
  }
  return joints;
}

/** How many gaps stand before a unit of the joined text. */
function after(unit: number, joints: readonly Joint[]): number {
  let low = 0;
  let high = joints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((joints[middle] as Joint).joined > unit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where a unit of the joined text stands in the text. */
function startOf(unit: number, joints: readonly Joint[]): number {
  const last = joints[after(unit, joints) - 1];
  return last === undefined ? unit : unit + last.before + last.length;
}
