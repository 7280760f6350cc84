/** Which runs and steps are open, how a person names them, and where what they say stands. */
import { type Paint, paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { nothing, type Tally } from "./tally.ts";

export type OpenStep = { at: number; depth: number; parallel: boolean; label: string };
/** `at`: null where its start was not seen. `caller`: the label of the step that called it, where others run beside that one. */
export type OpenRun = {
  at: number | null;
  depth: number;
  caller: string | null;
  steps: Map<string, OpenStep>;
  tally: Tally;
};
type About = { run?: string; step?: string };

export const INDENT = "  ";

export class OpenRuns {
  readonly #runs = new Map<string, OpenRun>();
  readonly #dim: Paint["dim"];
  constructor(colours: boolean) {
    this.#dim = paint(colours).dim;
  }

  /** One of which this reader was shown something. */
  known(run: string | undefined): OpenRun | undefined {
    return this.#runs.get(run ?? "");
  }
  begin(run: string | undefined, about: Omit<OpenRun, "steps" | "tally">): OpenRun {
    const fresh = { ...about, steps: new Map(), tally: nothing() };
    this.#runs.set(run ?? "", fresh);
    return fresh;
  }
  run({ run }: About): OpenRun {
    // What stands before a fresh one was not shown to this reader.
    return this.known(run) ?? this.begin(run, { at: null, depth: 0, caller: null });
  }
  step(about: About): OpenStep | undefined {
    return this.run(about).steps.get(about.step ?? "");
  }

  depth(about: About): number {
    const { depth } = this.run(about);
    const path = about.step ?? "";
    return path === "" ? depth : (this.step(about)?.depth ?? depth + path.split("/").length);
  }
  /** Before what a step says and does: its name too, where others work beside it. */
  margin(about: About): string {
    const step = this.step(about);
    const name = step?.parallel === true ? this.#dim(`${safeLine(step.label)} │ `) : "";
    return INDENT.repeat(this.depth(about) + 1) + name;
  }
}

/** Said of a run, or of something in it: whose it is, where runs of one workflow may stand beside each other. */
export const within = ({ caller }: OpenRun, label: string): string =>
  caller === null ? label : `${caller} › ${label}`;
