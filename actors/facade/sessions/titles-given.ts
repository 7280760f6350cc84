/**
 * The titles that this process has chosen and not written yet: sessions that are prompted at once are told apart, too.
 *
 * I1. A title that was chosen while another one was looked for counts for that one, written or not.
 */
import type { Key } from "../../../machines/model.ts";

type Looking = { readonly cwd: string; readonly chosen: string[] };

class TitlesGiven {
  /** By session: chosen, and not written yet. */
  readonly #given = new Map<Key, { cwd: string; title: string }>();
  readonly #looking = new Set<Looking>();

  /** What `choose` makes of the titles that `read` answers and those on their way in the directory. */
  async choose(
    { session, cwd }: { session: Key; cwd: string },
    read: () => Promise<readonly (string | null)[]>,
    choose: (others: readonly (string | null)[]) => string,
  ): Promise<string> {
    const looking: Looking = { cwd, chosen: [] };
    for (const given of this.#given.values()) if (given.cwd === cwd) looking.chosen.push(given.title);
    this.#looking.add(looking);
    try {
      const title = choose([...(await read()), ...looking.chosen]);
      this.#given.set(session, { cwd, title });
      for (const other of this.#looking) if (other !== looking && other.cwd === cwd) other.chosen.push(title);
      return title;
    } finally {
      this.#looking.delete(looking);
    }
  }
  /** What was chosen for it is written, or never will be. */
  settled(session: Key): void {
    this.#given.delete(session);
  }
}

const given = new WeakMap<object, TitlesGiven>();
/** Those of the process that holds these sessions. */
export function titlesGiven(sessions: object): TitlesGiven {
  const known = given.get(sessions) ?? new TitlesGiven();
  given.set(sessions, known);
  return known;
}
