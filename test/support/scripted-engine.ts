import type { Commit, News, SinceAsked, Whole } from "../../actors/host/restate/protocol.ts";
import { KeptSession } from "./cell.ts";

/** An engine with one session; `waits` answers only when something has happened. */
export class ScriptedEngine {
  readonly kept = new KeptSession();
  readonly commits: Commit[] = [];
  readonly asked: string[] = [];
  /** How long those who waited were to be let wait. */
  readonly seconds: (number | undefined)[] = [];
  isGone = false;
  /** It keeps so many commits one by one. */
  keeps = 100;
  #waiting: (() => void)[] = [];

  send(event: object): Commit {
    return this.#keep(this.kept.send(event));
  }
  birth(): Commit {
    return this.#keep(this.kept.birth());
  }
  #keep({ n, rows, log }: Commit): Commit {
    this.commits.push({ n, rows, log });
    this.ring();
    return { n, rows, log };
  }
  ring(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
  since = async (_: string, { after, waits, seconds }: SinceAsked, given?: AbortSignal): Promise<News> => {
    this.asked.push(`since ${after}`);
    if (waits) this.seconds.push(seconds);
    const n = this.commits.length;
    const isQuiet = waits && n === after && !this.isGone;
    if (isQuiet)
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        given?.addEventListener("abort", () => reject(new Error("given up")));
      });
    if (this.isGone) return null;
    const commits = this.commits.slice(after);
    return commits.length > this.keeps ? { n: this.commits.length, whole: true } : { n: this.commits.length, commits };
  };
  whole = async (): Promise<Whole> => {
    this.asked.push("whole");
    if (this.isGone || this.commits.length === 0) return null;
    return { n: this.commits.length, rows: [...this.kept.rows], log: [...this.kept.log] };
  };
}
