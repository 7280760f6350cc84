/**
 * Reads a POSIX or bash script in which every template action is a hole (one NUL), and tells for each hole
 * what the shell does at that place. Here: commands, words, redirections, heredocs.
 *
 * I1. A reference `$NAME` is never evaluated as code wherever it stands unless a demand says so; therefore only
 *     arithmetic, indexes, names and options decide about safety, quoting decides about fidelity.
 */
import { ARITHMETIC, BARE, INDEX } from "./shell-expansions.ts";
import { findBody, readDelimiter } from "./shell-heredocs.ts";
import { Parameters } from "./shell-parameters.ts";
import type { Heredoc, Hole, Line } from "./shell-places.ts";

const KEYWORDS = new Set([
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "do",
  "done",
  "while",
  "until",
  "!",
  "{",
  "}",
  "time",
  "coproc",
]);

class Lexer extends Parameters {
  readonly heredocs: Heredoc[] = [];

  /** Reads commands up to the limit, or up to and over a `)`. `array` names the array whose elements these are. */
  commands(close: "end" | ")", array: string | null = null): void {
    const outer = this.word;
    this.word = null;
    this.deeper();
    const state = { line: this.line(array), conditional: false, cases: 0 };
    const endWord = (): void => this.endWord(state);
    const endLine = (): void => {
      endWord();
      if (!state.conditional && array === null) state.line = this.line(null);
    };
    while (this.at < this.limit) {
      const char = this.source.charAt(this.at);
      if (char === ")") {
        endLine();
        this.at += 1;
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
      } else if (char === "<" || char === ">") {
        if (/^\d+$/.test(this.wordText())) this.word = null;
        endWord();
        if (array !== null) this.unsure("a redirection stands in an array: take it out");
        this.redirect(state.conditional);
      } else if (char === "(") this.parenthesis(state.line, state.conditional, endWord);
      else this.part(array);
    }
    endWord();
    this.word = outer;
    this.depth -= 1;
  }

  private line(assigns: string | null): Line {
    const words = assigns === null ? [] : [{ text: "(", quoted: true, start: this.at, holes: [], equals: 0 }];
    return { words, next: "none", assigns };
  }

  private endWord(state: { line: Line; conditional: boolean; cases: number }): void {
    const word = this.word;
    this.word = null;
    if (word === null) return;
    const { line } = state;
    this.facts.judge(line, word, this.at, state.conditional);
    if (!word.quoted) {
      const starts = line.words.length === 0;
      if (starts && word.text === "case") state.cases += 1;
      if (word.text === "esac" && (starts || line.words.at(-1)?.text === "in") && state.cases > 0) state.cases -= 1;
      if (word.text === "[[" && !state.conditional) state.conditional = starts;
      if (word.text === "]]") state.conditional = false;
      if (word.text === "{" || (starts && KEYWORDS.has(word.text))) {
        state.line = this.line(line.assigns);
        return;
      }
    }
    line.words.push(word);
  }

  /** One piece of a bare word. */
  private part(array: string | null): void {
    const char = this.source.charAt(this.at);
    const starts = this.word === null;
    this.word ??= { text: "", quoted: false, start: this.at, holes: [], equals: -1 };
    if (char === "\0") this.hole(BARE);
    else if (char === "\\") {
      if (this.isHole(1)) this.refuse(1, "a backslash stands before the template: leave it out");
      else if (this.source.charAt(this.at + 1) === "\n") this.at += 2;
      else this.skipped(1, 2);
    } else if (char === "'") this.single(false);
    else if (char === '"') this.double();
    else if (char === "$") this.dollar("bare");
    else if (char === "`") this.backtick();
    else if (char === "[" && ((array !== null && starts) || /^[A-Za-z_]\w*$/.test(this.word.text))) {
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

  private comment(): void {
    while (this.at < this.limit && this.source.charAt(this.at) !== "\n") {
      if (this.isHole(0)) this.hole({ type: "comment" });
      else this.at += 1;
    }
  }

  private parenthesis(line: Line, conditional: boolean, endWord: () => void): void {
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
      this.at += 1;
      this.commands(")");
    }
  }

  private redirect(conditional: boolean): void {
    if (conditional) {
      this.at += 1;
    } else if (this.source.startsWith("<<<", this.at)) this.at += 3;
    else if (this.source.startsWith("<<", this.at)) this.heredoc();
    else if (this.source.charAt(this.at + 1) === "(") {
      this.at += 2;
      this.substitution(() => this.commands(")"));
    } else this.at += /^(?:>>|<>|[<>]&|>\|)/.test(this.source.slice(this.at, this.at + 2)) ? 2 : 1;
  }

  private heredoc(): void {
    this.at += 2;
    const strip = this.source.charAt(this.at) === "-";
    if (strip) this.at += 1;
    while (/[ \t]/.test(this.source.charAt(this.at))) this.at += 1;
    const read = readDelimiter(this.source, this.at);
    if (read === null) {
      this.unsure("the delimiter of a heredoc is not a plain word: use one like EOF");
      return;
    }
    const { delimiter, quoted, end } = read;
    this.pending.push({ delimiter, quoted, strip, word: { start: this.at, end }, nested: this.nested > 0 });
    this.at = end;
  }

  /** Reads the bodies that begin behind a newline. */
  private bodies(): void {
    const waiting = this.pending;
    this.pending = [];
    for (const heredoc of waiting) {
      const body = findBody(this.source, this.at, this.limit, heredoc);
      if (heredoc.nested && (body.doubtful || !body.closed))
        this.unsure("a heredoc within $(…) has no clear end: put its delimiter on a line of its own");
      this.heredocs.push({ ...heredoc, body: { start: this.at, end: body.end } });
      const [limit, word] = [this.limit, this.word];
      this.limit = body.end;
      this.word = null;
      while (this.at < this.limit) {
        if (!heredoc.quoted) this.expanding(this.source.charAt(this.at), "heredoc");
        else if (this.isHole(0)) this.hole({ type: "literal", heredoc: this.heredocs.length - 1 });
        else this.at += 1;
      }
      this.limit = limit;
      this.word = word;
      this.at = body.after;
    }
  }
}

/** Reads a script with one NUL for every action; the holes come in the order of the NULs. */
export function readShell(source: string): { holes: Hole[]; heredocs: Heredoc[]; optionEnds: number[] } {
  const lexer = new Lexer(source);
  lexer.commands("end");
  lexer.facts.settle();
  return { holes: lexer.facts.holes, heredocs: lexer.heredocs, optionEnds: lexer.facts.optionEnds };
}
