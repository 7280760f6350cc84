/**
 * How an agent says that it can be signed in to, and which way is taken. H24.
 *
 * I1. The way that its user has configured is taken without a question, where the agent offers it.
 */
import type { AuthMethod } from "@agentclientprotocol/sdk";
import { AUTH_REQUIRED } from "../../acp-client/authenticated.ts";
import { ClientError, isClientError } from "../../acp-client/errors.ts";
import type { AcpAgent } from "../../config/settings.ts";
import type { AgentRequest, SignInMethod } from "../agent.ts";

export const methodsOf = (methods: readonly AuthMethod[]): SignInMethod[] =>
  methods.map((method) => ({
    id: method.id,
    name: method.name,
    description: method.description ?? "",
    needsTerminal: "type" in method && method.type === "terminal",
  }));

/** What a person can do about an agent that wants to be signed in to. */
export const signInWords = (slug: string): string =>
  `sign in with troupe agents login ${slug}, or with the agent's own program`;

/** The same error; where it asks for a sign-in, with what to do about that. */
export function wayIn(error: unknown, { slug }: { slug: string }): unknown {
  if (!isClientError(error, "refused") || error.details["code"] !== AUTH_REQUIRED) return error;
  return new ClientError("refused", `${error.message}; ${signInWords(slug)}`, error.details, error);
}

/** The id of a method, or null for none. */
export async function chosenMethod(
  offered: readonly AuthMethod[],
  { auth }: Pick<AcpAgent, "auth">,
  signIn: AgentRequest["signIn"],
  signal: AbortSignal,
): Promise<string | null> {
  if (offered.some(({ id }) => id === auth)) return auth;
  if (offered.length === 0) return null;
  return (await signIn?.(methodsOf(offered), signal)) ?? null;
}
