/**
 * Text from a pipe as lines.
 *
 * I1. Lines come in order, without their newline; an empty line is none.
 * I2. A byte order mark before the first line is none of it.
 * I3. A line above the cap is discarded up to its newline without being held, and reported once, with how it begins.
 */

/** The longest line that is kept, in UTF-16 units. */
export const MAX_LINE = 10 * 1024 * 1024;

const MARK = "\ufeff";
/** So much of one that is longer is reported. */
const HEAD = 1024;

export type Lines = {
  push(text: string): void;
  /** The pipe has ended: a last line without a newline is a line too. */
  end(): void;
};

export function lines(o: { onLine: (line: string) => void; onTooLong: (head: string) => void; max?: number }): Lines {
  const max = o.max ?? MAX_LINE;
  let held: string[] = [];
  let length = 0;
  let dropping = false;
  let isFirst = true;

  function hold(piece: string): void {
    if (dropping || piece === "") return;
    length += piece.length;
    if (length <= max) {
      held.push(piece);
      return;
    }
    dropping = true;
    const head = [...held, piece].join("").slice(0, HEAD);
    held = [];
    o.onTooLong(head);
  }

  function finish(): void {
    const text = held.join("");
    const line = isFirst && text.startsWith(MARK) ? text.slice(MARK.length) : text;
    isFirst = false;
    held = [];
    length = 0;
    dropping = false;
    if (line.trim() !== "") o.onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
        hold(text.slice(from, at));
        finish();
        from = at + 1;
      }
      hold(text.slice(from));
    },
    end: finish,
  };
}
