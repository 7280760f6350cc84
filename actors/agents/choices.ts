/**
 * What a session may choose for agent steps that say nothing themselves: a model, and how hard to think.
 *
 * I1. A model belongs to a provider, and only that provider's steps get it.
 * I2. An agent gets what it takes, under its own option's name (`Agent.takes`); what a step's own `options` name is never
 *     replaced.
 */
import type { Json } from "../../machines/model.ts";
import type { Chosen } from "../../machines/scope.ts";
import type { Agent } from "./agent.ts";

export type Models = { readonly [provider: string]: readonly string[] };

/** Aliases that always mean a provider's latest model of a kind. */
const ALIASES: Models = { claude: ["opus", "sonnet", "haiku"], gemini: ["pro", "flash", "flash-lite"] };
export const EFFORTS = ["low", "medium", "high"] as const;

const SEPARATOR = "/";
/** A model as it is chosen: `claude/opus`. */
export const modelId = (provider: string, model: string): string => provider + SEPARATOR + model;

/** The models that can be chosen: those that always exist, and those that the user has configured. */
export function modelsWith(configured: Models): Models {
  const models = new Map(Object.entries(ALIASES));
  for (const [provider, names] of Object.entries(configured))
    models.set(provider, [...new Set([...(models.get(provider) ?? []), ...names])]);
  return Object.fromEntries(models);
}

/** The options that a step of this provider gets of what was chosen; its own stand above them. */
export function chosenOptions(
  { takes = {} }: Pick<Agent, "takes">,
  provider: string,
  chosen: Chosen | undefined,
): { [name: string]: Json } {
  const options: { [name: string]: Json } = {};
  const { model, effort } = chosen ?? {};
  const prefix = modelId(provider, "");
  if (takes.model !== undefined && model?.startsWith(prefix)) options[takes.model] = model.slice(prefix.length);
  if (takes.effort !== undefined && effort !== undefined) options[takes.effort] = effort;
  return options;
}
