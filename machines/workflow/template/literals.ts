/**
 * Reads Go's literals: interpreted strings, raw strings, character constants, numbers.
 *
 * I1. A fault says how much text it covers, so that the lexer can continue behind it.
 */
type LiteralRead<T> = { value: T; length: number } | { fault: string; length: number };

const SIMPLE: { readonly [char: string]: string } = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** One escape behind a backslash. Octal and `\x` name a code unit below 256. */
const escapeAt = (source: string, at: number): { char: string; length: number } | null => {
  const char = source.charAt(at);
  if (Object.hasOwn(SIMPLE, char)) return { char: SIMPLE[char] ?? "", length: 1 };
  const rest = source.slice(at, at + 9);
  const match = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/.exec(rest);
  if (match === null) return null;
  const hex = match[1] ?? match[2] ?? match[3];
  const code = hex === undefined ? Number.parseInt(match[4] ?? "0", 8) : Number.parseInt(hex, 16);
  if (code > 0x10ffff) return null;
  return { char: String.fromCodePoint(code), length: match[0].length };
};

/** A `"…"` or `` `…` `` gives its text, a `'c'` the code point of its one character. */
export function readQuoted(source: string, at: number): LiteralRead<string | number> {
  const quote = source.charAt(at);
  if (quote === "`") {
    const close = source.indexOf("`", at + 1);
    if (close < 0) return { fault: "unclosed raw string: ` expected", length: source.length - at };
    return { value: source.slice(at + 1, close).replaceAll("\r", ""), length: close + 1 - at };
  }
  const parts: string[] = [];
  let next = at + 1;
  for (;;) {
    const char = source.charAt(next);
    if (char === "" || char === "\n" || (char === "\\" && next + 1 === source.length)) {
      return { fault: `unclosed ${quote === '"' ? "string" : "character"}: ${quote} expected`, length: next - at };
    }
    if (char === quote) break;
    if (char === "\\") {
      const escaped = escapeAt(source, next + 1);
      if (escaped === null) return { fault: `unknown escape "\\${source.charAt(next + 1)}"`, length: next + 2 - at };
      parts.push(escaped.char);
      next += 1 + escaped.length;
    } else {
      parts.push(char);
      next += 1;
    }
  }
  const text = parts.join("");
  const length = next + 1 - at;
  if (quote === '"') return { value: text, length };
  const code = text.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== text) {
    return { fault: "single quotes hold exactly one character: write a string with double quotes", length };
  }
  return { value: code, length };
}

const NUMBER = /^([-+]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:[0-9][0-9_]*)?\.?[0-9_]*(?:[eE][-+]?[0-9]+)?)/;

/** Integers (decimal, 0x, 0b, 0o) and floats, with `_` between digits. */
export function readNumber(source: string, at: number): LiteralRead<number> {
  const window = source.slice(at, at + 400);
  const match = NUMBER.exec(window);
  const text = match?.[0] ?? "";
  const rest = /^[\p{L}\p{Nd}_.]+/u.exec(window.slice(text.length))?.[0] ?? "";
  const digits = (match?.[2] ?? "").replaceAll("_", "");
  const value = Number(digits);
  if (rest !== "" || digits === "" || !Number.isFinite(value)) {
    return { fault: `bad number ${JSON.stringify(text + rest)}`, length: Math.max(1, text.length + rest.length) };
  }
  return { value: match?.[1] === "-" && value !== 0 ? -value : value, length: text.length };
}
