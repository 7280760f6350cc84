/**
 * What a prompt's command leaves open: the inputs that its workflow needs and that nothing gives.
 *
 * I1. Only where nothing else is wrong with the prompt: any other fault is explained at once.
 * I2. A secret is never among them: a form shows and keeps what is typed.
 */
import { assignInputs } from "../../machines/prompt/assign-inputs.ts";
import { fillArguments, readPrompt } from "../../machines/prompt/prompt-text.ts";
import { isCommand, parseCommand } from "../../machines/prompt/slash-command.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { resolveInputs } from "../../machines/workflow/inputs.ts";
import type { Missing } from "../api/records.ts";
import type { Workflows } from "../catalogue/catalogue.ts";
import { isPath } from "../catalogue/identifier.ts";
import type { IncomingPrompt } from "./interpret.ts";

/** Null when a run lacks nothing that could be asked for. */
export async function missingOf(
  catalogue: Workflows,
  cwd: string,
  { blocks }: Pick<IncomingPrompt, "blocks">,
): Promise<Missing | null> {
  const prompt = readPrompt(blocks);
  if (!prompt.ok || !isCommand(prompt.text)) return null;
  const parsed = parseCommand(prompt.text);
  if (!parsed.ok || isPath(parsed.name)) return null;
  const loaded = await catalogue.load(cwd, parsed.name).catch(() => null);
  if (loaded === null) return null;
  const { inputs } = loaded.workflow;
  const command = { name: parsed.name, arguments: fillArguments(parsed.arguments, prompt.links) };
  const assigned = assignInputs(command, inputs);
  if (!assigned.ok) return null;
  const resolved = resolveInputs(inputs, assigned.given, { extras: "refuse" });
  if (resolved.ok || resolved.faults.some(({ code }) => code !== "USER.INPUT.MISSING")) return null;
  const missing = resolved.faults.flatMap((fault) => inputs.filter(({ name }) => name === fault.input));
  return missing.some(({ name }) => isSecretName(name)) ? null : { workflow: loaded.id, inputs: missing };
}
