/**
 * Text of a script that is code for a program: words of `sh -c` and its like, heredocs and pipes into an interpreter.
 *
 * I1. A value in such text must be a plain word, however it gets there. What a shell reads is read here as well: a
 *     word made by `escape` may stand where that shell takes it as one word, and what it computes is computed.
 */
import { asCode, type Facts } from "./shell-facts.ts";
import { POSITIONAL, STREAM } from "./shell-flows.ts";
import type { Code, Heredoc, Hole, Line, Span } from "./shell-holes.ts";
import { codeIn } from "./shell-programs.ts";
import { WRAPPERS } from "./shell-rules.ts";
import type { Waiting } from "./shell-words.ts";

/** What these write is no text of the script. */
const FETCHERS = new Set(
  "cat curl wget gh git docker kubectl gzip gunzip zcat bzcat xz xzcat zstd zstdcat pg_dump mysqldump".split(" "),
);

/**
 * Reads a shell's code as a part of the script: reports where its holes stand, and what in it reads the input that it
 * is started with as code; null where that is not known.
 */
export type ReadPart = (code: string) => { holes: Hole[]; input: Code | null } | null;

export class CodeRules {
  readonly #facts: Facts;
  readonly #read: ReadPart;
  /** Commands that have ended, in order, for the pipes behind them. */
  readonly #ended: { span: Span; head: string }[] = [];
  readonly #streams: Span[] = [];
  /** Of the commands from there on, so many are known to write code: they are not asked again. */
  #piped = { from: 0, upTo: 0 };
  /** What reads code from an input that it shares with the command around it. */
  #sharing: Code | null = null;

  constructor(facts: Facts, read: ReadPart) {
    this.#facts = facts;
    this.#read = read;
  }

  /** What in the script reads the script's own input as code. */
  get input(): Code | null {
    return this.#sharing;
  }

  /** Judges a simple command that has just ended. `waiting`: heredocs whose bodies are still to come. */
  finish(line: Line, waiting: readonly Waiting[]): void {
    const { words } = line;
    const [first, last] = [words[0], words.at(-1)];
    const start = line.start;
    const end = Math.max(last?.end ?? start, ...line.strings.map((each) => each.end), start);
    const { words: found, positional, input } = codeIn(words.map(({ code }) => code));
    let inner: Code | null = null;
    for (const { index, code, skip = 0 } of found) {
      const word = words[index];
      if (word !== undefined) inner ??= this.#code(word, word.code.slice(skip), word.holes, code);
    }
    const after = positional === null ? undefined : words[positional];
    if (after !== undefined && last !== undefined) this.#facts.feed(POSITIONAL, { start: after.start, end: last.end });
    const reader = input ?? inner;
    if (reader !== null) this.#input(reader, line, waiting);
    this.#streams.push(...line.strings);
    if (first === undefined) {
      if (this.#sharing !== null) for (const string of line.strings) this.#facts.use(string, asCode(this.#sharing));
      return;
    }
    const head = line.heads[0]?.text ?? "";
    this.#ended.push({ span: { start, end }, head: WRAPPERS.has(first.text) ? "" : head });
  }

  /** Returns what in the code reads the input of the command as code. */
  #code(span: Span, text: string, holes: readonly number[], code: Code): Code | null {
    this.#facts.use(span, asCode(code, true));
    const inner = code.language === "shell" ? this.#read(text) : null;
    const same = inner?.holes.length === holes.length;
    holes.forEach((hole, index) => {
      if (!same || inner?.holes[index]?.place.type !== "bare") this.#facts.demand(hole, asCode(code));
    });
    return inner?.input ?? null;
  }

  #input(code: Code, line: Line, waiting: readonly Waiting[]): void {
    if (line.strings.length === 0 && line.pipe === null) this.#sharing ??= code;
    for (const string of line.strings) this.#facts.use(string, asCode(code));
    const from = line.pipe ?? line.start;
    for (let at = waiting.length - 1; at >= 0; at--) {
      const heredoc = waiting[at];
      if (heredoc === undefined || heredoc.word.start < from || heredoc.code !== null) break;
      heredoc.code = code;
    }
    if (line.pipe === null) return;
    const known = from >= this.#piped.from ? this.#piped.upTo : 0;
    for (let at = this.#ended.length - 1; at >= known; at--) {
      const one = this.#ended[at];
      if (one === undefined || one.span.start < from) break;
      if (!FETCHERS.has(one.head)) this.#facts.use(one.span, asCode(code));
    }
    this.#piped = { from, upTo: this.#ended.length };
  }

  /** A heredoc's body has been read. `alone`: it belongs to a compound command. */
  body({ code, body }: Heredoc, alone: boolean): void {
    this.#streams.push(body);
    const read = code ?? (alone ? this.#sharing : null);
    if (read !== null) this.#facts.use(body, asCode(read));
  }

  /** Call once at the end: what `read` reads may be any text of the script. */
  settle(whole: Span): void {
    for (const stream of this.#streams) this.#facts.feed(STREAM, stream);
    for (const { names, holes } of this.#facts.sources(whole))
      this.#facts.flows.feed(STREAM, { names, holes, through: "a program" });
  }
}
