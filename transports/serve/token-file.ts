/**
 * The tokens of a server, as their file says now, and what was opened by them.
 *
 * I1. `list` is changed in place, and a token that stays is the same object: who holds the list has what counts.
 * I2. What a token has opened ends when it is taken out of the file.
 * I3. A file that cannot be taken changes nothing.
 */
import { statSync } from "node:fs";
import type { ServeFault } from "./fault.ts";
import { type AccessToken, readTokens } from "./tokens.ts";

export class TokenFile {
  readonly list: AccessToken[];
  readonly #file: string;
  readonly #opened = new Map<AccessToken, Set<() => void>>();
  #mark: string;

  /** Throws USER.SERVE.TOKEN_FILE. */
  constructor(file: string) {
    this.#file = file;
    this.#mark = markOf(file);
    this.list = readTokens(file);
  }

  /** Takes over a file that has changed since the last look; answers what has become of that, null where nothing has. */
  refresh(): { added: number; removed: number } | { fault: ServeFault } | null {
    const mark = markOf(this.#file);
    if (mark === this.#mark) return null;
    this.#mark = mark;
    let read: AccessToken[];
    try {
      read = readTokens(this.#file);
    } catch (error) {
      return { fault: error as ServeFault };
    }
    const before = [...this.list];
    const now = read.map((one) => before.find((old) => isSame(old, one)) ?? one);
    this.list.splice(0, this.list.length, ...now);
    const gone = before.filter((one) => !now.includes(one));
    for (const token of gone) for (const end of this.#opened.get(token) ?? []) end();
    return { added: now.filter((one) => !before.includes(one)).length, removed: gone.length };
  }
  /** `end` is called where the token is taken out; what is answered forgets it. */
  hold(token: AccessToken, end: () => void): () => void {
    const ends = this.#opened.get(token) ?? new Set();
    this.#opened.set(token, ends.add(end));
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#opened.get(token) === ends) this.#opened.delete(token);
    };
  }
}

const isSame = (one: AccessToken, other: AccessToken): boolean =>
  one.subject === other.subject && one.digest.equals(other.digest);
/** Changes whenever the file does, also where another takes its place. */
function markOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
