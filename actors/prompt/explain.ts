/** What a prompt that starts nothing is answered with: Markdown that an editor shows, and that says what to do. */
import type { Intent, Prompt } from "../../machines/contracts.ts";
import type { Fault } from "../../machines/model.ts";
import { printCommand } from "../../machines/prompt/slash-command.ts";
import { encodeWireName } from "../../machines/prompt/wire-name.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { sentence } from "../../machines/sentence.ts";
import { visible, visibleLine } from "../../machines/visible.ts";
import type { Input } from "../../machines/workflow/document.ts";
import { hintOf, typeHint } from "../../machines/workflow/inputs.ts";
import type { WorkflowSummary } from "../api/records.ts";

export type Explanation = Extract<Intent, { type: "explain" }>;

const MAX_COMMANDS = 40;
const MAX_LINE = 160;

/** One line that an editor or a terminal shows as it is. */
function line(text: string): string {
  const plain = visibleLine(text);
  return plain.length <= MAX_LINE ? plain : `${plain.slice(0, MAX_LINE)}…`;
}

const code = (text: string): string => `\`${line(text).replaceAll("`", "'")}\``;

/** An answer that starts nothing. The fault's message, as a sentence, is the first paragraph. */
export function explain(fault: Fault, ...paragraphs: string[]): Explanation {
  const text = [sentence(fault.message), ...paragraphs].filter((each) => each !== "").join("\n\n");
  return {
    type: "explain",
    text: visible(text),
    stopReason: "refusal",
    fault: { code: fault.code, message: fault.message },
  };
}

/** A prompt that can be passed to nothing here. */
export const unreadable = (fault: Fault): Extract<Prompt["asks"], { type: "unreadable" }> => ({
  type: "unreadable",
  explanation: explain(fault),
});

function commandLine({ id, inputs, description, fault }: WorkflowSummary): string {
  const call = code(`/${encodeWireName(id)} ${hintOf(inputs)}`);
  const about = fault === null ? line(description) : `cannot be run: ${line(fault.message)}`;
  return about === "" ? `- ${call}` : `- ${call}: ${about}`;
}

/** The commands of a directory. */
export function commandList(summaries: readonly WorkflowSummary[], cwd: string): string {
  if (summaries.length === 0) {
    return `There are no workflows for ${visibleLine(cwd)} yet: put one into \`.troupe/workflows\`, or let \`troupe init\` write an example.`;
  }
  const more = summaries.length - MAX_COMMANDS;
  const rest = more > 0 ? [`- and ${more} more: \`troupe list\` shows all`] : [];
  return ["Commands:", ...summaries.slice(0, MAX_COMMANDS).map(commandLine), ...rest].join("\n");
}

function rules(input: Input): string {
  const { min, max, fileExists, fileExtension } = input.validation;
  const initial = input.default ?? null;
  return [
    typeHint(input),
    initial === null
      ? input.required
        ? "required"
        : "optional"
      : `default ${isSecretName(input.name) ? "***" : JSON.stringify(initial)}`,
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(fileExists ? ["an existing file"] : []),
    ...(fileExtension === undefined ? [] : [fileExtension.join(" or ")]),
  ].join(", ");
}

/** A value that passes most checks, to show how a call looks. */
function sample(input: Input): string {
  const [first] = input.validation.enum ?? [];
  if (first !== undefined) return first;
  switch (input.type) {
    case "integer":
      return String(input.validation.min ?? input.validation.max ?? 1);
    case "boolean":
      return "true";
    case "string":
      return "…";
    default:
      return input.type satisfies never;
  }
}

/** The inputs of a workflow, and a call that gives the required ones. */
export function inputHelp(id: string, inputs: readonly Input[]): string {
  const needed = inputs.filter((input) => input.required && (input.default ?? null) === null);
  const shown = needed.map((input) => ({ name: input.name, value: sample(input) }));
  const example = `Example: \`${printCommand({ name: id, arguments: shown })}\``;
  if (inputs.length === 0) return example; // that there are none has been said
  const about = inputs.map((input) => {
    const description = line(input.description ?? "");
    const { pattern } = input.validation;
    const matches = pattern === undefined ? "" : `, matches ${code(pattern)}`;
    return `- ${code(input.name)} (${line(rules(input))}${matches})${description === "" ? "" : `: ${description}`}`;
  });
  return `${["Inputs:", ...about].join("\n")}\n\n${example}`;
}
