/**
 * The strings, templates, regular expressions and comments of a script in JavaScript, as a module and as CommonJS.
 * What stands before a `/` says whether it divides; where that says nothing, it is not guessed.
 */
import { type Literal, LiteralScanner, type Scanned } from "./literal-places.ts";

/** What stands before: a value, something that a value follows, or one that is not known. */
type Before = "value" | "operator" | "unknown";

const SPACE = /\s+/y;
const WORD = /[\w$#\u0080-\u1fff\u2030-\ud7ff\u{e000}-\u{fefe}\u{10000}-\u{10ffff}]+/uy;
const NUMBER = /\d\w*(?:\.\d*\w*)?/y;
const OPERATORS = /^(?:return|typeof|instanceof|in|new|delete|void|throw|case|do|else)$/;
/** Words that are sometimes names, or that a block or a value may follow. */
const UNCLEAR = /^(?:of|yield|await|let|async|as|default|extends|export|static|get|set)$/;
const HEADS = /^(?:if|while|for|with|await)$/;
const BREAKS = /[\n\r\u2028\u2029]/;

class JavaScriptScanner extends LiteralScanner {
  protected script(): void {
    if (this.has("#!")) this.#line();
    this.#code(false);
    if (!this.isDone) this.unread("a brace closes nothing");
  }

  /** Code to the end, or to the `}` that closes a template's field. */
  #code(field: boolean): void {
    let before: Before = "operator";
    let word = "";
    let dot = false;
    const open: { close: string; head: boolean }[] = [];
    while (!this.isDone) {
      const { char } = this;
      const last = word;
      const property = dot;
      if (this.match(SPACE) !== null) {
        this.at += this.match(SPACE)?.length ?? 1;
        continue;
      }
      if (this.has("//")) {
        this.#line();
        continue;
      }
      if (this.has("/*")) {
        this.#block();
        continue;
      }
      word = "";
      dot = false;
      if (char === "\0") {
        this.hole({ type: "code", why: "it stands outside of a string" });
        before = "value";
      } else if (char === "'" || char === '"') {
        this.#string();
        before = "value";
      } else if (char === "`") {
        this.#template(before !== "operator");
        before = "value";
      } else if (char === "/") {
        if (before === "unknown") this.unread('"/" could divide or begin a regular expression');
        if (before === "operator") this.#expression();
        else this.at += 1;
        before = before === "operator" ? "value" : "operator";
      } else if (/[([{]/.test(char)) {
        open.push({ close: char === "(" ? ")" : char === "[" ? "]" : "}", head: HEADS.test(last) });
        this.at += 1;
        before = "operator";
      } else if (/[)\]}]/.test(char)) {
        if (field && open.length === 0 && char === "}") return;
        const opened = open.pop();
        if (opened?.close !== char) this.unread(`"${char}" closes nothing`);
        this.at += 1;
        before = char === "}" ? "unknown" : opened.head ? "operator" : "value";
      } else {
        const found = this.match(NUMBER) ?? this.match(WORD);
        dot = found === null && char === "." && !this.has("...");
        if (found === null) before = this.#sign(before);
        else {
          this.at += found.length;
          word = property ? "" : found;
          before = property ? "value" : OPERATORS.test(found) ? "operator" : UNCLEAR.test(found) ? "unknown" : "value";
        }
      }
    }
    if (field || open.length > 0) this.unread("a bracket is not closed");
  }

  #sign(before: Before): Before {
    if (this.char === "\\" || this.char === "@") this.unread(`"${this.char}" stands outside of a string`);
    if (this.has("<!--") || this.has("-->")) this.unread("CommonJS takes it for a comment, a module does not");
    const twice = this.has("++") || this.has("--");
    this.at += this.has("...") ? 3 : twice ? 2 : 1;
    return twice ? (before === "operator" ? "operator" : "unknown") : "operator";
  }

  #line(): void {
    while (!this.isDone && !BREAKS.test(this.char)) {
      if (this.char === "\0") this.hole({ type: "code", why: "it stands in a comment" });
      else this.at += 1;
    }
  }

  #block(): void {
    this.at += 2;
    while (!this.has("*/")) {
      if (this.isDone) this.unread("a comment does not end");
      if (this.char === "\0") this.hole({ type: "code", why: "it stands in a comment" });
      else this.at += 1;
    }
    this.at += 2;
  }

  #string(): void {
    const start = this.at;
    const close = this.char;
    const literal: Literal = { raw: false, bytes: false, special: "none" };
    this.at += 1;
    while (this.char !== close) {
      if (this.isDone || this.char === "\n" || this.char === "\r") this.unread("a string does not end on its line");
      if (this.char === "\0") this.hole({ type: "literal", literal });
      else if (this.char === "\\") this.escape(false);
      else this.at += 1;
    }
    this.at += 1;
    this.literals.push({ start, end: this.at });
  }

  /** `tagged`: a function reads it, which may look at the text as it is written. */
  #template(tagged: boolean): void {
    const start = this.at;
    const literal: Literal = { raw: tagged, bytes: false, special: "dollar" };
    this.at += 1;
    while (this.char !== "`") {
      if (this.isDone) this.unread("a template literal does not end");
      if (this.has("$\0")) this.unread('a "$" stands before the template');
      if (this.char === "\0") this.hole({ type: "literal", literal });
      else if (this.char === "\\") this.escape(false);
      else if (this.has("${")) {
        this.at += 2;
        this.inside(() => this.#code(true));
        this.at += 1;
      } else this.at += 1;
    }
    this.at += 1;
    this.literals.push({ start, end: this.at });
  }

  #expression(): void {
    const start = this.at;
    let set = false;
    this.at += 1;
    while (set || this.char !== "/") {
      if (this.isDone || BREAKS.test(this.char)) this.unread("a regular expression does not end on its line");
      if (this.char === "\0") this.hole({ type: "code", why: "it stands in a regular expression" });
      else if (this.char === "\\") this.escape(false);
      else {
        if (this.char === "[") set = true;
        if (this.char === "]") set = false;
        this.at += 1;
      }
    }
    this.at += 1;
    this.literals.push({ start, end: this.at });
  }
}

/** Reads a script of JavaScript whose values are NULs. */
export const scanJavaScript = (text: string): Scanned => new JavaScriptScanner(text).scan();
