/**
 * The rules of simple commands: what a command does with its words.
 *
 * I1. A rule reads the author's words only; the values are not known here.
 * I2. A variable that takes a value and is later computed with, or run, makes the same demand of the value: bash
 *     evaluates a variable's text again in arithmetic, `a[$(command)]` included.
 * I3. What a value begins with is no option where bash evaluates an option's text (`printf -v`, `[ -v`, `wait -p`): a
 *     value or variable that begins the format of `printf` gets `--` before it, one in `[ … ]` stays one word, and what
 *     `wait` waits for is a number.
 */
import { asCode, type Facts } from "./shell-facts.ts";
import { POSITIONAL, STREAM } from "./shell-flows.ts";
import type { Demand, Line, ShellWord, Span } from "./shell-holes.ts";
import { startedAt } from "./shell-starters.ts";

const COMPARISONS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
export const DECLARES = new Set(["declare", "typeset", "local", "readonly", "export"]);
const NAMERS = new Set(["unset", "read", "mapfile", "readarray", "getopts"]);
/** Options of theirs whose next word names nothing. */
const TAKES = { read: /^-[a-zA-Z]*[dinNptu]$/, mapfile: /^-[a-zA-Z]*[dnOsuCc]$/, readarray: /^-[a-zA-Z]*[dnOsuCc]$/ };
const READERS = new Set(["read", "mapfile", "readarray"]);
export const WRAPPERS = new Set(["command", "builtin", "exec", "env", "sudo", "nohup", "time"]);
export const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;
const NAME: Demand = { type: "name", why: "this names a variable" };

const PROCESS: Demand = { type: "integer", why: "wait takes an option that names a variable, whose index is computed" };

const ELEMENTS = asCode({
  why: "what an array is declared with is read as a list of elements, commands included",
  instead: `NAME=("{{…}}")`,
});
/** What is given to a variable where it is declared again: bash reads it so where the variable is an array. */
const elementsOf = (name: string): string => `${name}=`;

const SPLIT = "and the shell would split this one into several";
const ARGUMENT = asCode({
  why: `a function of the script runs its arguments, ${SPLIT}`,
  instead: `"{{…}}"`,
});
const ELEMENT = asCode({ why: `the script runs the array's elements, ${SPLIT}`, instead: `"{{…}}"` });

const MAX_HEADS = 4;

/** Whether the format of `printf` comes behind these words. */
function isFormat(words: readonly ShellWord[]): boolean {
  const [third, second, last] = [words.at(-3)?.text, words.at(-2)?.text, words.at(-1)?.text ?? ""];
  return last === "printf" || (second === "printf" && /^-v./.test(last)) || (third === "printf" && second === "-v");
}

/** Adds a word to its line. */
export function join(line: Line, word: ShellWord): void {
  line.words.push(word);
  line.tests ||= word.text === "[" || word.text === "test";
  if (line.heads.length < MAX_HEADS && !ASSIGNMENT.test(word.text) && !WRAPPERS.has(word.text)) line.heads.push(word);
  if (/^-[a-zA-Z]+$/.test(word.text) && line.options.length < 100) line.options += word.text;
}

export class Rules {
  readonly #facts: Facts;
  readonly #source: string;

  constructor(source: string, facts: Facts) {
    this.#source = source;
    this.#facts = facts;
  }

  /** Judges a word that has just ended, before it joins the line. `conditional`: within `[[ … ]]`. */
  judge(line: Line, word: ShellWord, conditional: boolean): void {
    const { heads } = line;
    const head = heads[0]?.text ?? "";
    const previous = line.words.at(-1);
    const testing = conditional || line.tests;
    const compute = (found: ShellWord, why: string): void => {
      if (conditional || head === "let" || DECLARES.has(head)) this.#facts.compute(found, why);
      else for (const hole of found.holes) this.#facts.demand(hole, { type: "integer", why });
    };
    if (line.next === "integer") compute(word, `it stands beside ${previous?.text ?? "a comparison"}`);
    if (line.next === "name") this.#names(word);
    line.next = "none";
    if (testing && COMPARISONS.has(word.text)) {
      if (previous !== undefined) compute(previous, `it stands beside ${word.text}`);
      line.next = "integer";
    }
    if (testing && (word.text === "-v" || word.text === "-R")) line.next = "name";
    if ((head === "printf" && word.text === "-v") || (head === "wait" && word.text === "-p")) line.next = "name";
    // The name may stand in the option's own word: `printf -vname`.
    const attached =
      (head === "printf" && /^-v./s.test(word.code) && isFormat(line.words)) ||
      (head === "wait" && /^-[fn]*p./s.test(word.code));
    if (attached) this.#names(word);
    const opens = /^["']*[\0$`]/.test(this.#source.slice(word.start, word.end));
    if (opens && head === "printf" && isFormat(line.words)) this.#facts.optionEnds.push(word.start);
    if (opens && head === "wait" && previous?.text !== "-p") this.#facts.use(word, PROCESS);
    if (head === "[" || head === "test") this.#keepWhole(word.holes);
    if (head === "let") compute(word, "let computes with it");
    if (head === "function") this.#facts.flows.functions.add(word.text);
    if (NAMERS.has(head)) this.#namer(head, word, previous);
    if (DECLARES.has(head)) this.#declares(line, word, compute);
    this.#assigns(line, word, heads);
  }

  #declares(line: Line, word: ShellWord, compute: (word: ShellWord, why: string) => void): void {
    const { options } = line;
    const equals = this.#source.slice(word.start, word.end).indexOf("=");
    this.#names({ start: word.start, end: equals < 0 ? word.end : word.start + equals });
    const integers = options.includes("i");
    if (integers) compute(word, "the variable is declared as an integer");
    const value: Span = { start: word.start + equals + 1, end: word.end };
    const own = /^\w+/.exec(word.text)?.[0] ?? "";
    if (/[aA]/.test(options)) this.#facts.flows.demand(elementsOf(own), ELEMENTS);
    const list = this.#source.charAt(value.start) === "(" && !word.text.includes("(");
    if (equals >= 0 && !list && line.heads[0]?.text !== "local") this.#facts.feed(elementsOf(own), value);
    if (equals >= 0 && !list && /[aA]/.test(options)) this.#facts.use(value, ELEMENTS);
    if (!options.includes("n") || equals < 0) return;
    // A reference to a variable: each is the other.
    this.#facts.use(value, NAME);
    const [name, other] = [/^\w+/.exec(word.text)?.[0], /=(\w+)$/.exec(word.text)?.[1]];
    if (name === undefined || other === undefined) return;
    this.#facts.flows.feed(name, { names: [other], holes: [], through: "nothing" });
    this.#facts.flows.feed(other, { names: [name], holes: [], through: "nothing" });
  }

  #assigns(line: Line, word: ShellWord, heads: readonly ShellWord[]): void {
    const head = heads[0]?.text ?? "";
    const name = ASSIGNMENT.exec(word.text)?.[1];
    if (name !== undefined && (heads.length === 0 || DECLARES.has(head))) {
      this.#facts.feed(name, word);
      if (DECLARES.has(head)) this.#keepWhole(word.holes.slice(word.equals));
    }
    if ((head === "for" || head === "select") && line.words.length > 2) this.#facts.feed(heads[1]?.text ?? "", word);
    if (line.assigns === null) return;
    this.#facts.feed(line.assigns, word);
    this.#facts.flows.demand(elementsOf(line.assigns), ELEMENTS);
    if (line.words.length === 1) this.#facts.flows.firsts.push({ name: `${line.assigns}[`, bare: word.bare });
  }

  /** A bare value is not split into words. */
  #keepWhole(holes: readonly number[]): void {
    for (const hole of holes) {
      const place = this.#facts.holes[hole]?.place;
      if (place?.type === "bare") place.whole = true;
    }
  }

  /** The stretch names a variable, or an item of an array, whose index is computed. */
  #names({ start, end }: Span): void {
    const open = this.#source.indexOf("[", start);
    const index = open >= 0 && open < end;
    this.#facts.use({ start, end: index ? open : end }, NAME);
    if (index) this.#facts.compute({ start: open + 1, end }, "it is the index of an array");
  }

  #namer(head: string, word: ShellWord, previous: ShellWord | undefined): void {
    const argument = head in TAKES && previous !== undefined && TAKES[head as keyof typeof TAKES].test(previous.text);
    if (argument || word.text.startsWith("-")) return;
    this.#names(word);
    const name = /^[A-Za-z_]\w*/.exec(word.text)?.[0];
    if (name === undefined) return;
    if (READERS.has(head)) this.#facts.flows.feed(name, { names: [STREAM], holes: [], through: "nothing" });
    if (head === "getopts") this.#facts.flows.feed("OPTARG", { names: [POSITIONAL], holes: [], through: "nothing" });
  }

  /** Judges a simple command that has just ended; its code is judged elsewhere. */
  finish(line: Line): void {
    const { flows } = this.#facts;
    const { heads } = line;
    const [first, second] = heads;
    if (first === undefined || line.assigns !== null) return;
    const rest: Span = { start: first.end, end: line.words.at(-1)?.end ?? first.end };
    if (READERS.has(first.text))
      flows.feed(first.text === "read" ? "REPLY" : "MAPFILE", { names: [STREAM], holes: [], through: "nothing" });
    if (first.text === "for" && heads.length === 2)
      flows.feed(second?.text ?? "", { names: [POSITIONAL], holes: [], through: "nothing" });
    if (first.text === "set") this.#facts.feed(POSITIONAL, rest);
    else {
      const known = first.holes.length === 0 && !/[$`]/.test(first.text);
      const name = known ? first.text : null;
      for (const source of this.#facts.sources(rest)) flows.calls.push({ name, source });
      const given = line.words[line.words.indexOf(first) + 1];
      if (given !== undefined) flows.firsts.push({ name, bare: given.bare });
    }
    const array = /^\$\{(\w+\[)[@*0]\]\}$/.exec(first.text)?.[1];
    if (first.quoted && /^\$\{?[@*1]\}?$/.test(first.text)) flows.runners.set(POSITIONAL, ARGUMENT);
    if (first.quoted && array !== undefined) flows.runners.set(array, ELEMENT);
    if (first.text === "printf" && second?.text === "-v") this.#facts.feed(heads[2]?.text ?? "", rest);
    const started = startedAt(line.words.map(({ code }) => code)).map((index) => line.words[index]);
    const behind = line.words.some(({ text }) => text === "env" || text === "sudo");
    for (const word of new Set([first, ...started])) if (word !== undefined) this.#program(word, behind);
  }

  /** A bare value that begins a command, or stands where another program is told what to start, is split, and its words are run. */
  #program({ bare }: ShellWord, behind: boolean): void {
    const why = "it stands where a command begins: the shell would run its words";
    const instead = "the program's name itself";
    const demand: Demand = behind ? asCode({ why, instead }) : { type: "program", why, instead };
    for (const hole of bare.holes) this.#facts.demand(hole, demand);
    for (const name of bare.names) this.#facts.flows.demand(name, asCode({ why: `the script runs $${name}`, instead }));
    for (const part of bare.parts) this.#facts.use(part, asCode({ why, instead }));
  }
}
