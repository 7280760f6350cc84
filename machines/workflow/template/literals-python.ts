/**
 * The strings and comments of a script in Python. Both the rules before 3.12 and since hold for what it reads of
 * f-strings: where they differ it reads nothing (I1 of `literal-places.ts`).
 */
import { type Literal, LiteralScanner, type Scanned } from "./literal-places.ts";

const WORD = /[\w\u0080-\uffff]+/y;
const PREFIX = /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/i;
const KEYWORDS =
  /^(?:and|as|assert|await|case|elif|else|except|from|if|import|in|is|lambda|match|not|or|print|raise|return|while|with|yield)$/;
/** Python decodes the file by what its first two lines say. */
const CODING = /coding[=:][ \t]*([-\w.\0]+)/;
const DIFFERENT = "versions of Python read a field of this f-string differently";
const UTF8 = /^utf[-_]?8$/i;

class PythonScanner extends LiteralScanner {
  protected script(): void {
    for (const line of this.text.split(/\r\n|[\r\n]/, 2)) {
      const coding = CODING.exec(line)?.[1];
      if (coding !== undefined && !UTF8.test(coding)) this.unread("its encoding is not UTF-8");
    }
    while (!this.isDone) {
      const { char } = this;
      if (char === "\0") this.hole({ type: "code", why: "it stands outside of a string" });
      else if (char === "#") this.#comment();
      else if (char === "'" || char === '"') this.#string("");
      else this.#word();
    }
  }

  #comment(): void {
    while (!this.isDone && this.char !== "\n" && this.char !== "\r") {
      if (this.char === "\0") this.hole({ type: "code", why: "it stands in a comment" });
      else this.at += 1;
    }
  }

  #word(): void {
    const word = this.match(WORD);
    if (word === null) {
      this.at += 1;
      return;
    }
    this.at += word.length;
    if (this.char !== "'" && this.char !== '"') return;
    if (PREFIX.test(word)) this.#string(word.toLowerCase());
    else if (KEYWORDS.test(word)) this.#string("");
    else this.unread(`"${word.slice(0, 20)}" stands right before a string`);
  }

  #string(prefix: string): void {
    const start = this.at;
    const { char } = this;
    const triple = this.has(char.repeat(3));
    const close = triple ? char.repeat(3) : char;
    const fields = /[ft]/.test(prefix);
    const raw = prefix.includes("r");
    const literal: Literal = { raw, bytes: prefix.includes("b"), special: fields ? "braces" : "none" };
    this.at += close.length;
    while (!this.has(close)) {
      const next = this.char;
      if (this.isDone) this.unread("a string does not end");
      if (!triple && (next === "\n" || next === "\r")) this.unread("a string does not end on its line");
      if (next === "\0") this.hole({ type: "literal", literal });
      else if (next === "\\") {
        if (fields && this.has("\\N")) this.unread("\\N stands in an f-string");
        if (fields && (this.has("\\{") || this.has("\\}"))) this.unread("a backslash stands before a brace");
        this.escape(raw);
      } else if (fields && (this.has("{{") || this.has("}}"))) this.at += 2;
      else if (fields && next === "{") this.#field(close);
      else this.at += 1;
    }
    this.at += close.length;
    this.literals.push({ start, end: this.at });
  }

  /** `{…}` of an f-string; in its format, behind `:`, a quote is a character. */
  #field(close: string): void {
    let depth = 0;
    let format = false;
    do {
      const { char } = this;
      if (this.isDone || /[\\#\n\r]/.test(char) || this.has(close)) this.unread(DIFFERENT);
      if (char === "\0") this.hole({ type: "code", why: "it stands in a field of an f-string" });
      else if (char === "'" || char === '"') {
        if (format) this.unread("a quote stands in the format of an f-string");
        const end = this.text.indexOf(char, this.at + 1);
        // The quote that ends it may be the first of three that end the f-string.
        const inner = this.text.slice(this.at, close.length === 3 ? end + 3 : end);
        if (end < 0 || /[\\\n\r\0{}]/.test(this.text.slice(this.at, end)) || inner.includes(close))
          this.unread(DIFFERENT);
        this.at = end + 1;
      } else {
        if (/[{[(]/.test(char)) depth += 1;
        else if (/[}\])]/.test(char)) depth -= 1;
        else if (char === ":" && depth === 1) format = true;
        if (format && this.has("{{")) this.unread("braces stand in the format of an f-string");
        this.at += 1;
      }
    } while (depth > 0);
  }
}

/** Reads a script of Python whose values are NULs. */
export const scanPython = (text: string): Scanned => new PythonScanner(text).scan();
