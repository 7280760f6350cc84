/** Owns the messages for what authors carry over from templates: `{{.inputs.x}}` and `.inputs.x`. */

import { own } from "../../model.ts";
import { Unreadable } from "./fault.ts";
import type { ExpressionToken } from "./tokens.ts";

/** Comparisons, as templates write them before what they compare. */
const SIGNS: { readonly [word: string]: string } = { eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=" };
const JOINS: readonly string[] = ["and", "or"];
const VALUE = `("[^"]*"|[^\\s"()|]+)`;
const CALL = new RegExp(`^([a-z]{2,3})\\s+${VALUE}\\s+${VALUE}$`);
/** The dot that a template has before a name. */
const DOT = /(?<=^|[\s(!])\.(?=[A-Za-z_])/g;

/** What stands between the braces, as an expression says it; it may be none. */
function plainOf(inside: string): string {
  const text = inside
    .replace(/^-\s|\s-$/g, "")
    .trim()
    .replace(DOT, "");
  const [, word = "", left = "", right = ""] = CALL.exec(text) ?? [];
  const sign = own(SIGNS, word) ?? (JOINS.includes(word) ? word : undefined);
  return sign === undefined ? text : `${left} ${sign} ${right}`;
}

/** `{{ … }}` in an expression. `isRead`: whether a text is an expression; nothing else is proposed. */
export function templateBraces(source: string, start: number, isRead: (text: string) => boolean): Unreadable {
  const close = source.indexOf("}}", start);
  const end = close < 0 ? source.length : close + 2;
  const inside = source.slice(start + 2, close < 0 ? source.length : close);
  const plain = inside.includes("{{") ? "" : plainOf(inside); // braces in braces would be read for each of them
  const message = "an expression names values directly, without {{ }}";
  return new Unreadable(message, { start, end }, isRead(plain) ? plain : null);
}

/** A dot before the first name. */
export function leadingDot(dot: ExpressionToken, following: ExpressionToken): Unreadable {
  const name = following.kind === "word" ? following.text : null;
  const range = { start: dot.range.start, end: following.range.end };
  return new Unreadable("expected a value: a name starts without a dot", name === null ? dot.range : range, name);
}
