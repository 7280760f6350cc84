/**
 * What the shell lexer finds out about the holes of a script, and the rules of single commands.
 *
 * I1. A demand is never lifted: `integer` beats `name` beats `none`.
 * I2. A rule reads the author's words only; the values are not known here.
 * I3. A variable that takes a value and is later computed with makes the value's demand `integer`: bash
 *     evaluates a variable's text again in arithmetic, `a[$(command)]` included.
 * I4. What a value begins with is no option where bash evaluates an option's text (`printf -v`, `[ -v`): a value that
 *     begins the format of `printf` gets `--` before it, and one in `[ … ]` stays one word.
 */
export type Place =
  /** Unquoted. `whole`: it must not be split (right of `=` in `export` and its like, within `[ … ]`). */
  | { type: "bare"; whole: boolean }
  | { type: "double"; backslash: boolean }
  | { type: "single"; ansi: boolean }
  | { type: "heredoc"; backslash: boolean }
  /** In a heredoc whose delimiter is quoted: nothing is expanded there, so it is rewritten. */
  | { type: "literal"; heredoc: number }
  | { type: "arithmetic" }
  | { type: "comment" }
  | { type: "refused"; why: string };

export type Hole = { place: Place; demand: { type: "none" } | { type: "integer" | "name"; why: string } };

export type Heredoc = {
  delimiter: string;
  quoted: boolean;
  /** `<<-`: leading tabs are taken off. */
  strip: boolean;
  /** The delimiter word behind `<<`, as written. */
  word: { start: number; end: number };
  body: { start: number; end: number };
  /** Within `$(…)`, where shells disagree about its end. */
  nested: boolean;
};

export type Word = { text: string; quoted: boolean; start: number; holes: number[]; equals: number };
export type Line = { words: Word[]; next: "none" | "integer" | "name"; assigns: string | null };

const COMPARISONS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const DECLARES = new Set(["declare", "typeset", "local", "readonly", "export"]);
const NAMERS = new Set(["unset", "read", "mapfile", "readarray", "getopts"]);
const WRAPPERS = new Set(["command", "builtin", "exec", "env", "sudo", "nohup", "time"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;
const NAME_MESSAGE = "this names a variable";

export class Facts {
  readonly holes: Hole[];
  /** Names whose text a shell evaluates as arithmetic somewhere in the script. */
  private readonly evaluated = new Set<string>();
  private readonly assigned: { name: string; hole: number }[] = [];
  /** Spans of `$(…)` and backticks: their words are not evaluated by what is around them. */
  readonly spans: { start: number; end: number }[] = [];
  /** Offsets where `--` must stand: see I4. */
  readonly optionEnds: number[] = [];
  private readonly source: string;

  constructor(source: string, count: number) {
    this.source = source;
    this.holes = Array.from({ length: count }, () => ({
      place: { type: "refused", why: "the place of the template in this script could not be determined" },
      demand: { type: "none" },
    }));
  }

  demand(hole: number, type: "integer" | "name", why: string): void {
    const found = this.holes[hole];
    if (found !== undefined && found.demand.type !== "integer") found.demand = { type, why };
  }

  assign(name: string, hole: number): void {
    this.assigned.push({ name, hole });
  }

  /** The names between two offsets are computed with. */
  evaluate(start: number, end: number): void {
    let at = start;
    let text = "";
    for (const span of [...this.spans].sort((a, b) => a.start - b.start)) {
      if (span.start < at || span.end > end) continue;
      text += `${this.source.slice(at, span.start)} `;
      at = span.end;
    }
    text += this.source.slice(at, end);
    for (const [name] of text.replace(/\$\{#\w+\}/g, " ").matchAll(/[A-Za-z_]\w*/g)) this.evaluated.add(name);
  }

  /** Call once at the end: see I3. */
  settle(): void {
    for (const { name, hole } of this.assigned) {
      if (this.evaluated.has(name)) this.demand(hole, "integer", `the script computes with $${name}`);
    }
  }

  /** Judges a word that has just ended, before it joins the line. `conditional`: within `[[ … ]]`. */
  judge(line: Line, word: Word, end: number, conditional: boolean): void {
    const heads = line.words.filter(({ text }) => !ASSIGNMENT.test(text) && !WRAPPERS.has(text));
    const head = heads[0]?.text ?? "";
    const previous = line.words.at(-1);
    const testing = conditional || line.words.some(({ text }) => text === "[" || text === "test");
    const integer = (found: Word, stop: number, why: string): void => {
      for (const hole of found.holes) this.demand(hole, "integer", why);
      if (conditional || head === "let" || DECLARES.has(head)) this.evaluate(found.start, stop);
    };
    if (line.next === "integer") integer(word, end, `it stands beside ${previous?.text ?? "a comparison"}`);
    if (line.next === "name") for (const hole of word.holes) this.demand(hole, "name", NAME_MESSAGE);
    line.next = "none";
    if (testing && COMPARISONS.has(word.text)) {
      if (previous !== undefined) integer(previous, word.start, `it stands beside ${word.text}`);
      line.next = "integer";
    }
    if (testing && (word.text === "-v" || word.text === "-R")) line.next = "name";
    if ((head === "printf" && word.text === "-v") || (head === "wait" && word.text === "-p")) line.next = "name";
    if (head === "printf" && previous?.text === "printf" && /^["']*\0/.test(this.source.slice(word.start, end)))
      this.optionEnds.push(word.start);
    if (head === "[" || head === "test") for (const hole of word.holes) this.keepWhole(hole);
    if (head === "let") integer(word, end, "let computes with it");
    if (NAMERS.has(head)) this.namer(head, word, previous);
    if (DECLARES.has(head)) {
      const named = word.equals < 0 ? word.holes : word.holes.slice(0, word.equals);
      for (const hole of named) this.demand(hole, "name", NAME_MESSAGE);
      if (line.words.some(({ text }) => /^-[a-zA-Z]*i/.test(text)))
        integer(word, end, "the variable is declared as an integer");
    }
    const name = ASSIGNMENT.exec(word.text)?.[1];
    if (name !== undefined && (heads.length === 0 || DECLARES.has(head))) {
      for (const hole of word.holes.slice(word.equals)) {
        this.assign(name, hole);
        if (DECLARES.has(head)) this.keepWhole(hole);
      }
    }
    if ((head === "for" || head === "select") && line.words.length > 2) {
      for (const hole of word.holes) this.assign(heads[1]?.text ?? "", hole);
    }
    if (line.assigns !== null) for (const hole of word.holes) this.assign(line.assigns, hole);
  }

  /** A bare value is not split into words. */
  private keepWhole(hole: number): void {
    const place = this.holes[hole]?.place;
    if (place?.type === "bare") place.whole = true;
  }

  private namer(head: string, word: Word, previous: Word | undefined): void {
    const argument = head !== "unset" && previous !== undefined && /^-[a-zA-Z]*[dinNptuOCcs]$/.test(previous.text);
    if (argument || word.text.startsWith("-")) return;
    for (const hole of word.holes) this.demand(hole, "name", NAME_MESSAGE);
  }
}
