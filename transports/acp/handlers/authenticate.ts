/** `authenticate`, where ways to do so are configured. */
import type { AuthenticateRequest, AuthenticateResponse } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "../connection.ts";

export async function authenticate(
  connection: EditorConnection,
  { methodId }: AuthenticateRequest,
): Promise<AuthenticateResponse> {
  connection.auth.pass(methodId);
  return {};
}
