/**
 * Owns what stands in brackets or behind a value: lists, maps, arguments, members, indexes.
 * What stands between operators is `parse.ts`.
 */

import { checkCall } from "./check.ts";
import { TokenCursor } from "./cursor.ts";
import { Unreadable } from "./fault.ts";
import { functionNamed } from "./functions/table.ts";
import { tokenText } from "./operators.ts";
import { printExpression } from "./print.ts";
import type { Expression, ExpressionFault } from "./syntax.ts";
import type { ExpressionToken } from "./tokens.ts";
import { Tree } from "./tree.ts";

export abstract class BracketParser {
  protected readonly source: string;
  protected readonly cursor: TokenCursor;
  protected readonly tree = new Tree();
  protected readonly faults: ExpressionFault[];

  constructor(source: string, faults: ExpressionFault[]) {
    this.source = source;
    this.cursor = new TokenCursor(source);
    this.faults = faults;
  }

  /** An expression with all that may stand in brackets, `? :` included. */
  protected abstract whole(): Expression;

  protected map(open: ExpressionToken): Expression {
    const entries: { key: string; value: Expression }[] = [];
    while (!this.cursor.isNext("}")) {
      const key = this.cursor.take();
      if (key.kind !== "word" && key.kind !== "string" && key.kind !== "number") {
        throw new Unreadable(`expected a key or "}", found ${tokenText(key)}`, key.range);
      }
      this.cursor.expect(":", "after the key");
      const value = this.nested(() => this.whole());
      entries.push({ key: key.kind === "word" ? key.text : String(key.value), value });
      if (!this.cursor.skip(",")) break;
    }
    this.cursor.expect("}", 'to close "{"');
    const values = entries.map((entry) => entry.value);
    return this.tree.node({ kind: "map", entries, range: this.cursor.since(open.range) }, values);
  }

  protected postfix(start: Expression): Expression {
    let object = start;
    for (;;) {
      const token = this.cursor.next();
      if (token.kind !== "symbol") return object;
      const optional = token.text === "?.";
      if (token.text === "(") {
        const suggestion = asFunctionCall(object);
        const message = "only a function's name can be called: write name(value), not value.name() or (value)()";
        throw new Unreadable(message, token.range, suggestion);
      }
      if (token.text !== "." && token.text !== "[" && !optional) return object;
      this.cursor.take();
      object =
        token.text === "[" || (optional && this.cursor.skip("["))
          ? this.#index(object, optional)
          : this.#member(object, optional);
    }
  }

  #member(object: Expression, optional: boolean): Expression {
    const token = this.cursor.take();
    if (token.kind !== "word") {
      const message = `expected a member's name after "${optional ? "?." : "."}", found ${tokenText(token)}`;
      throw new Unreadable(message, token.range, token.kind === "number" ? `[${token.text}]` : null);
    }
    const range = this.cursor.since(object.range);
    return this.tree.node({ kind: "member", object, name: token.text, optional, range }, [object]);
  }

  #index(object: Expression, optional: boolean): Expression {
    const from = this.cursor.isNext(":") ? null : this.nested(() => this.whole());
    if (this.cursor.skip(":")) return this.#slice(object, from);
    const index = from ?? this.nested(() => this.whole());
    this.cursor.expect("]", 'to close "["');
    const range = this.cursor.since(object.range);
    return this.tree.node({ kind: "index", object, index, optional, range }, [object, index]);
  }

  #slice(object: Expression, from: Expression | null): Expression {
    const to = this.cursor.isNext("]") ? null : this.nested(() => this.whole());
    this.cursor.expect("]", 'to close "["');
    const parts = [object, from, to].filter((part) => part !== null);
    return this.tree.node({ kind: "slice", object, from, to, range: this.cursor.since(object.range) }, parts);
  }

  protected call(name: ExpressionToken, text: string, piped: Expression[]): Expression {
    this.cursor.take();
    const values = [...piped, ...this.list(")", `to close "${text}("`)];
    const start = (piped[0] ?? name).range.start;
    const node = this.tree.node(
      { kind: "call", name: text, arguments: values, range: this.cursor.since({ start }) },
      values,
    );
    this.faults.push(...checkCall(node, name.range));
    return node;
  }

  protected list(close: string, purpose: string): Expression[] {
    const items: Expression[] = [];
    while (!this.cursor.isNext(close)) {
      items.push(this.nested(() => this.whole()));
      if (!this.cursor.skip(",")) break;
    }
    this.cursor.expect(close, purpose);
    return items;
  }

  protected nested(read: () => Expression): Expression {
    return this.tree.nested(this.cursor.next().range, read);
  }
}

/** `value.lower` in the way it can be called; null when there is no such function. */
function asFunctionCall(callee: Expression): string | null {
  if (callee.kind !== "member" || functionNamed(callee.name) === null) return null;
  return `${callee.name}(${printExpression(callee.object)}, …)`;
}
