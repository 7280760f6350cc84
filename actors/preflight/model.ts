/**
 * Whether a step of `openai_compatible` has a model to ask: its server has none by itself.
 *
 * I1. What a template makes of the option is taken as a model, where it is not known to be empty.
 */
import type { AgentNode } from "../../machines/workflow/document.ts";
import { modelId } from "../agents/choices.ts";
import type { KnownTexts } from "./known.ts";
import type { Faults } from "./subject.ts";

const PROVIDER = "openai_compatible";

/** `chosen`: the model that was chosen for the session. */
export function checkModel(
  { name, provider, options }: AgentNode,
  known: KnownTexts,
  { environment, chosen }: { environment: NodeJS.ProcessEnv; chosen: string | undefined },
  faults: Faults,
): void {
  if (known.text(provider) !== PROVIDER) return;
  const { model = null } = options;
  const isGiven = model !== null && (typeof model !== "string" || known.text(model) !== "");
  if (isGiven || environment["OPENAI_MODEL"] || chosen?.startsWith(modelId(PROVIDER, "")) === true) return;
  faults.add(name, {
    code: "USER.AGENT.NO_MODEL",
    cause: "no model",
    message: `${PROVIDER} has no model to ask`,
    expected: "options.model, or OPENAI_MODEL in the environment",
    at: ["provider"],
    maybe: true,
  });
}
