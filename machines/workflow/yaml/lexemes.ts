/** The words of a YAML text, each with its place. */
import { Lexer } from "yaml";

/** `plain`: a text without quotes, in the line or lines where it stands. */
export type Lexeme = { text: string; at: number; plain: boolean };

const [DOCUMENT, FLOW_END, SCALAR] = [2, 24, 31].map((code) => String.fromCharCode(code));

export function* lexemesOf(source: string): Generator<Lexeme> {
  let at = 0;
  let scalar = false;
  let block = false;
  for (const text of new Lexer().lex(source)) {
    // The lexer's own marks stand for no text.
    if (text === DOCUMENT || text === FLOW_END) continue;
    if (text === SCALAR) {
      scalar = true;
      continue;
    }
    yield { text, at, plain: scalar && !block };
    at += text.length;
    // What follows "|" or ">" is a text of lines of its own.
    if (scalar) block = false;
    else if (/^[|>]/.test(text)) block = true;
    scalar = false;
  }
}
