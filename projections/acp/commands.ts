/**
 * A repository's workflows as slash commands, and the one of our own.
 *
 * I1. `/rerun` is listed where something can be run, unless a workflow has its name: that one is meant then.
 */
import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { encodeWireName } from "../../machines/prompt/wire-name.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Input } from "../../machines/workflow/document.ts";

/** What a command is made from: a workflow as the facade lists it. */
export type Runnable = {
  id: string;
  description: string;
  inputs: readonly Input[];
  fault: { code: string; message: string } | null;
};

const RERUN: AvailableCommand = {
  name: "rerun",
  description: "Do the last run of this session again",
  input: { hint: "[failed] [from=<step>] [run=<id>] [force] [<input>=<value>]" },
};

/** A broken workflow is listed too, with the reason. */
export function availableCommands(workflows: readonly Runnable[]): AvailableCommand[] {
  const listed = workflows.map(commandOf);
  return listed.length === 0 || listed.some(({ name }) => name === RERUN.name) ? listed : [...listed, RERUN];
}

function commandOf({ id, description, inputs, fault }: Runnable): AvailableCommand {
  const hint = hintOf(inputs);
  return {
    name: encodeWireName(id),
    description: visibleLine(fault === null ? description || id : `Cannot be run: ${fault.message}`),
    ...(hint === null ? {} : { input: { hint: visibleLine(hint) } }),
  };
}

/** One required text input takes the whole line; otherwise `name=value`, optional ones in brackets. */
function hintOf(inputs: readonly Input[]): string | null {
  const required = inputs.filter(isRequired);
  const [only] = required;
  if (only !== undefined && required.length === 1 && only.type === "string") {
    const others = inputs.filter((input) => input !== only).map(pair);
    return [only.description ?? only.name, ...others].join(" ");
  }
  return inputs.length === 0 ? null : inputs.map(pair).join(" ");
}

const isRequired = (input: Input): boolean => input.required && input.default === undefined;

function pair(input: Input): string {
  const { name, type, default: value } = input;
  const shown = value === undefined || value === null ? `<${type}>` : String(value);
  return isRequired(input) ? `${name}=${shown}` : `[${name}=${shown}]`;
}
