/**
 * Reads a POSIX or bash script in which every template action is a hole (one NUL), and reports for each hole
 * what the shell does at that place. Here: commands, words, redirections, heredocs.
 *
 * I1. A reference `$NAME` is never evaluated as code wherever it stands unless a demand says so; therefore only
 *     arithmetic, indexes, names and options decide about safety, quoting decides about fidelity.
 */
import { CodeRules } from "./shell-code.ts";
import { ARITHMETIC, BARE, INDEX } from "./shell-expansions.ts";
import type { Flows } from "./shell-flows.ts";
import type { Code, Demand, Heredoc, Hole, Line } from "./shell-holes.ts";
import { isDescriptor, opensCommand } from "./shell-keywords.ts";
import { COPY, Redirects, type Target } from "./shell-redirects.ts";
import { join, Rules } from "./shell-rules.ts";
import { emptyWord } from "./shell-words.ts";

/** Code within code is read so deep. */
const MAX_PARTS = 4;
/** `{1..9}`: the holes in it are written as they are. */
const RANGE = /^\{[\w+.\0-]*\.\.[\w+.\0-]*\}/;

type State = {
  line: Line;
  conditional: boolean;
  cases: number;
  pattern: boolean /** The words are patterns of a `case`. */;
  target: Target;
  pipe: number | null /** Of a compound command: any command in it may read it. */;
};

class Lexer extends Redirects {
  private readonly rules: Rules;
  protected readonly code: CodeRules;

  constructor(source: string, flows?: Flows, parts = 0) {
    super(source, flows);
    this.rules = new Rules(source, this.facts);
    this.code = new CodeRules(this.facts, (code) => {
      if (parts >= MAX_PARTS) return null;
      const { holes, input } = new Lexer(code.replaceAll("\0", "x"), this.facts.flows, parts + 1).whole();
      return { holes: code.includes("\0") ? new Lexer(code, undefined, MAX_PARTS).whole().holes : holes, input };
    });
  }

  /** Reads all of it; the demands of variables are settled by the script that it is a part of. */
  whole(): { holes: Hole[]; input: Code | null } {
    this.commands("end");
    this.code.settle({ start: 0, end: this.source.length });
    return { holes: this.facts.holes, input: this.code.input };
  }

  /** Reads commands up to the limit, or up to and over a `)`. `array` names the array whose elements these are. */
  commands(close: "end" | ")", array: string | null = null, pipe: number | null = null): void {
    const outer = this.word;
    this.word = null;
    this.deeper();
    const state: State = {
      line: this.line(array, pipe),
      conditional: false,
      cases: 0,
      pattern: false,
      target: "none",
      pipe,
    };
    const endWord = (): void => this.endWord(state);
    const endLine = (): void => {
      this.endWord(state);
      state.target = "none";
      if (!state.conditional && array === null) state.line = this.finish(state);
    };
    while (this.at < this.limit) {
      const char = this.source.charAt(this.at);
      if (char === ")") {
        endLine();
        this.at += 1;
        state.pattern = false;
        if (close === ")" && state.cases === 0 && !state.conditional) break;
      } else if (char === " " || char === "\t" || char === "\r") {
        endWord();
        this.at += 1;
      } else if (char === "\n") {
        endLine();
        this.at += 1;
        this.bodies();
      } else if (char === "#" && this.word === null) this.comment();
      else if (char === ";" || char === "&" || char === "|") {
        endLine();
        this.at += 1;
        if (state.cases > 0 && char === ";" && /[;&]/.test(this.source.charAt(this.at))) state.pattern = true;
      } else if (char === "<" || char === ">") {
        if (this.word !== null && isDescriptor(this.word)) this.word = null;
        endWord();
        if (array !== null) this.unsure("a redirection stands in an array: take it out");
        if (state.conditional) this.at += 1;
        else state.target = this.redirect(state.line);
      } else if (char === "(" && state.pattern && this.word === null) this.at += 1;
      else if (char === "(") this.parenthesis(state, endWord);
      else this.part(array);
    }
    endLine();
    this.word = outer;
    this.depth -= 1;
  }

  private line(assigns: string | null, pipe: number | null = null): Line {
    const start = this.at;
    // Elements of an array are no command.
    const words = assigns === null ? [] : [{ ...emptyWord(start), text: "(", quoted: true, equals: 0 }];
    return { start, words, heads: [...words], options: "", tests: false, next: "none", assigns, pipe, strings: [] };
  }

  /** A simple command has ended; the line of the next one. */
  private finish({ line, pipe }: State): Line {
    this.rules.finish(line);
    this.code.finish(line, this.pending);
    const empty = line.words.length === 0;
    const pipes = this.source.charAt(this.at) === "|" && !this.source.slice(this.at - 1, this.at + 2).includes("||");
    if (pipes) {
      // Behind a compound command the pipe takes what all of it has written.
      const compound = empty || /^(?:esac|fi|done)$/.test(line.words[0]?.text ?? "");
      return this.line(null, compound ? 0 : (line.pipe ?? line.start));
    }
    return this.line(null, empty && line.strings.length === 0 ? line.pipe : pipe);
  }

  private endWord(state: State): void {
    const word = this.word;
    this.word = null;
    if (word === null) return;
    word.end = this.at;
    const { line, target } = state;
    if (target !== "none") {
      state.target = "none";
      if (target === "string") line.strings.push({ start: word.start, end: word.end });
      if (target === "copy") this.facts.use(word, COPY);
      return;
    }
    if (state.pattern && !state.conditional && word.text !== "esac") return;
    this.rules.judge(line, word, state.conditional);
    if (!word.quoted) {
      if (word.text === "in" && line.words[0]?.text === "case" && line.words.length > 1) state.pattern = true;
      const starts = line.words.length === 0;
      if (starts && word.text === "case") state.cases += 1;
      if (word.text === "esac" && (starts || line.words.at(-1)?.text === "in") && state.cases > 0) {
        state.cases -= 1;
        state.pattern = false;
      }
      if (word.text === "[[" && !state.conditional) state.conditional = starts;
      if (word.text === "]]") state.conditional = false;
    }
    if (!opensCommand(line, word, this.source)) return join(line, word);
    state.pipe ??= line.pipe;
    if (line.words.length > 0 && word.text !== "{") this.finish(state);
    state.line = this.line(line.assigns, line.pipe);
  }

  /** One piece of a bare word. */
  private part(array: string | null): void {
    const char = this.source.charAt(this.at);
    const starts = this.word === null;
    this.current();
    if (char === "\0") this.hole(BARE);
    else if (char === "{" && RANGE.test(this.source.slice(this.at, this.at + 100))) this.range();
    else if (char === "\\") {
      if (this.isHole(1)) this.refuse(1, "a backslash stands before the template: leave it out");
      else if (this.source.charAt(this.at + 1) === "\n") this.at += 2;
      else this.skipped(1, 2);
    } else if (char === "'") this.single(false);
    else if (char === '"') this.double();
    else if (char === "$") this.dollar("bare");
    else if (char === "`") this.backtick(true);
    else if (char === "[" && ((array !== null && starts) || /^[A-Za-z_]\w*$/.test(this.wordText()))) {
      const index = this.isIndex();
      // Bash reads on to the "]" over blanks and lines, other shells do not.
      if (!index) this.unsure('a "[" before it could begin the index of an array: quote it');
      this.add(1);
      if (index) this.arithmetic("]", INDEX);
    } else this.add(1);
  }

  private isIndex(): boolean {
    const close = this.source.indexOf("]", this.at);
    if (close < 0 || close >= this.limit) return false;
    const inner = this.source.slice(this.at + 1, close);
    return !inner.includes("\n") && (!/\s/.test(inner) || /^\]*\+?=/.test(this.source.slice(close + 1, close + 10)));
  }

  private range(): void {
    for (let char = ""; char !== "}"; ) {
      char = this.source.charAt(this.at);
      if (char === "\0") this.hole({ type: "range" });
      else this.add(1);
    }
  }

  private comment(): void {
    while (this.at < this.limit && this.source.charAt(this.at) !== "\n") {
      if (this.isHole(0)) this.hole({ type: "comment" });
      else this.at += 1;
    }
  }

  private parenthesis({ line, conditional, pipe }: State, endWord: () => void): void {
    const word = this.word;
    const name = /^([A-Za-z_]\w*)\+?=$/.exec(word?.text ?? "")?.[1];
    if (conditional) {
      endWord();
      this.at += 1;
    } else if (name !== undefined) {
      this.at += 1;
      this.commands(")", name);
    } else if (
      word === null &&
      this.source.charAt(this.at + 1) === "(" &&
      (line.words.length === 0 || line.words.at(-1)?.text === "for")
    ) {
      this.at += 2;
      this.arithmetic("))", ARITHMETIC);
      this.word = null;
    } else {
      const declares = word !== null || line.words[0]?.text === "function";
      if (declares) this.facts.flows.functions.add((word ?? line.words.at(-1))?.text ?? "");
      this.at += 1;
      this.commands(")", null, line.pipe ?? pipe);
    }
  }
}

export type Script = {
  /** In the order of the NULs. */
  holes: Hole[];
  heredocs: Heredoc[];
  optionEnds: number[];
  /** What is demanded of a variable that comes from outside of the script. */
  demandsOn: (name: string) => readonly Demand[];
  /** Why the script could not be read to its end for certain. */
  doubt: string | null;
};

/** Reads a script with one NUL for every action. */
export function readShell(source: string): Script {
  const lexer = new Lexer(source);
  const { holes } = lexer.whole();
  const { facts, heredocs } = lexer;
  const { flows, optionEnds } = facts;
  flows.settle((hole, demand) => facts.demand(hole, demand));
  return { holes, heredocs, optionEnds, doubt: lexer.doubt, demandsOn: (name) => flows.demandsOn(name) };
}
