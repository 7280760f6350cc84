/**
 * `--profile`: where the time of one run goes, in a file that a user can send. It is a CPU profile of this process, which
 * browsers' developer tools and editors open, with a span of time for each phase beside it. It names functions and files
 * of the program, and nothing of a workflow, an input or an output.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { resolve } from "node:path";
import { type Exchange, type Run, TroupeError } from "../../actors/troupe.ts";
import type { Io } from "./io.ts";

/** `start` is of the process until its command begins, before the samples; `steps` what follows the first. */
export const PHASES = ["start", "parse", "checks", "first step", "steps", "end"] as const;
export type Phase = (typeof PHASES)[number];
/** Milliseconds since the process began. */
export type Span = { phase: Phase; from: number; to: number };

const SAMPLE_US = 200;

export class Profile {
  readonly #io: Io;
  readonly #path: string;
  readonly #session = new Session();
  readonly #begun: [Phase, number][] = [["start", 0]];

  private constructor(io: Io, path: string) {
    this.#io = io;
    this.#path = path;
  }

  /** Begins the samples. `file` is taken as it is, `true` for a new one in the working directory. Throws SYSTEM.IO.WRITE_FAILED. */
  static async begin(io: Io, file: string | true): Promise<Profile> {
    const second = new Date(io.now()).toISOString().replaceAll(/\D/g, "").slice(0, 14);
    const path = resolve(io.cwd, file === true ? `troupe-${second}.cpuprofile` : file);
    const profile = new Profile(io, path);
    profile.#write("", file === true ? "wx" : "w"); // not to be learned after a long run
    profile.#session.connect();
    await profile.#session.post("Profiler.enable");
    await profile.#session.post("Profiler.setSamplingInterval", { interval: SAMPLE_US });
    await profile.#session.post("Profiler.start");
    profile.enter("parse");
    return profile;
  }

  /** Ends the phase before. `at` in milliseconds since the process began; phases do not go back. */
  enter(phase: Phase, at = performance.now()): void {
    const last = this.#begun.at(-1)?.[1] ?? 0;
    this.#begun.push([phase, Math.max(at, last)]);
  }

  /** The phases of a run, by the times of its rows. */
  follow(run: Run): void {
    const seen = new Set<Phase>();
    const once = (phase: Phase, { at }: Exchange): void => {
      if (!seen.has(phase)) this.enter(phase, at - performance.timeOrigin);
      seen.add(phase);
    };
    const see = (row: Exchange): void => {
      if (row.type === "run.started") once("first step", row);
      if (row.type === "step.completed") once("steps", row);
      if (row.type === "run.completed") once("end", row);
    };
    run.session.log$().subscribe({
      next: (batch) => {
        for (const frame of batch) if ("seq" in frame && frame.run === run.id) see(frame);
      },
      error: () => undefined, // who follows the run says so
    });
  }

  spans(now = performance.now()): Span[] {
    return this.#begun.map(([phase, from], at) => ({ phase, from, to: this.#begun[at + 1]?.[1] ?? now }));
  }

  /** Writes the file, and says on standard error where it is and what took how long. */
  async end(): Promise<void> {
    const spans = this.spans();
    const { profile } = await this.#session.post("Profiler.stop");
    this.#session.disconnect();
    this.#write(JSON.stringify({ ...profile, spans }), "w");
    const each = spans.map(({ phase, from, to }) => `${phase} ${(to - from).toFixed(0)} ms`);
    this.#io.err(`profile: ${this.#path}\n  ${each.join(" · ")}\n`);
  }

  #write(text: string, flag: "w" | "wx"): void {
    try {
      writeFileSync(this.#path, text, { flag, mode: 0o600 });
      if (flag === "w") chmodSync(this.#path, 0o600);
    } catch (error) {
      const { message } = error as Error;
      throw new TroupeError("SYSTEM.IO.WRITE_FAILED", `the profile cannot be written: ${message}`, {
        path: this.#path,
      });
    }
  }
}
