/** Judges one name that a text reads: does it exist, and can it be known by then. */
import { own } from "../../model.ts";
import { within } from "../below.ts";
import type { Node, Workflow } from "../document.ts";
import type { FindingCode, Range } from "../finding.ts";
import type { Report } from "../report.ts";
import { EACH } from "../template/references.ts";
import type { Path, Text } from "../texts.ts";
import { fanAround } from "./fans.ts";
import { exit, type Flow, laterThan, type Moment } from "./flow.ts";
import { folded, MEMBERS, meantRoot, NAMESPACES, ROUND_PROPERTIES, STATE_PROPERTIES } from "./names.ts";
import { meantOf, unknownField } from "./output-shape.ts";
import { stateHelp } from "./references.ts";

export type Where = {
  kind: Text["kind"];
  path: Path;
  /** The state it is read in, and when; null for the workflow's own texts. */
  state: string | null;
  moment: Moment | null;
  /** `loop` and `error` are known here. */
  loop: boolean;
  error: boolean;
  rangeOf: (range: Range) => Range;
};
/** `told`: so much of the path is a reference of its own. */
export type NameReference = { path: readonly string[]; range: Range; told?: number };
type Complaint = {
  code: FindingCode;
  message: string;
  expected?: string | undefined;
  suggestion?: string | null | undefined;
};

/** How far all questions of order together may walk: each may walk the whole graph. After that nothing is said of order. */
const MOST_STEPS = 1_000_000;

const oneOf = (names: readonly string[]): string =>
  `one of ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", …" : ""}`;

/** Whether a known name is the one that was written there. */
const isName = (written: string, { kind }: Where): ((known: string) => boolean) =>
  kind === "expression" ? (known) => folded(known) === folded(written) : (known) => known === written;

export class NameChecker {
  readonly #workflow: Workflow;
  readonly #flow: Flow;
  readonly #report: Report;
  readonly #inputs: ReadonlySet<string>;
  readonly #later = new Map<string, (moment: Moment) => boolean>();
  readonly #steps = { left: MOST_STEPS };
  #holders: Map<string, Node | undefined> | null = null;

  constructor(workflow: Workflow, flow: Flow, report: Report) {
    this.#workflow = workflow;
    this.#flow = flow;
    this.#report = report;
    this.#inputs = new Set(workflow.inputs.map((each) => each.name));
  }

  check(reference: NameReference, where: Where): void {
    const complaint = this.#judge(reference, where);
    if (complaint === null) return;
    const { path, told } = reference;
    if (told !== undefined && this.#judge({ ...reference, path: path.slice(0, told) }, where) !== null) return;
    const on = this.#report.isFull ? "value" : where.rangeOf(reference.range);
    this.#report.add({ ...complaint, path: where.path, on, loads: true });
  }

  #judge({ path }: NameReference, where: Where): Complaint | null {
    const [root, name, property] = path;
    if (root === undefined) return null;
    switch (root) {
      case "env":
        return null;
      case "inputs":
        return name === undefined ? null : this.#input(name);
      case "states":
        return name === undefined
          ? null
          : (this.#state(name, property, where) ?? this.#ofRound(path, where) ?? this.#shaped(path));
      case "loop":
        return this.#member(root, name, where) ?? this.#item(path, where);
      case "parameters":
        return {
          code: "WORKFLOW.VALIDATION.UNDEFINED_NAME",
          message: '"parameters" is known in template files only, and there alone in its braces',
          expected: "inputs, or {{.parameters.word}} and nothing else between the braces",
        };
      default:
        return this.#member(root, name, where);
    }
  }

  #input(name: string): Complaint | null {
    if (this.#inputs.has(name)) return null;
    const expected = this.#inputs.size === 0 ? `an input "${name}" in inputs` : oneOf([...this.#inputs]);
    const suggestion = this.#report.suggest(name, this.#inputs);
    if (suggestion === null && this.#report.lostInput) return null;
    const message = `input "${name}" is not declared`;
    return { code: "WORKFLOW.VALIDATION.UNDEFINED_INPUT", message, expected, suggestion };
  }

  #state(name: string, property: string | undefined, where: Where): Complaint | null {
    const node = own(this.#workflow.states, name);
    if (node === undefined) {
      const message = `state "${name}" does not exist`;
      return {
        code: "WORKFLOW.VALIDATION.UNDEFINED_STATE",
        message,
        ...stateHelp(name, this.#workflow, this.#report, true),
      };
    }
    if (node.type === "terminal") {
      const message = `"${name}" is an end and has no result`;
      return { code: "WORKFLOW.VALIDATION.UNDEFINED_STATE", message, expected: "a step" };
    }
    return this.#property(name, property, where) ?? this.#round(name, where) ?? this.#order(name, where);
  }

  #property(state: string, property: string | undefined, where: Where): Complaint | null {
    if (property === undefined) return null;
    if (STATE_PROPERTIES.some(isName(property, where))) return null;
    const message = `a state's result has no "${property}" (states.${state}.${property})`;
    const meant = meantOf(own(this.#workflow.states, state), property);
    const suggestion = meant ?? this.#report.suggest(property, STATE_PROPERTIES);
    return { code: "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY", message, expected: oneOf(STATE_PROPERTIES), suggestion };
  }

  /** Whether one of the rounds of a loop, or its item, has such a field. */
  #ofRound([, name = "", property = "", index = "", field, of]: readonly string[], where: Where): Complaint | null {
    if (folded(property) !== "rounds" || field === undefined || !(index === EACH || /^\d+$/.test(index))) return null;
    if (ROUND_PROPERTIES.some(isName(field, where))) {
      const isItem = folded(field) === "item" && of !== undefined;
      return isItem ? this.#ofMatrix(own(this.#workflow.states, name), of) : null;
    }
    return {
      code: "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY",
      message: `a round of "${name}" has no "${field}"`,
      expected: oneOf(ROUND_PROPERTIES),
      suggestion: this.#report.suggest(field, ROUND_PROPERTIES),
    };
  }

  /** Whether the answer of a step can have such a field, where its schema says what it has. */
  #shaped([, name = "", property = "", ...rest]: readonly string[]): Complaint | null {
    const node = own(this.#workflow.states, name);
    if (node === undefined || !["json", "response"].includes(folded(property))) return null;
    const wrong = unknownField(node, rest);
    if (wrong === null) return null;
    const why = node.type === "ask" ? "it has no such question" : "its output_schema does not name it";
    const message = `the answer of "${name}" has no "${wrong.path.join(".")}": ${why}`;
    const suggestion = this.#report.suggest(wrong.path.at(-1) ?? "", wrong.fields);
    const expected = wrong.fields.length === 0 ? "nothing below it" : oneOf(wrong.fields);
    return { code: "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY", message, expected, suggestion };
  }

  /** Whether the state runs in rounds by themselves, which are known together only. */
  #round(name: string, where: Where): Complaint | null {
    const fan = fanAround(this.#workflow, name, where);
    if (fan === undefined) return null;
    const message = `"${name}" runs once for each item of "${fan.name}": outside of its round no one result has that name`;
    const expected = `states.${fan.name}.Rounds, a list with the Item, Status and Output of each`;
    return { code: "WORKFLOW.VALIDATION.UNDEFINED_STATE", message, expected };
  }

  /** Whether the state can have run by then. Of states that no run reaches nothing is said here. */
  #order(name: string, { state, moment, kind }: Where): Complaint | null {
    if (state === null || moment === null || !this.#flow.reached.has(state)) return null;
    if (name === state && moment === exit(state)) return null;
    // A condition that reads a state which has not run is false; `while` often does so on its first round.
    let later = this.#later.get(name);
    if (later === undefined) {
      later = laterThan(this.#flow, exit(name), this.#steps);
      this.#later.set(name, later);
    }
    if (later(moment)) return null;
    const what = kind === "expression" ? "this condition" : "this text";
    const message =
      name === state
        ? `"${name}" reads its own result before it has run`
        : `"${name}" cannot have run before ${what} is read`;
    return { code: "WORKFLOW.VALIDATION.FORWARD_REFERENCE", message, expected: "a state that runs earlier" };
  }

  #member(root: string, name: string | undefined, where: Where): Complaint | null {
    const code = "WORKFLOW.VALIDATION.UNDEFINED_NAME";
    const members = own(MEMBERS, root);
    if (members === undefined) {
      const mayBe = name === undefined && where.kind === "expression" ? "text" : "name";
      return { code, message: `"${root}" is not known here`, ...this.#rootHelp(root, mayBe) };
    }
    if (root === "loop" && !where.loop) {
      return { code, message: '"loop" is known in the body of a loop only', expected: "a state in the body of a loop" };
    }
    if (root === "error" && !where.error && where.kind === "template") {
      return { code, message: '"error" is known in workflow_error hooks only', expected: "hooks.workflow_error" };
    }
    if (where.kind === "expression") {
      // Machines judge conditions: they know no folders, and no time but that of the beginning.
      const only =
        root === "awf" ? root : root === "workflow" && folded(name ?? "") === "duration" ? `${root}.${name}` : null;
      if (only !== null) return { code, message: `"${only}" is known in templates only`, expected: "a template" };
    }
    if (name === undefined || members.some(isName(name, where))) return null;
    return {
      code,
      message: `"${root}" has no "${name}"`,
      expected: oneOf(members),
      suggestion: this.#report.suggest(name, members),
    };
  }

  /** Whether the item of a matrix has such a name. */
  #item([, name = "", field]: readonly string[], { state }: Where): Complaint | null {
    if (state === null || folded(name) !== "item" || field === undefined) return null;
    const at = own(this.#workflow.states, state);
    // A loop's own texts may be about its own items.
    if (at === undefined || at.type === "for_each" || at.type === "while") return null;
    return this.#ofMatrix(this.#holderOf(state), field);
  }

  #ofMatrix(loop: Node | undefined, field: string): Complaint | null {
    if (loop?.type !== "for_each" || loop.matrix === undefined) return null;
    const names = Object.keys(loop.matrix);
    if (names.includes(field)) return null;
    return {
      code: "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY",
      message: `the matrix of "${loop.name}" has no "${field}"`,
      expected: oneOf(names),
      suggestion: this.#report.suggest(field, names),
    };
  }

  /** The one container that a state stands in; undefined where there is none, or more than one. */
  #holderOf(state: string): Node | undefined {
    if (this.#holders === null) {
      this.#holders = new Map();
      for (const node of Object.values(this.#workflow.states))
        for (const name of within(node)) this.#holders.set(name, this.#holders.has(name) ? undefined : node);
    }
    return this.#holders.get(state);
  }

  #rootHelp(root: string, mayBe: "text" | "name"): Pick<Complaint, "expected" | "suggestion"> {
    const text = mayBe === "text" ? `'${root}' in quotes where it is a text, or ` : "";
    const suggestion = meantRoot(root, this.#workflow.states, this.#inputs) ?? this.#report.suggest(root, NAMESPACES);
    return { expected: text + oneOf(NAMESPACES), suggestion };
  }
}
