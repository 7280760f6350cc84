import { EMPTY, Observable } from "rxjs";
import { promptInFlight } from "../../../actors/facade/refuse.ts";
import { beginning } from "../../../actors/facade/since.ts";
import type {
  Attendance,
  LogOptions,
  Missing,
  PromptRequest,
  Reservation,
  Session,
  SessionOption,
  Viewer,
} from "../../../actors/troupe.ts";
import type { Exchange, Frame, Row } from "../../../machines/exchange.ts";

/** A session whose log the test writes. Frames reach followers when the test delivers them. */
export class PlayedSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly log: Exchange[] = [];
  readonly calls: unknown[][] = [];
  /** What `prompt` does; the turn is called `t`. */
  onPrompt: (request: PromptRequest) => Promise<{ turn: string }> = () => Promise.resolve({ turn: "t" });
  onCancel: () => void = () => undefined;
  onMissing: Missing | null = null;
  lost = Promise.withResolvers<never>();
  #viewers = 0;
  /** The viewer that has prompted last. */
  #asked: string | null = null;
  #reserved: { take: () => void; over: Promise<void> } | null = null;
  readonly #followers = new Set<{ after: number; isPaused: boolean; push: (frames: readonly Frame[]) => void }>();
  constructor(id: string, cwd: string) {
    this.id = id;
    this.cwd = cwd;
    this.lost.promise.catch(() => undefined);
  }

  write(...rows: Row[]): void {
    for (const row of rows) this.log.push({ ...row, seq: this.log.length + 1, at: 0 });
  }
  /** Gives every follower what it has not had, in one batch; live frames only to those that are not paused. */
  deliver(...live: Frame[]): void {
    for (const one of this.#followers) {
      if (one.isPaused) continue;
      const frames = [...this.log.slice(one.after), ...live];
      one.after = this.log.length;
      if (frames.length > 0) one.push(frames);
    }
  }
  get followers(): number {
    return this.#followers.size;
  }
  get paused(): number {
    return [...this.#followers].filter((one) => one.isPaused).length;
  }

  title(): string {
    return "";
  }
  head(): number {
    return this.log.length;
  }
  since(at: number): number {
    return beginning(this.log.slice(0, at).reverse(), at);
  }
  /** The workflow whose run a crash cut off. */
  cutOff: string | null = null;
  interrupted(): string | null {
    return this.cutOff;
  }
  rows(after: number, limit: number): Exchange[] {
    return this.log.slice(after, after + limit);
  }
  log$({ after = 0, paused$ = EMPTY }: LogOptions = {}): Observable<readonly Frame[]> {
    return new Observable((reader) => {
      const one = { after, isPaused: false, push: (frames: readonly Frame[]) => reader.next(frames) };
      this.#followers.add(one);
      reader.add(() => this.#followers.delete(one));
      reader.add(
        paused$.subscribe({
          next: (isPaused) => {
            one.isPaused = isPaused;
          },
        }),
      );
    });
  }
  /** Who attends it, or has last. */
  viewer: Viewer | null = null;
  attend(viewer: Viewer): Attendance {
    this.viewer = viewer;
    this.#viewers += 1;
    const by = String(this.#viewers);
    const isAsked = (): boolean => this.#asked === by;
    return {
      get isAsked() {
        return isAsked();
      },
      reserve: () => this.#reserve(by),
      answered: async () => this.#reserved?.over,
      refuseAwaited: () => {
        if (this.#reserved !== null) throw promptInFlight(`session/${this.id}`);
      },
      decide: (permission, option) => this.decide(permission, option),
      leave: (options) => {
        this.calls.push(["leave", ...(options === undefined ? [] : [options])]);
        this.#reserved?.take();
      },
    };
  }
  #reserve(by: string): Reservation {
    if (this.#reserved !== null) throw promptInFlight(`session/${this.id}`);
    const taken = new AbortController();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#reserved = { take: () => taken.abort(), over };
    return {
      withdrawn: taken.signal,
      turn: () => "t",
      ended: this.lost.promise,
      prompt: (request) => {
        if (this.#reserved !== null) this.#reserved.take = () => undefined;
        this.#asked = by;
        this.calls.push(["prompt", { ...request, by }]);
        return this.onPrompt(request);
      },
      answered: () => {
        this.#reserved = null;
        resolve();
      },
    };
  }
  prompt(): never {
    throw new Error("not played");
  }
  async missing(): Promise<Missing | null> {
    return this.onMissing;
  }
  /** What is offered, and what was chosen. */
  offered: SessionOption[] = [];
  async options(): Promise<SessionOption[]> {
    return this.offered;
  }
  async choose(option: string, value: string): Promise<void> {
    this.calls.push(["choose", option, value]);
    this.offered = this.offered.map((one) => (one.id === option ? { ...one, current: value } : one));
  }
  questions(): [] {
    return [];
  }
  answer(): never {
    throw new Error("not played");
  }
  async tell(): Promise<never> {
    throw new Error("a played session has no agent at work");
  }
  async decide(permission: string, option: string | null): Promise<void> {
    this.calls.push(["decide", permission, option]);
    if (option === "none of them") throw new Error("no such option");
  }
  async cancel(): Promise<void> {
    this.calls.push(["cancel"]);
    this.#reserved?.take();
    this.onCancel();
  }
  async forget(): Promise<void> {
    this.calls.push(["forget"]);
  }
  async close(): Promise<void> {
    this.calls.push(["close"]);
    this.#reserved?.take();
  }
  ended(): Promise<never> {
    return this.lost.promise;
  }
  run(): never {
    throw new Error("not played");
  }
  rerun(): never {
    throw new Error("not played");
  }
  resume(): never {
    throw new Error("not played");
  }
}
