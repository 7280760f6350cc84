/**
 * Asks the client for the inputs that a command left open, where it offers forms.
 *
 * I1. Nothing is begun meanwhile: a cancel of the session, or of the request, ends the prompt without a trace.
 * I2. A form that is declined, fails, or comes back without values leaves the prompt as it was: it is explained.
 */
import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import type { Json, PromptRequest, Session } from "../../actors/troupe.ts";
import { formOf, valuesOf } from "../../projections/acp/form.ts";
import { asking } from "./asking.ts";

type Filled = { [name: string]: Json } | "cancelled" | null;

/** Whether the client said at `initialize` that it shows forms. */
export function showsForms(capabilities: Json): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: { form?: unknown } | null };
  return (elicitation?.form ?? null) !== null;
}

/** The values that a person gave; null when there is nothing to ask for, or none were given. */
export async function elicit(
  client: AgentContext,
  session: Session,
  blocks: PromptRequest["blocks"],
  signal: AbortSignal,
): Promise<Filled> {
  const missing = await session.missing(blocks);
  if (signal.aborted) return "cancelled";
  if (missing === null) return null;
  const { workflow, inputs } = missing;
  const withdrawn = new Promise<"cancelled">((resolve) =>
    signal.addEventListener("abort", () => resolve("cancelled"), { once: true }),
  );
  const form = formOf(session.id, workflow, inputs);
  const asked = asking(signal, (options) => client.request(methods.client.elicitation.create, form, options));
  const filled = asked.then(
    (response) => valuesOf(response, inputs),
    () => null,
  );
  return await Promise.race([withdrawn, filled]);
}
