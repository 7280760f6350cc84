/** Replaces every step with `use_template` by the states of its template. */
import type { Json } from "../../model.ts";
import { Report } from "../report.ts";
import { suggest } from "../suggest.ts";
import type { Path } from "../texts.ts";
import { child, type Entry, type Located } from "../yaml/located.ts";
import { readYaml } from "../yaml/read.ts";
import { type Fields, instantiate } from "./instantiate.ts";
import { lowerTemplate, type StepTemplate } from "./read.ts";
import type { Values } from "./substitute.ts";

export type TemplateSource = (name: string) => string | null;

/** Templates may use templates, so deep and no deeper. */
const MAX_DEPTH = 8;

class Expander {
  readonly #report: Report;
  readonly #source: TemplateSource | undefined;

  constructor(report: Report, source: TemplateSource | undefined) {
    this.#report = report;
    this.#source = source;
  }

  /** The entries that stand in place of one state. */
  state(name: string, entry: Entry, path: Path, stack: readonly string[]): [string, Entry][] {
    const used = child(entry.value, "use_template");
    if (used === undefined) return [[name, entry]];
    const template = this.#template(used.scalar?.text ?? "", path, stack);
    const values = template && this.#values(template, entry.value, path);
    if (template === null || values === null) return [[name, entry]];
    const made = instantiate(name, template, values, entry.value, used.range);
    const next = [...stack, template.name];
    return made.flatMap(([each, value]) => this.state(each, { key: entry.key, value }, path, next));
  }

  #template(name: string, path: Path, stack: readonly string[]): StepTemplate | null {
    const refuse = (message: string, expected?: string): null => {
      const at = [...path, "use_template"];
      this.#report.add({ code: "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE", message, expected, path: at, loads: false });
      return null;
    };
    if (stack.includes(name)) return refuse(`template "${name}" uses itself`);
    if (stack.length >= MAX_DEPTH) return refuse(`templates are nested deeper than ${MAX_DEPTH}`);
    const source = this.#source?.(name) ?? null;
    if (source === null) return refuse(`there is no template "${name}"`, `a file templates/${name}.yaml`);
    const inner = new Report(source, false);
    const { root, faults } = readYaml(source);
    for (const { range, ...fault } of faults) inner.add({ ...fault, path: [], on: range, loads: false });
    if (root !== null) inner.root = root;
    const template = root === null ? null : lowerTemplate(root, inner);
    const [first] = inner.findings().filter((finding) => finding.code !== "WORKFLOW.PARSE.UNKNOWN_FIELD");
    if (first !== undefined) return refuse(`template "${name}", line ${first.line}: ${first.message}`, first.expected);
    return template;
  }

  /** The parameters' values; null when one is missing. */
  #values(template: StepTemplate, step: Located, path: Path): Values | null {
    const given = child(step, "parameters")?.entries ?? new Map<string, Entry>();
    const known = template.parameters.map((each) => each.name);
    const code = "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE";
    for (const name of given.keys()) {
      if (known.includes(name)) continue;
      const message = `template "${template.name}" has no parameter "${name}"`;
      const at = [...path, "parameters", name];
      const expected = known.length === 0 ? "no parameters" : `one of ${known.join(", ")}`;
      this.#report.add({ code, message, expected, suggestion: suggest(name, known), path: at, on: "key", loads: true });
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

/** The file's values with all templates put in; `root` itself where none is used. */
export function expandTemplates(root: Located, report: Report, source: TemplateSource | undefined): Located {
  const states = child(root, "states");
  const uses = [...(states?.entries?.values() ?? [])].some((entry) => child(entry.value, "use_template") !== undefined);
  if (states?.entries === undefined || !uses) return root;
  const expander = new Expander(report, source);
  const entries = new Map<string, Entry>();
  for (const [name, entry] of states.entries) {
    for (const [each, made] of expander.state(name, entry, ["states", name], [])) entries.set(each, made);
  }
  const value = Object.fromEntries([...entries].map(([name, entry]) => [name, entry.value.value]));
  const expanded: Located = { value, range: states.range, entries };
  const key = root.entries?.get("states")?.key ?? states.range;
  const rest = new Map(root.entries).set("states", { key, value: expanded });
  return { value: { ...(root.value as Fields), states: value }, range: root.range, entries: rest };
}
