/**
 * Half of a character, as a text has it that was cut between the two units of one: not every reader of JSON takes a text
 * with it, and no file of UTF-8 can hold it.
 */

/** The value with U+FFFD for each half, in texts and names; the same object where there is none. */
export function wellFormed<T>(value: T): T {
  return mended(value) as T;
}

function mended(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(mended);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([name, one]): [string, unknown] => [name.toWellFormed(), mended(one)]);
  const isSame = after.every(([name, one], index) => name === before[index]?.[0] && one === before[index]?.[1]);
  return isSame ? value : Object.fromEntries(after);
}

const FIRST_HALF = 0xd800;

/** A text that comes in pieces, of whole characters: the first half of one waits for the other. */
export class WholeCharacters {
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = (text.charCodeAt(text.length - 1) & 0xfc00) === FIRST_HALF ? text.slice(-1) : "";
    return (this.#half === "" ? text : text.slice(0, -1)).toWellFormed();
  }
  /** No other half comes any more. */
  end(): string {
    const rest = this.#half;
    this.#half = "";
    return rest.toWellFormed();
  }
  get holds(): boolean {
    return this.#half !== "";
  }
}
