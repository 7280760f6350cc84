/** Redirections of a script: where they lead, and the bodies of heredocs. */
import type { CodeRules } from "./shell-code.ts";
import { asCode } from "./shell-facts.ts";
import { findBody, readDelimiter } from "./shell-heredocs.ts";
import type { Heredoc, Line } from "./shell-holes.ts";
import { Parameters } from "./shell-parameters.ts";

/**
 * What the word behind an operator is: where a redirection leads, what is copied (`>&`), the text of a here-string, or a
 * plain word.
 */
export type Target = "none" | "file" | "copy" | "string";
/** What is demanded of such a word: one that is no number is expanded again by bash. */
export const COPY = asCode({
  why: "bash expands what stands behind >& or <& once more, commands included",
  instead: `> "{{…}}" 2>&1`,
});

export abstract class Redirects extends Parameters {
  readonly heredocs: Heredoc[] = [];
  protected abstract readonly code: CodeRules;

  /** Reads the operator; reports what the word behind it is. */
  protected redirect(line: Line): Target {
    if (this.source.startsWith("<<<", this.at)) {
      this.at += 3;
      return "string";
    }
    if (this.source.startsWith("<<", this.at)) {
      this.heredoc(line.words.length === 0);
      return "none";
    }
    if (this.source.charAt(this.at + 1) === "(") {
      const start = this.at;
      this.at += 2;
      this.substitution(() => this.commands(")"));
      line.strings.push({ start, end: this.at });
      return "none";
    }
    const operator = /^(?:>>|<>|[<>]&|>\||[<>])/.exec(this.source.slice(this.at, this.at + 2))?.[0] ?? "";
    this.at += operator.length;
    return operator.endsWith("&") ? "copy" : "file";
  }

  private heredoc(alone: boolean): void {
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
    this.pending.push({
      delimiter,
      quoted,
      strip,
      word: { start: this.at, end },
      nested: this.nested > 0,
      code: null,
      alone,
    });
    this.at = end;
  }

  /** Reads the bodies that begin behind a newline. */
  protected bodies(): void {
    const waiting = this.pending;
    this.pending = [];
    for (const heredoc of waiting) {
      const body = findBody(this.source, this.at, this.limit, heredoc);
      if (heredoc.nested && (body.doubtful || !body.closed))
        this.unsure("a heredoc within $(…) has no clear end: put its delimiter on a line of its own");
      const { alone, ...known } = heredoc;
      const whole: Heredoc = { ...known, body: { start: this.at, end: body.end } };
      this.heredocs.push(whole);
      const [limit, word] = [this.limit, this.word];
      this.limit = body.end;
      this.word = null;
      while (this.at < this.limit) {
        if (!heredoc.quoted) this.expanding(this.source.charAt(this.at), "heredoc");
        else if (this.isHole(0)) this.hole({ type: "literal", heredoc: this.heredocs.length - 1 });
        else this.at += 1;
      }
      this.code.body(whole, alone);
      this.limit = limit;
      this.word = word;
      this.at = body.after;
    }
  }
}
