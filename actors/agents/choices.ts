/**
 * What a session may choose for agent steps that say nothing themselves: a model, and how hard to think.
 *
 * I1. A model belongs to a provider, and only that provider's steps get it.
 * I2. An agent gets what it takes (`Agent.takes`), and what a step's own `options` name is never replaced.
 */
import type { Json } from "../../machines/model.ts";
import type { Chosen } from "../../machines/scope.ts";
import type { Agent } from "./agent.ts";

/** Aliases that always mean a provider's latest model of a kind. */
export const MODELS: { readonly [provider: string]: readonly string[] } = { claude: ["opus", "sonnet", "haiku"] };
export const EFFORTS = ["low", "medium", "high"] as const;

const SEPARATOR = "/";
/** A model as it is chosen: `claude/opus`. */
export const modelId = (provider: string, model: string): string => provider + SEPARATOR + model;

/** The options that a step of this provider gets of what was chosen; its own stand above them. */
export function chosenOptions(
  { takes = [] }: Pick<Agent, "takes">,
  provider: string,
  chosen: Chosen | undefined,
): { [name: string]: Json } {
  const options: { [name: string]: Json } = {};
  const { model, effort } = chosen ?? {};
  const prefix = modelId(provider, "");
  if (takes.includes("model") && model?.startsWith(prefix)) options["model"] = model.slice(prefix.length);
  if (takes.includes("effort") && effort !== undefined) options["effort"] = effort;
  return options;
}
