/**
 * What a command step or hook hands to a shell: a script whose values are data.
 *
 * I1. The shell is `/bin/sh`, or the user's own bash where SHELL names one: a workflow must not depend on who runs it
 *     more than that. A script file that begins with `#!` is run by what it names.
 * I2. A script file of a shell is quoted like a command. In a string of Python or JavaScript a value is escaped for it.
 *     Of another language's quoting nothing is known: a value goes in only if it is plain, or the author wrote `raw`.
 */

import { basename, isAbsolute } from "node:path";
import type { ActionNode, Rendered, Template } from "../../machines/workflow/template/ast.ts";
import { literalScript } from "../../machines/workflow/template/literal-script.ts";
import { expand, TemplateError } from "../../machines/workflow/template/render.ts";
import { languageOf } from "../../machines/workflow/template/script-language.ts";
import { renderCommand, type ShellCommand } from "../../machines/workflow/template/shell.ts";
import { isDenied, namedInputs } from "../../machines/workflow/template/shell-inputs.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Rendering } from "./rendering.ts";

export type ScriptCommand = ShellCommand & {
  /** The file that it was written in; absent where it stands in the workflow. */
  file?: string;
  /** Inputs that the script names as variables and does not get, see `Rendering.variables`. */
  withheld: string[];
  /** A program of its own (`#!`): it is written to a file and run by its path. */
  program: boolean;
};

const PLAIN = /^[\p{L}\p{N}_.,:;@/%+=-]*$/u;

/** The shell that runs a command (I1). */
export function shellOf(environment: Environment): string {
  const own = environment.SHELL ?? "";
  return basename(own) === "bash" && isAbsolute(own) ? own : "/bin/sh";
}

/** A command's text as a script. Throws a `TroupeError`. */
export function commandScript(source: string, where: string, rendering: Rendering): ScriptCommand {
  const { scope, functions } = rendering;
  const { variables, withheld } = inputsOf(source, rendering);
  if (!source.includes("{{") && Object.keys(variables).length === 0)
    return { script: source, env: {}, large: {}, program: false, withheld };
  const command = rendering.with(source, where, (template) => renderCommand(template, scope, functions, { variables }));
  for (const text of [command.script, ...Object.values(command.env), ...Object.values(command.large)])
    rendering.known(text, where);
  return { ...command, program: false, withheld };
}

/** A script file's text as a script. Throws a `TroupeError`. */
export function fileScript(source: string, where: string, rendering: Rendering): ScriptCommand {
  const language = languageOf(source);
  if (language === "shell") return { ...commandScript(source, where, rendering), program: source.startsWith("#!") };
  const fill = (template: Template): string => {
    const expanded = expand(template, rendering.scope, rendering.functions);
    for (const node of expanded.nodes) if (node.type === "action") rendering.known(node.rendered?.text ?? "", where);
    return language === "other" ? spliced(expanded) : literalScript(expanded, language);
  };
  const script = source.includes("{{") ? rendering.with(source, where, fill) : source;
  const { variables, withheld } = inputsOf(source, rendering);
  for (const value of Object.values(variables)) rendering.known(value, where);
  return { script, env: variables, large: {}, program: true, withheld };
}

/** The inputs that a workflow of AWF's names as variables; not those that the environment sets or programs heed. */
function inputsOf(source: string, rendering: Rendering): { variables: { [name: string]: string }; withheld: string[] } {
  const inputs = rendering.variables();
  const named = namedInputs(source, Object.keys(inputs));
  const passes = (name: string): boolean => !isDenied(name) && rendering.site.environment[name] === undefined;
  const variables = Object.fromEntries(named.filter(passes).map((name) => [name, inputs[name] ?? ""]));
  return { variables, withheld: named.filter((name) => !passes(name)) };
}

/** What a notice says of inputs that a script names and does not get; null where there are none. */
export function withheldNotice(where: string, { withheld }: ScriptCommand): string | null {
  if (withheld.length === 0) return null;
  const names = withheld.map((name) => `$${name}`).join(", ");
  return (
    `${where}: ${names} is the environment's here, not the input: it is set already, or programs heed that name. ` +
    `Write {{.inputs.${withheld[0]}}} for the input.`
  );
}

function spliced(template: Template): string {
  return template.nodes
    .map((node) => (node.type === "text" ? node.text : node.type === "action" ? plainText(node) : ""))
    .join("");
}

function plainText(node: ActionNode): string {
  const { text, mode }: Rendered = node.rendered ?? { text: "", mode: "value" };
  if (mode === "raw" || PLAIN.test(text)) return text;
  throw new TemplateError(
    "the value has characters that may mean something in this script's language; " +
      "hand it over in an environment variable or an argument, or write {{… | raw}} if you are sure",
    node.range,
  );
}
