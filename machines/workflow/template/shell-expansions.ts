/**
 * The expansions of a shell: quotes, `$…`, backticks, arithmetic, `${…}`. Commands are in `shell-lexer.ts`.
 *
 * I1. Backticks with a backslash in them are not read: their holes are refused.
 */
import type { HolePlace } from "./shell-holes.ts";
import { Words } from "./shell-words.ts";

export const ARITHMETIC = "arithmetic computes with it";
export const INDEX = "it is the index of an array";
export const BARE: HolePlace = { type: "bare", whole: false };

export abstract class Expansions extends Words {
  /** Reads commands up to the limit, or up to and over a `)`. */
  abstract commands(close: "end" | ")"): void;

  abstract parameter(quoted: boolean): void;

  protected single(ansi: boolean): void {
    this.skipped(1, 1);
    while (this.at < this.limit) {
      const char = this.source.charAt(this.at);
      if (char === "\0") this.hole({ type: "single", ansi });
      else if (char === "'") {
        this.at += 1;
        return;
      } else if (ansi && char === "\\") {
        if (this.isHole(1)) this.refuse(1, "a backslash stands before the template: leave it out");
        else {
          if (this.source.charAt(this.at + 1) === "'")
            this.unsure("shells read \\' within $'…' differently: use double quotes");
          this.add(2);
        }
      } else this.add(1);
    }
  }

  protected double(): void {
    this.skipped(1, 1);
    while (this.at < this.limit) {
      const char = this.source.charAt(this.at);
      if (char === '"') {
        this.at += 1;
        return;
      }
      this.expanding(char, "double");
    }
  }

  /** One piece of text in which `$`, backticks and backslashes work: double quotes, heredocs. */
  protected expanding(char: string, within: "double" | "heredoc"): void {
    if (char === "\0") this.hole({ type: within, backslash: false });
    else if (char === "\\") {
      if (this.isHole(1)) {
        this.at += 1;
        this.hole({ type: within, backslash: true });
      } else {
        const next = this.source.charAt(this.at + 1);
        this.add(2, false, /[$`"\\]/.test(next) ? next : next === "\n" ? "" : `\\${next}`);
      }
    } else if (char === "$") this.dollar(within);
    else if (char === "`") this.backtick();
    else this.add(1);
  }

  protected dollar(within: "bare" | "double" | "heredoc"): void {
    const next = this.source.charAt(this.at + 1);
    if (this.isHole(1))
      this.refuse(1, 'a "$" stands before the template: leave it out, or the value would name a variable');
    else if (this.source.startsWith("((", this.at + 1)) {
      this.add(3);
      this.arithmetic("))", ARITHMETIC);
    } else if (next === "(") {
      this.add(2);
      this.substitution(() => this.commands(")"), within === "bare");
    } else if (next === "{") this.parameter(within !== "bare");
    else if (next === "[") {
      this.add(2);
      this.arithmetic("]", ARITHMETIC);
    } else if (next === "'" && within === "bare") {
      this.at += 1;
      this.single(true);
    } else if (next === '"' && within === "bare") this.at += 1;
    else {
      const name = /^(?:[A-Za-z_]\w*|[\d@*])/.exec(this.source.slice(this.at + 1, this.at + 100))?.[0];
      this.current();
      if (name !== undefined) this.refer(name, within === "bare" ? "bare" : "quotes");
      this.add(name !== undefined ? name.length + 1 : /[$#?!-]/.test(next) ? 2 : 1);
    }
  }

  /** `bare`: what it writes is split into words. */
  protected substitution(read: () => void, bare = false): void {
    const start = this.at;
    const outer = this.pending;
    this.pending = [];
    this.nested += 1;
    read();
    this.nested -= 1;
    const crossed = outer.length > 0 && this.source.slice(start, this.at).includes("\n");
    if (this.pending.length > 0 || crossed) this.unsure("a heredoc and $(…) overlap: put them on separate lines");
    this.pending = outer;
    const span = { start, end: this.at };
    this.facts.substitution(span);
    if (bare) this.word?.bare.parts.push(span);
    // What it writes is not known; as code it is one word, and may name any program.
    if (this.word !== null) this.word.code = `${this.word.code.replace(/\$\($/, "")}$!`;
  }

  protected backtick(bare = false): void {
    const start = this.at + 1;
    let close = start;
    while (close < this.limit && this.source.charAt(close) !== "`") close += this.source.charAt(close) === "\\" ? 2 : 1;
    close = Math.min(close, this.limit);
    const escaped = /\\[`\\$"\n\0]/.test(this.source.slice(start, close));
    const heredoc = /(?<!<)<<(?!<)/.test(this.source.slice(start, close));
    this.current();
    const limit = this.limit;
    this.at = start;
    this.limit = close;
    if (escaped || heredoc) {
      while (this.at < close) {
        if (this.isHole(0))
          this.hole({ type: "refused", why: "it stands in backticks with a backslash or heredoc: write $(…)" });
        else this.at += 1;
      }
    } else this.substitution(() => this.commands("end"), bare);
    this.limit = limit;
    this.at = Math.min(close + 1, limit);
  }

  protected arithmetic(close: "))" | "]" | "}", why: string): void {
    this.deeper();
    const start = this.at;
    let [rounds, squares] = [0, 0];
    const done = (length: number): void => {
      this.facts.compute({ start, end: this.at }, why);
      this.add(length);
      this.depth -= 1;
    };
    while (this.at < this.limit) {
      const char = this.source.charAt(this.at);
      if (char === "\0") this.hole({ type: "arithmetic" });
      else if (char === "$") this.dollar("double");
      else if (char === "`") this.backtick();
      else if (char === ")" && rounds === 0 && close === "))") {
        const double = this.source.charAt(this.at + 1) === ")";
        if (!double) this.unsure('"((" could be arithmetic or two parentheses: put a space between them');
        return done(double ? 2 : 1);
      } else if (char === "]" && squares === 0 && close === "]") return done(1);
      else if (char === "}" && close === "}") return done(0);
      else {
        if (char === "(") rounds += 1;
        if (char === ")") rounds = Math.max(0, rounds - 1);
        if (char === "[") squares += 1;
        if (char === "]") squares = Math.max(0, squares - 1);
        this.add(1);
      }
    }
    done(0);
  }
}
