/**
 * Templates at run time: the scope that they are rendered in, and what a fault in one says.
 *
 * I1. A fault names the field, the line and the column in the field's text.
 * I2. Nothing is looked up on disk before a template asks for it.
 * I3. A secret that is not known is a fault, never its mark.
 * I4. A state that has run has every property of a result; what its kind does not give is empty, 0 or false.
 * I5. That a template reads an output which was cut at its limit is reported, once for each state.
 */
import type { Json, RoundResult, StateResult, StateResults } from "../../machines/model.ts";
import type { Scope } from "../../machines/scope.ts";
import type { Template } from "../../machines/workflow/template/ast.ts";
import { parseTemplate } from "../../machines/workflow/template/parse.ts";
import { type Functions, render, TemplateError, type TemplateScope } from "../../machines/workflow/template/render.ts";
import { rfc3339 } from "../../machines/workflow/times.ts";
import { limitsOf } from "../base/limits.ts";
import { readAllowed } from "../catalogue/files.ts";
import { awfFolders, readingOf, type Site } from "../catalogue/workflow-paths.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { commandEnvironment } from "../process/environment.ts";
import type { EffectOptions } from "./options.ts";
import { goDuration } from "./times.ts";

const MAX_CACHED = 500;
const MAX_CACHED_LENGTH = 64 * 1024;
const parsed = new Map<string, Template>();

export class Rendering {
  readonly site: Site;
  readonly scope: TemplateScope;
  readonly functions: Functions;
  readonly #awf: boolean;
  readonly #mask: EffectOptions["mask"];
  /** Hears what a reader of the log should know (I5). */
  readonly warn: (message: string) => void;

  constructor(
    scope: Scope,
    options: Pick<EffectOptions, "environment" | "clock" | "limits" | "mask">,
    warn: (message: string) => void,
  ) {
    this.#mask = options.mask;
    this.warn = warn;
    this.#awf = scope.awf === true;
    const site = { environment: options.environment, cwd: scope.context.WorkingDir, file: scope.file };
    const maxBytes = limitsOf(options.limits).fileBytes;
    this.site = site;
    this.scope = scopeFor(scope, site, options.clock.now(), warn);
    this.functions = {
      readFile: (path) => {
        if (typeof path !== "string") throw new Error("readFile: the path of a file expected");
        return readAllowed({ where: "readFile", ...readingOf(path, site), maxBytes }).text;
      },
    };
  }

  /** The inputs that commands may name as variables: in AWF's places all that are no lists or objects, else none. */
  variables(): { [name: string]: string } {
    const { inputs } = this.scope;
    if (!this.#awf || typeof inputs !== "object" || inputs === null) return {};
    const plain = Object.entries(inputs).filter(([, value]) => value !== null && typeof value !== "object");
    return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
  }

  /** The text of a template. `where` names the field. Throws a `TroupeError`. */
  text(source: string, where: string): string {
    if (!source.includes("{{")) return source;
    return this.known(
      this.with(source, where, (template) => render(template, this.scope, this.functions)),
      where,
    );
  }

  /** The text, unless it needs a secret whose value this process does not know: no step works with a mark (I3). */
  known(text: string, where: string): string {
    const missing = this.#mask?.missing(text) ?? [];
    if (missing.length === 0) return text;
    const names = missing.map((name) => name.slice(name.lastIndexOf("/") + 1));
    throw new TroupeError(
      "USER.INPUT.MISSING",
      `${where}: the value of ${names.join(", ")} is secret, so it was not stored, and this process does not know it; ` +
        "resume with it as an input, or set the variable",
      { field: where, inputs: names },
    );
  }

  /** Every string in a value rendered, however deep; other values stay. */
  value(value: Json, where: string): Json {
    if (typeof value === "string") return this.text(value, where);
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, `${where}[${index}]`));
    return typeof value === "object" && value !== null ? this.record(value, where) : value;
  }

  record(record: { readonly [name: string]: Json }, where: string): { [name: string]: Json } {
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, this.value(value, `${where}.${name}`)]),
    );
  }

  /** What `use` makes of the parsed template; its faults are reported with their place (I1). */
  with<T>(source: string, where: string, use: (template: Template) => T): T {
    try {
      return use(templateOf(source));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const before = source.slice(0, error.range.start).split("\n");
      const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
      throw new TroupeError("WORKFLOW.TEMPLATE.RENDERING", `${where}, ${place}: ${error.message}`, { field: where });
    }
  }
}

function templateOf(source: string): Template {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const result = parseTemplate(source);
  if (!result.ok) {
    const [first] = result.faults;
    throw new TemplateError(first?.message ?? "this is no template", first?.range ?? { start: 0, end: 0 });
  }
  if (source.length <= MAX_CACHED_LENGTH) {
    if (parsed.size >= MAX_CACHED) parsed.clear();
    parsed.set(source, result.template);
  }
  return result.template;
}

const UNSAID: Partial<StateResult> = {
  Response: {},
  JSON: null,
  Data: null,
  TokensUsed: 0,
  TokensInput: 0,
  TokensOutput: 0,
  TokensEstimated: false,
  Truncated: false,
  Rounds: [],
  Edits: [],
  StopReason: "",
  Tools: [],
  Worktree: {
    branch: "",
    path: "",
    changed: [],
    commits: [],
    merged: false,
    conflicts: [],
    onto: "",
    base: "",
    overlaps: [],
  },
};

const UNSAID_NAMES = Object.keys(UNSAID) as (keyof StateResult)[];

/** Rounds have what their states do not give, too; where one is shown as a whole this is left out. */
function roundsOf(rounds: readonly RoundResult[]): RoundResult[] {
  return rounds.map((round) => {
    const whole = { ...round, ...(round.Rounds === undefined ? {} : { Rounds: roundsOf(round.Rounds) }) };
    for (const name of UNSAID_NAMES)
      if (whole[name] === undefined) Object.defineProperty(whole, name, { value: UNSAID[name], enumerable: false });
    return whole;
  });
}

/** The results as templates see them (I4, I5). */
function resultsOf(states: StateResults, warn: (message: string) => void): TemplateScope {
  const seen = (name: string, result: StateResult): Json => {
    const whole = { ...UNSAID, ...result };
    const { Rounds } = result;
    if (Rounds !== undefined) {
      let made: RoundResult[] | null = null;
      const get = (): RoundResult[] => (made ??= roundsOf(Rounds));
      Object.defineProperty(whole, "Rounds", { enumerable: true, get });
    }
    if (result.Truncated !== true) return whole as { [property: string]: Json };
    let told = false;
    const head = (text: string) => ({
      enumerable: true,
      get: () => {
        if (!told)
          warn(`the output of "${name}" was cut at its limit, and a template reads it; states.${name}.Truncated tells`);
        told = true;
        return text;
      },
    });
    return Object.defineProperties(whole, { Output: head(result.Output), Stderr: head(result.Stderr) }) as never;
  };
  return Object.fromEntries(Object.entries(states).map(([name, result]) => [name, seen(name, result)]));
}

function scopeFor(scope: Scope, site: Site, now: number, warn: (message: string) => void): TemplateScope {
  const { ID, Name, StartedAt, CurrentState } = scope.workflow;
  let folders: { [name: string]: string } | null = null;
  let env: { [name: string]: string } | null = null;
  return {
    inputs: scope.inputs,
    states: resultsOf(scope.states, warn),
    context: scope.context,
    workflow: {
      ID,
      Name,
      CurrentState: CurrentState ?? "",
      // Few templates ask, and to write a time takes as long as many a template.
      get StartedAt() {
        return rfc3339(StartedAt);
      },
      get Duration() {
        return goDuration(now - StartedAt);
      },
    },
    ...(scope.loop === null ? {} : { loop: scope.loop }),
    ...(scope.error === undefined ? {} : { error: scope.error }),
    // A run keeps the values it began with.
    get env() {
      env ??= { ...commandEnvironment(site.environment), ...scope.env };
      return env;
    },
    get awf() {
      folders ??= awfFolders(site);
      return folders;
    },
  } as TemplateScope;
}
