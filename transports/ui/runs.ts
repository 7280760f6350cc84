/**
 * The runs of this user, whichever process runs them: records as they change, and the logs of those that are looked at.
 *
 * I1. Only what is looked at is followed; a list of a thousand runs costs its visible lines.
 * I2. Records are read anew when there is news, at most so often, and never by the clock alone. News of a log that is
 *     looked at and keys do not wait; whatever else other processes write is looked for once a second.
 * I3. A log that has failed is tried again with the next reading of records, and not before.
 */
import { type Subscription, takeWhile } from "rxjs";
import type { RunRecord, Troupe } from "../../actors/troupe.ts";
import { withOpen } from "../../projections/runs/standing.ts";
import { Screen } from "../../projections/screen/screen.ts";
import { inSeq } from "../../projections/shared/in-seq.ts";
import { changesList, inOrder, isWaiting } from "../../projections/ui/list-lines.ts";
import type { Canvas } from "../cli/io.ts";

const OFTEN_MS = 250;
/** Another process's commit says nothing of itself: while text flows there are many. */
const SELDOM_MS = 1_000;
/** The rows after which a record says something else. */
const TURNS: ReadonlySet<string> = new Set([
  ...["run.started", "run.completed", "turn.completed", "permission.requested", "permission.resolved"],
  ...["input.required", "input.answered"],
]);
/** Runs that are read at first. */
const FEW = 50;
/** Runs without an end that are listed, however old. */
const MOST_OPEN = 200;
/** Logs of ended runs that are kept. */
const MOST_KEPT = 64;

/** `isLost`: its log has failed. */
type Followed = { screen: Screen; reading: Subscription | null; isLost: boolean };
type RunsOptions = {
  troupe: Troupe;
  canvas: Pick<Canvas, "later">;
  /** `what`: `text` where steps have only written something. */
  changed: (what: "text" | "news") => void;
  /** A question is open that was not open before. */
  rings: () => void;
  failed: (error: unknown) => void;
};

export class Runs {
  readonly #options: RunsOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #asked = new Set<string>();
  readonly #unwatch: () => void;
  #limit = FEW;
  #waits: (() => void) | null = null;
  /** Until then news of others waits. */
  #rests: (() => void) | null = null;
  #isNoted = false;
  #isOver = false;
  records: readonly RunRecord[] = [];

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#unwatch = options.troupe.watchRuns(() => this.#heard());
  }

  /** Reads at least so many records now. */
  async load(limit = this.#limit): Promise<void> {
    this.#limit = Math.max(this.#limit, limit);
    const { troupe } = this.#options;
    // The open ones first: one that ends between the two is among the latest, or has ended.
    const open = await troupe.history({ open: true, limit: MOST_OPEN });
    const records = inOrder(withOpen(await troupe.history({ limit: this.#limit }), open));
    if (this.#isOver) return;
    this.records = records;
    for (const [run, { isLost }] of this.#followed) if (isLost) this.#followed.delete(run); // I3
    const asked = records
      .filter(isWaiting)
      .flatMap(({ questions, permissions }) => [
        ...questions.map(({ input }) => input),
        ...permissions.map(({ permission }) => permission),
      ]);
    if (asked.some((id) => !this.#asked.has(id))) this.#options.rings();
    for (const id of asked) this.#asked.add(id);
    this.#options.changed("news");
  }
  /** The end of a long list is looked at no more: with the next reading it is left out again. */
  fewer(): void {
    this.#limit = FEW;
  }
  /** Records are read anew, together with what else comes meanwhile. */
  soon(): void {
    if (this.#isOver || this.#waits !== null) return;
    this.#waits = this.#options.canvas.later(OFTEN_MS, () => {
      this.#waits = null;
      this.#isNoted = false;
      this.#rest();
      this.load().catch(this.#options.failed);
    });
  }
  /** There may be more than are read. */
  get isCut(): boolean {
    return this.records.length >= this.#limit;
  }
  find(run: string): RunRecord | undefined {
    return this.records.find(({ id }) => id === run);
  }
  screenOf(run: string): Screen | null {
    return this.#followed.get(run)?.screen ?? null;
  }
  /** These are looked at from now on, and no others. */
  look(runs: readonly string[]): void {
    const wanted = new Set(runs);
    for (const [run, followed] of this.#followed) {
      if (wanted.has(run) || (followed.screen.end !== null && this.#followed.size <= MOST_KEPT)) continue;
      followed.reading?.unsubscribe();
      this.#followed.delete(run);
    }
    for (const run of runs) if (!this.#followed.has(run)) this.#follow(run);
  }
  close(): void {
    this.#isOver = true;
    this.#waits?.();
    this.#rests?.();
    this.#unwatch();
    for (const { reading } of this.#followed.values()) reading?.unsubscribe();
  }

  #heard(): void {
    if (this.#rests === null) this.soon();
    else this.#isNoted = true;
  }
  #rest(): void {
    this.#rests?.();
    this.#rests = this.#options.canvas.later(SELDOM_MS, () => {
      this.#rests = null;
      if (this.#isNoted) this.soon();
    });
  }
  #follow(run: string): void {
    const followed: Followed = { screen: new Screen(run), reading: null, isLost: false };
    this.#followed.set(run, followed);
    const lost = (error: unknown): void => {
      followed.isLost = true;
      this.#options.failed(error);
    };
    void this.#options.troupe.log(run).then((log) => {
      if (this.#followed.get(run) !== followed || this.#isOver) return;
      const { firstSeq, lastSeq } = log.record;
      const after = firstSeq - 1;
      followed.reading = log
        .log$({ after })
        .pipe(
          inSeq(after),
          takeWhile(
            (frames) => lastSeq === null || !frames.some((frame) => "seq" in frame && frame.seq >= lastSeq),
            true,
          ),
        )
        .subscribe({
          next: (frames) => {
            for (const frame of frames)
              if (!("seq" in frame) || lastSeq === null || frame.seq <= lastSeq) followed.screen.see(frame);
            if (frames.some((frame) => "seq" in frame && TURNS.has(frame.type) && lastSeq === null)) this.soon();
            this.#options.changed(changesList(frames) ? "news" : "text");
          },
          error: lost,
        });
    }, lost);
  }
}
