/**
 * Asks a person through the host, in the way of its revision: by a result that requires input, or by a request of ours.
 *
 * I1. A host that shows no forms is asked nothing.
 * I2. A host that was asked and does not answer, or answers with an error, has answered nothing.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";

export type Forms = { [key: string]: ElicitRequestFormParams };
export type Responses = { readonly [key: string]: unknown };
/** What a call is made with: the SDK's context, and how its host is spoken to. */
export type Caller = { context: ServerContext; server: McpServer; era: "legacy" | "modern" };
export type Capabilities = {
  elicitation?: { form?: unknown; url?: unknown };
  extensions?: { [name: string]: unknown };
};

/** How long a person may take where the host holds the call open meanwhile. */
const FORM_MS = 600_000;

export function capabilitiesOf({ context, server, era }: Caller): Capabilities {
  const declared =
    era === "modern"
      ? (context.mcpReq.envelope as { [key: string]: unknown } | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
      : server.server.getClientCapabilities();
  return (declared ?? {}) as Capabilities;
}

/** An older host says `elicitation: {}` and means forms. */
export const formsIn = ({ elicitation }: Capabilities): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
export const showsForms = (caller: Caller): boolean => formsIn(capabilitiesOf(caller));

/** The result that asks, for a host that sends its answers with the call again; `run` comes back with them. */
export const requireInput = (forms: Forms, run: string): InputRequiredResult =>
  inputRequired({
    inputRequests: Object.fromEntries(Object.entries(forms).map(([key, form]) => [key, inputRequired.elicit(form)])),
    requestState: JSON.stringify({ run }),
  });

/**
 * Asks while the call is held open; one form after the other, so that a person sees one at a time. What was said is taken
 * as it came: the SDK's `elicitInput` throws away what breaks the form's rules, where the step says why and asks again.
 */
export async function askNow({ context: { mcpReq }, server: { server } }: Caller, forms: Forms): Promise<Responses> {
  const responses: { [key: string]: unknown } = {};
  for (const [key, form] of Object.entries(forms)) {
    const options = { signal: mcpReq.signal, timeout: FORM_MS, resetTimeoutOnProgress: true };
    try {
      responses[key] = await server.request({ method: "elicitation/create", params: form }, options);
    } catch {
      return responses;
    }
  }
  return responses;
}

/** The run whose questions a repeated call answers; null for a first call. */
export function resumedRun({ mcpReq }: ServerContext): string | null {
  try {
    const state = mcpReq.requestState<string>();
    const { run } = (typeof state === "string" ? JSON.parse(state) : {}) as { run?: unknown };
    return typeof run === "string" ? run : null;
  } catch {
    return null;
  }
}
