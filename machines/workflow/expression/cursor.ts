/** Owns the place in the tokens: what comes next, what was taken, and what to say when something else was expected. */

import { Unreadable } from "./fault.ts";
import { strayToken, tokenText } from "./operators.ts";
import type { Range } from "./syntax.ts";
import { type ExpressionToken, tokenize } from "./tokens.ts";

export class TokenCursor {
  readonly #tokens: ExpressionToken[];
  readonly #end: ExpressionToken;
  #at = 0;

  /** Throws `Unreadable` where the source cannot be cut into tokens. */
  constructor(source: string) {
    this.#tokens = tokenize(source);
    this.#end = { kind: "end", text: "", range: { start: source.length, end: source.length } };
  }

  next(ahead = 0): ExpressionToken {
    return this.#tokens[this.#at + ahead] ?? this.#end;
  }

  take(): ExpressionToken {
    const token = this.next();
    this.#at++;
    return token;
  }

  isNext(symbol: string): boolean {
    const token = this.next();
    return token.kind === "symbol" && token.text === symbol;
  }

  /** Takes the symbol if it comes next. */
  skip(symbol: string): boolean {
    const found = this.isNext(symbol);
    if (found) this.#at++;
    return found;
  }

  expect(symbol: string, purpose: string): ExpressionToken {
    const token = this.take();
    if (token.kind === "symbol" && token.text === symbol) return token;
    const { message, suggestion } = strayToken(token);
    if (suggestion !== undefined) throw new Unreadable(message, token.range, suggestion);
    throw new Unreadable(`expected "${symbol}" ${purpose}, found ${tokenText(token)}`, token.range);
  }

  expectEnd(): void {
    const token = this.next();
    if (token.kind === "end") return;
    const { message, range, suggestion } = strayToken(token);
    throw new Unreadable(message, range, suggestion);
  }

  /** From a start to the end of the last token taken. */
  since(from: { start: number }): Range {
    return { start: from.start, end: this.#tokens[this.#at - 1]?.range.end ?? from.start };
  }
}
