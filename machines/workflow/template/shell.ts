/**
 * A command template as a shell script whose values are data: each action becomes a variable and a reference
 * that fits its place.
 *
 * I1. A value is never part of the script, but for a plain word in `{1..9}`. A quoted heredoc that holds one is
 *     written unquoted instead, with the author's text escaped.
 * I2. Where the shell would evaluate text again (arithmetic, indexes, `-eq`) only integers pass; where it names a
 *     variable, only names; where a shell or a program reads it as code, only plain words. What flows there by way of
 *     the script's variables is asked the same.
 * I3. `raw` and `parameters.*` are the author's text and are spliced before the script is read.
 * I4. A value over 96 KiB is not in `env`: the caller writes it to a 0600 file, the script's prelude reads it.
 *
 * What a script computes from what other programs write, `[[ $(cat file) -eq 1 ]]`, is its own affair, as far as no
 * value of it goes through them. Which programs read code says `shell-programs.ts`.
 */
import type { ActionNode, Rendered, Template } from "./ast.ts";
import { byteLength } from "./bytes.ts";
import type { Functions } from "./functions.ts";
import { isPlainWord, PLAIN_CHARACTERS } from "./plain.ts";
import { expand, TemplateError, type TemplateScope } from "./render.ts";
import { refusalOf, variablesOf } from "./shell-demands.ts";
import type { Heredoc, Hole } from "./shell-holes.ts";
import { readShell } from "./shell-lexer.ts";

export const MAX_ENV_BYTES = 96 * 1024;
/** All variables together: the kernel limits arguments and environment as a whole. */
const MAX_ENV_TOTAL = 512 * 1024;

export type ShellCommand = { script: string; env: { [name: string]: string }; large: { [name: string]: string } };
export type ShellOptions = {
  /** Shell source of a command that prints the file of a large value. Default: `cat "$TROUPE_VALUES/<name>"`. */
  readLarge?: (name: string) => string;
  /** Variables that the script may name besides; it gets those that it does, under the rules of its templates (I2). */
  variables?: { readonly [name: string]: string };
};

/** What `expand` has rendered. */
export const renderedOf = (node: ActionNode): Rendered => {
  if (node.rendered === undefined) throw new TemplateError("the template was not expanded", node.range);
  return node.rendered;
};

type Filled = { node: ActionNode; rendered: Rendered; hole: Hole; at: number };

const RANGE =
  `in {1..9} the value must be an integer or a plain word (${PLAIN_CHARACTERS}): ` +
  "it is written there as it is, since the shell expands braces before variables";

/** The text of a single-quoted word that `escape` made. */
const unquote = (word: string): string => {
  const parts = word.slice(1, -1).split("'\\''");
  const quoted =
    word.length > 1 && word.startsWith("'") && word.endsWith("'") && parts.every((part) => !part.includes("'"));
  return quoted ? parts.join("'") : word;
};

/** The script with one NUL per value, and the actions behind the NULs. */
export function withHoles(
  source: Template,
  renderAction: (node: ActionNode) => Rendered,
): { text: string; actions: { node: ActionNode; rendered: Rendered }[] } {
  const actions: { node: ActionNode; rendered: Rendered }[] = [];
  let text = "";
  const author = (part: string, range: Template["range"]): void => {
    if (part.includes("\0")) throw new TemplateError("a NUL character cannot stand in a command", range);
    text += part;
  };
  for (const node of source.nodes) {
    switch (node.type) {
      case "text":
        author(node.text, node.range);
        break;
      case "comment":
        break;
      case "action": {
        const rendered = renderAction(node);
        if (rendered.text.includes("\0"))
          throw new TemplateError("a value with a NUL character cannot be handed to a shell", node.range);
        if (rendered.mode === "raw") author(rendered.text, node.range);
        else {
          actions.push({ node, rendered });
          text += "\0";
        }
        break;
      }
      default:
        throw new TemplateError(`{{${node.type}}} must be expanded before the command is made`, node.range);
    }
  }
  return { text, actions };
}

/** `T`, unless the script itself speaks of a `T1` or its like. */
function freePrefix(text: string): string {
  for (let prefix = "T"; ; prefix = prefix === "T" ? "TROUPE_T" : `${prefix}_`) {
    if (!new RegExp(`(?<![A-Za-z0-9_])${prefix}[0-9]+(?![A-Za-z0-9_])`).test(text)) return prefix;
  }
}

/** The value as its place needs it, checked against the demand. */
function checkedValue({ node, rendered, hole }: Filled): string {
  const { place, demand } = hole;
  const word = rendered.mode === "escaped" ? unquote(rendered.text) : rendered.text;
  const fails = (why: string): never => {
    throw new TemplateError(why, node.range);
  };
  if (place.type === "range") {
    if (!isPlainWord(word) || word === "") fails(RANGE);
    return word;
  }
  const text = place.type === "bare" ? word : rendered.text;
  // One word for the shell that reads the code, as long as the quotes reach it.
  if (demand.type === "word" && demand.quoted && rendered.mode === "escaped" && place.type !== "bare") return text;
  const value = demand.type === "integer" || demand.type === "name" ? word.trim() : text;
  const refusal = refusalOf(value, demand);
  return refusal === null ? value : fails(refusal);
}

function referenceTo(name: string, one: Filled, next: string): string {
  const { node, rendered, hole } = one;
  const { place } = hole;
  switch (place.type) {
    case "bare":
      if (rendered.mode === "escaped" || place.whole) return `"$${name}"`;
      return /[A-Za-z0-9_[]/.test(next) ? `\${${name}}` : `$${name}`;
    case "double":
    case "heredoc":
      // A backslash before the reference would take its `$` away; doubled it stands for itself.
      return `${place.backslash ? "\\" : ""}\${${name}}`;
    case "single":
      return place.ansi ? `'"$${name}"$'` : `'"$${name}"'`;
    case "arithmetic":
    case "literal":
      return `\${${name}}`;
    case "comment":
      return `$${name}`;
    case "range":
      return checkedValue(one);
    case "refused":
      throw new TemplateError(`no value can stand here: ${place.why}`, node.range);
    default:
      return place satisfies never;
  }
}

type Edit = { start: number; end: number; text: string };

/** A delimiter that is no line of the script. */
function freeDelimiter(text: string): string {
  for (let delimiter = "EOF"; ; delimiter += "_") if (!text.includes(delimiter)) return delimiter;
}

/** Writes a quoted heredoc unquoted: its delimiter as a plain word, the author's text escaped (I1). */
function unquoted({ word, body, delimiter, strip }: Heredoc, text: string): Edit[] {
  const edits: Edit[] = [];
  const plain = /^[A-Za-z0-9_]+$/.test(delimiter);
  const name = plain ? delimiter : freeDelimiter(text);
  edits.push({ ...word, text: name });
  for (const match of text.slice(body.start, body.end).matchAll(/[\\$`]/g)) {
    const start = body.start + match.index;
    edits.push({ start, end: start, text: "\\" });
  }
  if (!plain) {
    const tabs = strip ? (/^\t*/.exec(text.slice(body.end))?.[0].length ?? 0) : 0;
    const start = body.end + tabs;
    if (text.startsWith(delimiter, start)) edits.push({ start, end: start + delimiter.length, text: name });
  }
  return edits;
}

const prelude = (names: readonly string[], read: (name: string) => string): string =>
  // The dot keeps the newlines at the end, which a substitution would drop; unset drops an inherited export.
  names
    .map((name) => `unset ${name}; ${name}=$(${read(name)} && printf .) || exit 1; ${name}=\${${name}%.}\n`)
    .join("");

/**
 * Turns an expanded template (texts and actions only) into a script and its variables. The actor runs the script
 * with `env` added to the environment. Throws TemplateError when a value cannot stand where the author put it.
 */
export function shellCommand(
  source: Template,
  renderAction: (node: ActionNode) => Rendered = renderedOf,
  options: ShellOptions = {},
): ShellCommand {
  const { text, actions } = withHoles(source, renderAction);
  const script = readShell(text);
  const { holes, heredocs, optionEnds } = script;
  const filled: Filled[] = [];
  let at = -1;
  actions.forEach((action, index) => {
    at = text.indexOf("\0", at + 1);
    const hole = holes[index];
    if (hole !== undefined) filled.push({ ...action, hole, at });
  });
  const prefix = freePrefix(text);
  const [env, large]: [{ [name: string]: string }, { [name: string]: string }] = [{}, {}];
  /** Replacements by place, applied in one pass. */
  const edits: Edit[] = optionEnds.map((at) => ({ start: at, end: at, text: "-- " }));
  let total = 0;
  const hand = (name: string, value: string): void => {
    const bytes = byteLength(value);
    if (bytes > MAX_ENV_BYTES || total + bytes > MAX_ENV_TOTAL) large[name] = value;
    else {
      total += bytes;
      env[name] = value;
    }
  };
  for (const [name, value] of Object.entries(variablesOf(text, options.variables ?? {}, script, source.range)))
    hand(name, value);
  let count = 0;
  heredocs.forEach((heredoc, index) => {
    const holds = filled.some(({ hole }) => hole.place.type === "literal" && hole.place.heredoc === index);
    if (holds) edits.push(...unquoted(heredoc, text));
  });
  for (const one of filled) {
    count += 1;
    const name = `${prefix}${count}`;
    edits.push({ start: one.at, end: one.at + 1, text: referenceTo(name, one, text.charAt(one.at + 1)) });
    if (one.hole.place.type === "range") continue;
    hand(name, checkedValue(one));
  }
  edits.sort((a, b) => a.start - b.start);
  let made = "";
  let from = 0;
  for (const edit of edits) {
    made += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  made += text.slice(from);
  const read = options.readLarge ?? ((name: string) => `cat "$TROUPE_VALUES/${name}"`);
  const head = made.startsWith("#!") ? made.indexOf("\n") + 1 || made.length : 0;
  return { script: made.slice(0, head) + prelude(Object.keys(large), read) + made.slice(head), env, large };
}

/** Expands a command's template in a scope and makes the script: what an actor calls. */
export function renderCommand(
  template: Template,
  scope: TemplateScope,
  functions: Functions = {},
  options: ShellOptions = {},
): ShellCommand {
  return shellCommand(expand(template, scope, functions), renderedOf, options);
}
