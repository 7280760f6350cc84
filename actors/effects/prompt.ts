/** What an agent gets: the prompt with its skills before it, and the system prompt with its role before it. */
import type { WorkInput } from "../../machines/contracts.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { limitsOf } from "../base/limits.ts";
import { readAllowed } from "../catalogue/files.ts";
import { readingOf } from "../catalogue/workflow-paths.ts";
import type { EffectOptions } from "./options.ts";
import type { Rendering } from "./rendering.ts";
import { roleText } from "./roles.ts";
import { shapeWords } from "./shape-words.ts";
import { skillText } from "./skills.ts";

type PromptLimits = Pick<EffectOptions, "limits">;

/**
 * The words for the agent in this attempt: the prompt, a person's words in its place, or what is wrong with its answer.
 * Throws a `TroupeError`.
 */
export function saidTo(
  { node, said, repair, conversation }: WorkInput & { node: AgentNode },
  where: string,
  rendering: Rendering,
  options: PromptLimits,
): string {
  // In a conversation that has no name the words before cannot be meant.
  if (repair !== undefined && conversation !== null) return repair;
  const prompt = said ?? promptOf(node, where, rendering, options);
  const shape = node.outputSchema === undefined ? [] : [shapeWords(node.outputSchema)];
  return [prompt, ...shape, ...(repair === undefined ? [] : [repair])].join("\n\n");
}

/** The prompt; a file of it is a template too. Throws a `TroupeError`. */
function promptOf(node: AgentNode, where: string, rendering: Rendering, options: PromptLimits): string {
  const skills = node.skills.map((skill, index) => skillText(skill, `${where}.skills[${index}]`, rendering, options));
  return [...skills, ownPrompt(node, where, rendering, options)].join("\n\n");
}

function ownPrompt(node: AgentNode, where: string, rendering: Rendering, { limits }: PromptLimits): string {
  if ("text" in node.prompt) return rendering.text(node.prompt.text, `${where}.prompt`);
  const field = `${where}.prompt_file`;
  const path = rendering.text(node.prompt.file, field);
  const { fileBytes: maxBytes } = limitsOf(limits);
  const { text } = readAllowed({ where: field, ...readingOf(path, rendering.site, node.prompt.file), maxBytes });
  return rendering.text(text, field);
}

/**
 * `<role>\n\n<system_prompt>`, or null where neither is given. `chosen`: the role of a step that names none.
 * Throws a `TroupeError`.
 */
export function systemPromptOf(
  node: AgentNode,
  where: string,
  rendering: Rendering,
  { chosen, ...options }: PromptLimits & { chosen: string | undefined },
): string | null {
  const named = node.role === null ? chosen : rendering.text(node.role, `${where}.role`);
  const role = named === undefined ? null : roleText(named, `${where}.role`, rendering.site, options);
  const own = node.systemPrompt === null ? null : rendering.text(node.systemPrompt, `${where}.system_prompt`);
  const parts = [role, own].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? null : parts.join("\n\n");
}
