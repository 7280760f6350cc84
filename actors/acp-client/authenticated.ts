/**
 * What an agent refuses until somebody has signed in.
 *
 * I1. It is authenticated once, by the method that the caller names, and asked again.
 * I2. A method that wants a terminal of its own is never asked of the agent.
 */
import type { AuthMethod } from "@agentclientprotocol/sdk";
import type { AgentCalls } from "./calls.ts";
import { ClientError, isClientError } from "./errors.ts";

/** Names the method to authenticate with, or null for none. */
export type ChooseAuth = (methods: readonly AuthMethod[]) => Promise<string | null> | string | null;
export type SignInParts = Pick<AgentCalls, "agent" | "request"> & { chooseAuth: ChooseAuth | undefined };

/** The protocol's code of what is refused until somebody has signed in. */
export const AUTH_REQUIRED = -32000;

export async function authenticated<T>({ agent, request, chooseAuth }: SignInParts, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isClientError(error, "refused") || error.details["code"] !== AUTH_REQUIRED) throw error;
    const methods = agent.authMethods ?? [];
    const methodId = (await chooseAuth?.(methods)) ?? null;
    if (methodId === null) throw error;
    const method = methods.find(({ id }) => id === methodId);
    if (method !== undefined && "type" in method && method.type === "terminal")
      throw new ClientError("refused", `"${method.name}" signs in in a terminal of its own`, { ...error.details });
    await request("authenticate", { methodId }, { timeoutMs: null });
    return await ask();
  }
}
