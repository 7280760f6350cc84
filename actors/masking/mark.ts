/**
 * What stands for a secret in stored state: a mark that names it, so that it can be turned back into the value.
 *
 *     U+E000 <name> / <form> [: <from> - <to>] U+E001        a piece of a form of the secret
 *     U+E000 <name> / n U+E001                               the secret as a number
 *     U+E000 U+E001                                          U+E000 itself
 *
 * I1. What a text holds by itself is never taken for a mark: U+E000 in it is written as the pair. A step that writes
 *     a mark into its output gets its own characters back, not the value.
 * I2. In memory a mark whose secret is not known carries a nonce that no step can know; written again, it is the same
 *     mark. So a process that does not know a secret neither loses it nor lets others forge it.
 */

export const OPEN = "\uE000";
export const CLOSE = "\uE001";

export type Mark = { name: string; form: number; from: number; to: number | null } | { name: string; form: "n" };

export const writeMark = (mark: Mark): string => {
  const name = encodeURIComponent(mark.name);
  if (mark.form === "n") return `${OPEN}${name}/n${CLOSE}`;
  const part = mark.to === null ? "" : `:${mark.from}-${mark.to}`;
  return `${OPEN}${name}/${mark.form}${part}${CLOSE}`;
};

const BODY = /^([^/]+)\/(?:(n)|(\d{1,6})(?::(\d{1,9})-(\d{1,9}))?)$/;

export function readMark(body: string): Mark | null {
  const [, encoded, number, form, from, to] = BODY.exec(body) ?? [];
  if (encoded === undefined) return null;
  try {
    const name = decodeURIComponent(encoded);
    if (number !== undefined) return { name, form: "n" };
    return { name, form: Number(form), from: Number(from ?? 0), to: to === undefined ? null : Number(to) };
  } catch {
    return null;
  }
}

/** Stored JSON as it is shown to people: what was hidden is stars. */
export const withoutMarks = (json: string): string => replaceMarks(json, (body) => (body === "" ? OPEN : "***"));

/** Marks in stored text: the body of each is given to `replace`. A text without any is answered as it is. */
export function replaceMarks(text: string, replace: (body: string) => string): string {
  return text.includes(OPEN)
    ? text.replace(/\uE000([^\uE000\uE001]*)\uE001/g, (_, body: string) => replace(body))
    : text;
}
