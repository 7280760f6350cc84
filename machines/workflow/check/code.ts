/**
 * Templates in a command that stand where only plain words are taken: `machines/workflow/template/shell.ts` refuses the
 * rest at run.
 *
 * I1. Nothing is said of a value that is known to be plain: a number, an input whose enum or pattern has plain words
 *     only. `raw` is the author's choice.
 * I2. Of a template with branches each way is read once. What no shell reads alike is reported only where there are
 *     none.
 * I3. Where only an integer is taken, an input that may be any text is said, which `type` mends; of results and items
 *     only the run knows what they are.
 */
import { own } from "../../model.ts";
import type { Input, Workflow } from "../document.ts";
import type { Range } from "../finding.ts";
import type { ActionNode, Node } from "../template/ast.ts";
import { modeOf } from "../template/mode.ts";
import { parseTemplate } from "../template/parse.ts";
import { isPlainWord } from "../template/plain.ts";
import type { Hole } from "../template/shell-holes.ts";
import { readShell } from "../template/shell-lexer.ts";

export type CodeFault = { message: string; expected?: string; range: Range; maybe: boolean };

/** Longer ones are looked at when they run. */
export const MAX_CHECKED_LENGTH = 32 * 1024;
const NUMBERS = /^(?:Index1?|First|Last|Length|ExitCode|Status|Tokens\w+|ID|Duration|StartedAt)$/;
/** A pattern that admits plain words only: anchored, and made of characters and classes that are plain. */
const PLAIN_PATTERN =
  /^\^(?:[\w/:@,=%-]|\\[dw./:@,+=%-]|\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[\w./:@,+=%]|\\[dw./+-]|-(?=\]))+\]|\(\?:|[()*+?]|\{\d+(?:,\d*)?\})*\$$/;

function isPlainInput({ type, validation }: Input): boolean {
  const { pattern, enum: values } = validation;
  return (
    type !== "string" || values?.every(isPlainWord) === true || (pattern !== undefined && PLAIN_PATTERN.test(pattern))
  );
}

/** The names of an action that does nothing but read one value, else null. */
function pathOf({ pipe }: ActionNode): readonly string[] | null {
  const [command, ...more] = pipe.commands;
  const [operand, ...others] = command?.operands ?? [];
  return more.length > 0 || others.length > 0 || operand === undefined || !("path" in operand) ? null : operand.path;
}

const inputOf = ([root, name]: readonly string[], { inputs }: Workflow): Input | undefined =>
  root === "inputs" ? inputs.find((each) => each.name === name) : undefined;

/** True for what can only be a number or a plain word (I1). */
export function isKnownPlain(node: ActionNode, workflow: Workflow): boolean {
  const path = pathOf(node);
  if (path === null) return false;
  const [root = ""] = path;
  if (root !== "inputs") return NUMBERS.test(path.at(-1) ?? "") && own(workflow.states, root) === undefined;
  const input = inputOf(path, workflow);
  return input !== undefined && isPlainInput(input);
}

/** Whether it is an input that may be no integer, as far as its author has said (I3). */
function isTextInput(node: ActionNode, workflow: Workflow): boolean {
  const input = inputOf(pathOf(node) ?? [], workflow);
  if (input === undefined || input.type === "integer") return false;
  const { pattern, enum: values } = input.validation;
  return values === undefined ? pattern === undefined : !values.every((value) => /^[-+]?\d+$/.test(value));
}

/** The texts and actions of one way through the template. */
function way(nodes: readonly Node[], otherwise: boolean): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.type !== "if" && node.type !== "with" && node.type !== "range") return [node];
    return way((otherwise ? node.otherwise : node.body) ?? [], otherwise);
  });
}

function complaintOf({ place, demand }: Hole, node: ActionNode, branches: boolean): Omit<CodeFault, "range"> | null {
  if (place.type === "refused" && !branches) {
    const message = `no value can stand here: ${place.why}`;
    // Most reasons say what to do about them.
    return place.why.includes(": ") ? { message, maybe: false } : { message, expected: "another place", maybe: false };
  }
  if (place.type === "refused" || (demand.type !== "word" && demand.type !== "program")) return null;
  const escaped = demand.type === "word" && demand.quoted && place.type !== "bare" && modeOf(node.pipe) === "escaped";
  if (escaped) return null;
  const message = `a value here becomes code (${demand.why}); a run takes a plain word, and refuses any other`;
  const maybe = demand.type === "program" || demand.mostly === "words";
  return { message, expected: `${demand.instead}; or {{… | raw}} for text that is yours`, maybe };
}

function numberComplaint({ demand }: Hole, node: ActionNode, workflow: Workflow): Omit<CodeFault, "range"> | null {
  if (demand.type !== "integer" || !isTextInput(node, workflow)) return null;
  const message = `a run takes an integer here, because ${demand.why}, and refuses any other text`;
  return { message, expected: "an input of type integer", maybe: true };
}

/** A template's text as it may come out, a NUL for each value, and the actions behind the NULs (I2). */
export function waysOf(source: string): { branches: boolean; ways: { text: string; actions: ActionNode[] }[] } {
  const parsed = parseTemplate(source);
  if (!parsed.ok) return { branches: false, ways: [] };
  const { nodes } = parsed.template;
  const branches = nodes.some(({ type }) => type === "if" || type === "with" || type === "range");
  const ways = [false, ...(branches ? [true] : [])].map((otherwise) => {
    const actions: ActionNode[] = [];
    const text = way(nodes, otherwise).map((node) => {
      if (node.type === "text") return node.text.replaceAll("\0", " ");
      if (node.type !== "action" || node.pipe.binding.type !== "none") return "";
      if (modeOf(node.pipe) === "raw") return "x";
      actions.push(node);
      return "\0";
    });
    return { text: text.join(""), actions };
  });
  return { branches, ways };
}

/** What is wrong with the places of values in a command. */
export function codeFaults(source: string, workflow: Workflow): CodeFault[] {
  if (!source.includes("{{") || source.length > MAX_CHECKED_LENGTH) return [];
  const { branches, ways } = waysOf(source);
  return ways.flatMap(({ text, actions }) =>
    readShell(text).holes.flatMap((hole, index): CodeFault[] => {
      const node = actions[index];
      if (node === undefined) return [];
      const complaint =
        (isKnownPlain(node, workflow) ? null : complaintOf(hole, node, branches)) ??
        numberComplaint(hole, node, workflow);
      return complaint === null ? [] : [{ ...complaint, range: node.range }];
    }),
  );
}
