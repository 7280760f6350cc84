/** Whether a value may stand where something is demanded of it, and what to do where it may not. */

import type { Range } from "./ast.ts";
import { isPlainWord, PLAIN_CHARACTERS } from "./plain.ts";
import type { Demand } from "./shell-holes.ts";
import { namedInputs } from "./shell-inputs.ts";
import type { Script } from "./shell-lexer.ts";
import { TemplateError } from "./value.ts";

const NO_EXPANSION = /`|\$(?:[({[]|$)/;
const kept = (text: string): string => `it is a text of ${text.length} characters`;
const RAW = "{{… | raw}} takes any text, as the author's own";

/** Why the value is refused; null where it may pass. */
export function refusalOf(value: string, demand: Demand): string | null {
  switch (demand.type) {
    case "none":
      return null;
    case "integer":
      if (/^[-+]?[0-9]+$/.test(value)) return null;
      return `the value must be an integer, because ${demand.why}; ${kept(value)}`;
    case "name":
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return null;
      return `the value must be a plain name (letters, digits, _), because ${demand.why}`;
    case "tame":
      if (!NO_EXPANSION.test(value)) return null;
      return `the value must have no backtick and no "$(", because ${demand.why}, and the value may get there`;
    case "word":
    case "program":
      if (!isPlainWord(value)) {
        const wanted = `the value must be a plain word (${PLAIN_CHARACTERS}), because ${demand.why}`;
        return `${wanted}; ${kept(value)}. Write ${demand.instead}; ${RAW}`;
      }
      if (demand.type === "word" || !/^\w+\+?=/.test(value)) return null;
      return `a variable before a command must be written out: NAME={{…}} and then the command; ${RAW}`;
    default:
      return demand satisfies never;
  }
}

/** The variables that a script names, each checked like a template in the places where the script uses it. */
export function variablesOf(
  text: string,
  variables: { readonly [name: string]: string },
  { demandsOn, doubt }: Script,
  range: Range,
): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const name of namedInputs(text, Object.keys(variables))) {
    const value = variables[name] ?? "";
    if (value.includes("\0")) throw new TemplateError(`$${name}: a NUL character cannot be handed to a shell`, range);
    const demands: Demand[] = [...demandsOn(name)];
    if (doubt !== null)
      demands.push({ type: "word", why: doubt, instead: "{{.inputs…}}", mostly: "text", quoted: false });
    for (const demand of demands) {
      const refusal = refusalOf(value, demand);
      if (refusal !== null) throw new TemplateError(`$${name} is an input here: ${refusal}`, range);
    }
    found[name] = value;
  }
  return found;
}
