/**
 * What a command or an operation would do, field by field, for the person who is asked whether it may.
 *
 * I1. A command stands there as it would run. Where all values are plain words they stand in its text; else the script
 *     stands as the shell gets it, and below it each value by the name of its variable.
 */
import type { Json } from "../../machines/model.ts";
import type { CommandNode, OperationNode } from "../../machines/workflow/document.ts";
import { isPlainWord } from "../../machines/workflow/template/plain.ts";
import type { Rendering } from "./rendering.ts";
import { commandScript } from "./script.ts";

export type Fields = { [name: string]: Json };

export function commandDeed(node: CommandNode, rendering: Rendering): Fields {
  const where = `states.${node.name}`;
  const { dir } = node;
  return {
    ...scriptFields(node, where, rendering),
    ...(dir === null ? {} : { dir: rendering.text(dir, `${where}.dir`) }),
  };
}

/** With a prefix, so that no input of an operation passes for a field of ours. */
export function operationDeed({ name, operation, inputs }: OperationNode, rendering: Rendering): Fields {
  const values = Object.entries(rendering.record(inputs, `states.${name}.inputs`));
  return { operation, ...Object.fromEntries(values.map(([input, value]) => [`inputs.${input}`, value])) };
}

function scriptFields({ run }: CommandNode, where: string, rendering: Rendering): Fields {
  if ("scriptFile" in run) return { script_file: rendering.text(run.scriptFile, `${where}.script_file`) };
  const field = `${where}.command`;
  const { script, env, large } = commandScript(run.command, field, rendering);
  const named = Object.keys(rendering.variables());
  const values = Object.entries({ ...env, ...large });
  const isPlain = values.every(([name, value]) => isPlainWord(value) && !named.includes(name));
  if (isPlain) return { command: rendering.text(run.command, field) };
  return { command: script, ...Object.fromEntries(values.map(([name, value]) => [`$${name}`, value])) };
}
