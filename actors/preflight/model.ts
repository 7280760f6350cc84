/**
 * Whether a step of `openai_compatible` has a model to ask: its server has none by itself. So of what stands in a step's
 * place, without which the step may run all the same.
 *
 * I1. What a template makes of the option is taken as a model, where it is not known to be empty.
 */
import type { Json } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { modelId } from "../agents/choices.ts";
import type { KnownTexts } from "../catalogue/known.ts";
import type { Faults } from "./subject.ts";

const PROVIDER = "openai_compatible";

/** `chosen`: the model that was chosen for the session. */
export function checkModel(
  { name, provider, options, fallback = [] }: AgentNode,
  known: KnownTexts,
  { environment, chosen }: { environment: NodeJS.ProcessEnv; chosen: string | undefined },
  faults: Faults,
): void {
  if (environment["OPENAI_MODEL"] || chosen?.startsWith(modelId(PROVIDER, "")) === true) return;
  const lacksOne = (its: string, model: Json): boolean =>
    known.text(its) === PROVIDER && (model === null || (typeof model === "string" && known.text(model) === ""));
  const fault = { code: "USER.AGENT.NO_MODEL", maybe: true } as const;
  if (lacksOne(provider, options["model"] ?? null)) {
    faults.add(name, {
      ...fault,
      cause: "no model",
      message: `${PROVIDER} has no model to ask`,
      expected: "options.model, or OPENAI_MODEL in the environment",
      at: ["provider"],
    });
  }
  for (const [index, entry] of fallback.entries()) {
    const given = entry.options ?? (entry.provider === undefined ? options : {});
    if (!lacksOne(entry.provider ?? provider, entry.model ?? given["model"] ?? null)) continue;
    faults.add(name, {
      ...fault,
      cause: "no model of a fallback",
      message: `${PROVIDER}, which may take its place, has no model to ask`,
      expected: "model, or OPENAI_MODEL in the environment",
      at: ["fallback", index],
      passes: true,
    });
  }
}
