/**
 * What is known of one script with holes: its holes, variables and substitutions by place, and what is demanded.
 *
 * I1. Places are reported in the order of the script, so that a question about a word looks at that word's things only.
 * I2. What stands in a substitution, `$(…)`, is not what the shell does with its output: `echo` and `printf` pass on
 *     what they are given, `wc` and `grep -c` write numbers, of other programs it is not known.
 */
import { before, Flows, POSITIONAL, type Source } from "./shell-flows.ts";
import { type Code, type Demand, type Hole, type Span, stricter } from "./shell-holes.ts";

const IN_PROMPT = "the shell expands it once more, commands included";
const NUMBER = "bash computes what is assigned to it";
const IN_PROGRAM = "programs that the script starts run what it says";
/** Variables whose text is run: by the shell, and by programs that it starts. */
const CODE_NAMES = {
  [IN_PROMPT]: "PS0 PS1 PS2 PS4 PROMPT_COMMAND ENV BASH_ENV",
  [IN_PROGRAM]:
    "EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS RSYNC_RSH TAR_OPTIONS MAKEFLAGS PERL5OPT RUBYOPT NODE_OPTIONS",
};
const NUMBER_NAMES = "RANDOM SRANDOM SECONDS LINENO HISTCMD BASHPID EPOCHSECONDS PPID UID EUID OPTIND";

/** What a variable's text is when it is code. */
export const asCode = (code: Omit<Code, "language" | "mostly"> & Partial<Code>, quoted = false): Demand => ({
  type: "word",
  why: code.why,
  instead: code.instead,
  mostly: code.mostly ?? "text",
  quoted,
});

/** What a substitution writes; see I2. */
function writtenBy(text: string): "what it is given" | "numbers" | "something" {
  const inner = text.replace(/^(?:[$<>]\(|`)\s*|\s*[)`]$/g, "");
  if (/^printf\s+['"]?%q/.test(inner)) return "numbers";
  const sequence = /[;&\n]/.test(inner.replace(/<<[\s\S]*$/, ""));
  const last = (inner.split("|").at(-1) ?? "").trim();
  if (!sequence && /^(?:wc|nproc)\b[^\0$]*$/.test(last)) return "numbers";
  const unquoted = last.replace(/"[^"]*"|'[^']*'/g, "");
  if (!sequence && /^grep\s+(?:-[A-Za-z]*c|--count\b)[^\0$]*$/.test(unquoted)) return "numbers";
  return !sequence && /^(?:echo|printf|cat\s*<<)/.test(inner) && !inner.includes("|")
    ? "what it is given"
    : "something";
}

export class Facts {
  readonly holes: Hole[];
  readonly flows: Flows;
  /** Offsets where `--` must stand, lest a value be an option whose text bash evaluates (`printf -v`). */
  readonly optionEnds: number[] = [];
  readonly #source: string;
  readonly #holeAt: readonly number[];
  readonly #references: { name: string; at: number }[] = [];
  readonly #substitutions: Span[] = [];

  /** `flows`: those of the script that this one is a part of. */
  constructor(source: string, holeAt: readonly number[], flows?: Flows) {
    this.#source = source;
    this.#holeAt = holeAt;
    this.flows = flows ?? new Flows();
    this.holes = holeAt.map(() => ({
      place: { type: "refused", why: "the place of the template in this script could not be determined" },
      demand: { type: "none" },
    }));
    if (flows !== undefined) return;
    for (const [why, names] of Object.entries(CODE_NAMES)) {
      for (const name of names.split(" "))
        this.flows.demand(name, asCode({ why: `it goes to $${name}: ${why}`, instead: "a fixed text there" }));
    }
    for (const name of NUMBER_NAMES.split(" "))
      this.flows.demand(name, { type: "integer", why: `${NUMBER} ($${name})` });
  }

  /** A variable is read at this offset; `$1` and its like are one. Returns the name that it has here. */
  refer(name: string, at: number): string {
    const known = /^[\d@*]/.test(name) ? POSITIONAL : name;
    this.#references.push({ name: known, at });
    return known;
  }

  substitution(span: Span): void {
    this.#substitutions.push(span);
  }

  demand(hole: number, demand: Demand): void {
    const found = this.holes[hole];
    if (found !== undefined) found.demand = stricter(found.demand, demand);
  }

  /** All that a stretch of the script is made of, apart from its own text. */
  sources(span: Span): Source[] {
    const inner = this.#outermost(span);
    const outside = (at: number): boolean => !inner.some(({ start, end }) => at >= start && at < end);
    const own: Source = { ...this.#within(span, outside), through: "nothing" };
    const passed = inner.flatMap((each): Source[] => {
      const written = writtenBy(this.#source.slice(each.start, each.end));
      if (written === "numbers") return [];
      return [{ ...this.#within(each), through: written === "something" ? "a program" : "nothing" }];
    });
    return [own, ...passed];
  }

  /** Demands it of everything in the stretch, and of what flows into its variables. */
  use(span: Span, demand: Demand): void {
    for (const { names, holes, through } of this.sources(span)) {
      const wanted = through === "nothing" ? demand : before(demand);
      for (const hole of holes) this.demand(hole, wanted);
      for (const name of names) this.flows.demand(name, wanted);
    }
  }

  /** The stretch is computed: plain names in it are variables, too. */
  compute(span: Span, why: string): void {
    this.use(span, { type: "integer", why });
    let text = "";
    let at = span.start;
    for (const each of this.#outermost(span)) {
      text += `${this.#source.slice(at, each.start)} `;
      at = each.end;
    }
    text += this.#source.slice(at, span.end);
    const names = text.replace(/\$\{#\w+\}/g, " ").matchAll(/[A-Za-z_]\w*/g);
    for (const name of new Set([...names].map(([each]) => each)))
      this.flows.demand(name, { type: "integer", why: `the script computes with $${name}` });
  }

  feed(name: string, span: Span): void {
    for (const source of this.sources(span)) this.flows.feed(name, source);
  }

  /** The widest substitutions within a stretch, in order. */
  #outermost({ start, end }: Span): Span[] {
    const found: Span[] = [];
    for (let at = this.#substitutions.length - 1; at >= 0; at--) {
      const one = this.#substitutions[at];
      if (one === undefined || one.end <= start) break;
      const last = found.at(-1);
      if (one.start >= start && one.end <= end && (last === undefined || one.end <= last.start)) found.push(one);
    }
    return found.reverse();
  }

  #within({ start, end }: Span, fits: (at: number) => boolean = () => true): { names: string[]; holes: number[] } {
    const names = new Set<string>();
    for (let at = this.#references.length - 1; at >= 0; at--) {
      const one = this.#references[at];
      if (one === undefined || one.at < start) break;
      if (one.at < end && fits(one.at)) names.add(one.name);
    }
    const holes: number[] = [];
    for (let hole = this.#firstHole(start); hole < this.#holeAt.length; hole++) {
      const at = this.#holeAt[hole] ?? end;
      if (at >= end) break;
      if (fits(at)) holes.push(hole);
    }
    return { names: [...names], holes };
  }

  #firstHole(start: number): number {
    let [low, high] = [0, this.#holeAt.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#holeAt[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
