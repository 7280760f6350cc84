/**
 * Replaces every step with `use_template` by the states of its template.
 *
 * I1. All that templates put in is at most `nodes` keys and items; a step beyond that stays as it is, with a fault.
 * I2. A template is read once, however many steps are made from it.
 */
import type { Json } from "../../model.ts";
import type { Finding } from "../finding.ts";
import type { FileLimits } from "../limits.ts";
import { Report } from "../report.ts";
import type { Path } from "../texts.ts";
import { child, type Entry, type Located } from "../yaml/located.ts";
import { readYaml } from "../yaml/read.ts";
import { instantiate, type StepFields } from "./instantiate.ts";
import { undeclared } from "./placeholders.ts";
import { lowerTemplate, type StepTemplate } from "./read.ts";

export type TemplateSource = (name: string) => string | null;

/** Templates may use templates, so deep and no deeper. */
const MAX_DEPTH = 8;

class Expander {
  readonly #report: Report;
  readonly #source: TemplateSource | undefined;
  readonly #limits: FileLimits;
  readonly #read = new Map<string, Read | null>();
  #nodes = 0;

  constructor(report: Report, source: TemplateSource | undefined, limits: FileLimits) {
    this.#report = report;
    this.#source = source;
    this.#limits = limits;
  }

  /** The entries that stand in place of one state. */
  state(name: string, entry: Entry, path: Path, stack: readonly string[]): [string, Entry][] {
    const used = child(entry.value, "use_template");
    if (used === undefined) return [[name, entry]];
    const asked = used.scalar?.text ?? "";
    const found = this.#template(asked, path, stack);
    const values = found && this.#values(found.template, entry.value, path);
    if (found === null || values === null) return [[name, entry]];
    // The file is refused for them: nothing more is said of what stands there.
    if (!this.#report.awf) for (const each of found.unknown) values.set(each, "");
    const { template } = found;
    this.#nodes += found.nodes + [...values.values()].reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (this.#nodes > this.#limits.nodes) {
      const message = `templates put in more than ${this.#limits.nodes} keys and items`;
      const at = [...path, "use_template"];
      this.#report.add({ code: "WORKFLOW.PARSE.LIMIT_EXCEEDED", message, path: at, loads: false });
      return [[name, entry]];
    }
    const made = instantiate(name, template, values, entry.value, used.range);
    // By the name of its file: what stands in the file as its name may be another one.
    const next = [...stack, asked];
    return made.flatMap(([each, value]) => this.state(each, { key: entry.key, value }, path, next));
  }

  #template(name: string, path: Path, stack: readonly string[]): (Read & { template: StepTemplate }) | null {
    const refuse = (message: string, expected?: string): null => {
      const at = [...path, "use_template"];
      this.#report.add({ code: "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE", message, expected, path: at, loads: false });
      return null;
    };
    if (stack.includes(name)) return refuse(`template "${name}" uses itself`);
    if (stack.length >= MAX_DEPTH) return refuse(`templates are nested deeper than ${MAX_DEPTH}`);
    let read = this.#read.get(name);
    if (read === undefined) {
      const source = this.#source?.(name) ?? null;
      read = source === null ? null : readTemplate(name, source, this.#limits);
      this.#read.set(name, read);
    }
    if (read === null) return refuse(`there is no template "${name}"`, `a file templates/${name}.yaml`);
    const { first, template, slips } = read;
    if (first !== undefined) {
      const expected = first.expected ?? first.suggestion;
      return refuse(`template "${name}", line ${first.line}: ${first.message}`, expected);
    }
    for (const { code, message, line, expected, suggestion } of slips) {
      const said = `template "${name}", line ${line}: ${message}`;
      const at = [...path, "use_template"];
      const maybe = code === "WORKFLOW.PARSE.UNKNOWN_FIELD";
      this.#report.add({ code, message: said, expected, suggestion, path: at, loads: true, maybe });
    }
    return template === null ? null : { ...read, template };
  }

  /** The parameters' values; null when one is missing. */
  #values(template: StepTemplate, step: Located, path: Path): Map<string, Json> | null {
    const given = child(step, "parameters")?.entries ?? new Map<string, Entry>();
    const known = template.parameters.map((each) => each.name);
    const code = "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE";
    for (const name of given.keys()) {
      if (known.includes(name)) continue;
      const message = `template "${template.name}" has no parameter "${name}"`;
      const at = [...path, "parameters", name];
      const expected = known.length === 0 ? "no parameters" : `one of ${known.join(", ")}`;
      this.#report.add({
        code,
        message,
        expected,
        suggestion: this.#report.suggest(name, known),
        path: at,
        on: "key",
        loads: true,
      });
    }
    const values = new Map<string, Json>();
    let complete = true;
    for (const parameter of template.parameters) {
      const value = given.get(parameter.name)?.value.value ?? parameter.default;
      if (value !== undefined && value !== null) {
        values.set(parameter.name, value);
      } else if (parameter.required) {
        complete = false;
        const message = `template "${template.name}" needs parameter "${parameter.name}"`;
        const at = [...path, "parameters"];
        this.#report.add({
          code,
          message,
          expected: `parameters.${parameter.name}`,
          path: at,
          on: "key",
          loads: false,
        });
      } else {
        values.set(parameter.name, "");
      }
    }
    return complete ? values : null;
  }
}

/**
 * A template's file: `first` is what is wrong with it; `slips`, what is misspelt in it; `unknown`, parameters that its
 * states name and it does not declare; `nodes`, how many keys and items its states have.
 */
type Read = {
  template: StepTemplate | null;
  first: Finding | undefined;
  slips: Finding[];
  unknown: string[];
  nodes: number;
};
/** No reason to refuse a template, but where a field that is needed stands under another name. */
const SLIPS = ["WORKFLOW.PARSE.UNKNOWN_FIELD", "WORKFLOW.VALIDATION.UNDEFINED_NAME"];

function readTemplate(file: string, source: string, limits: FileLimits): Read {
  const inner = new Report(source, false, limits.findings);
  const { root, faults } = readYaml(source, limits);
  for (const { range, ...fault } of faults) inner.add({ ...fault, path: [], on: range, loads: false });
  if (root !== null) inner.root = root;
  const template = root === null ? null : lowerTemplate(root, inner, file);
  const known = template?.parameters.map(({ name }) => name) ?? [];
  const unknown = template === null ? [] : undeclared(template.states, ["states"], known, inner);
  const found = inner.findings();
  const refused = found.find(({ code }) => !SLIPS.includes(code));
  const first = refused ?? (template === null ? found[0] : undefined);
  return { template, first, slips: found, unknown, nodes: template === null ? 0 : sizeOf(template.states.value) };
}

/** How many keys and items a value has, itself included. */
function sizeOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1);
}

/** The file's values with all templates put in; `root` itself where none is used. */
export function expandTemplates(
  root: Located,
  report: Report,
  source: TemplateSource | undefined,
  limits: FileLimits,
): Located {
  const states = child(root, "states");
  const uses = [...(states?.entries?.values() ?? [])].some((entry) => child(entry.value, "use_template") !== undefined);
  if (states?.entries === undefined || !uses) return root;
  const expander = new Expander(report, source, limits);
  const entries = new Map<string, Entry>();
  for (const [name, entry] of states.entries) {
    for (const [each, made] of expander.state(name, entry, ["states", name], [])) {
      if (each !== name && (states.entries.has(each) || entries.has(each))) {
        report.add({
          code: "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE",
          message: `the template makes a state "${each}" of this step, and there is one of that name`,
          expected: "another name for this step, or for that state",
          path: ["states", name, "use_template"],
          loads: false,
        });
      }
      entries.set(each, made);
    }
  }
  const value = Object.fromEntries([...entries].map(([name, entry]) => [name, entry.value.value]));
  const expanded: Located = { value, range: states.range, entries };
  const key = root.entries?.get("states")?.key ?? states.range;
  const rest = new Map(root.entries).set("states", { key, value: expanded });
  return { value: { ...(root.value as StepFields), states: value }, range: root.range, entries: rest };
}
