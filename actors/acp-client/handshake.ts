/**
 * The first words of a connection.
 *
 * I1. `initialize` is the first message, with what this client does and who it is; nothing is sent before its answer.
 * I2. An agent that speaks another version of the protocol is left.
 */
import type { ClientCapabilities, Implementation, InitializeResponse } from "@agentclientprotocol/sdk";
import { type AgentConnection, REQUEST_TIMEOUT_MS } from "./connection.ts";
import { ClientError } from "./errors.ts";

export const VERSION = 1;
export const INITIALIZE_MS = 30_000;

export type Hello = { info: Implementation; capabilities: ClientCapabilities; timeoutMs?: number };

export async function initialize(connection: AgentConnection, hello: Hello): Promise<InitializeResponse> {
  const { info, capabilities, timeoutMs = Math.min(INITIALIZE_MS, REQUEST_TIMEOUT_MS) } = hello;
  const params = { protocolVersion: VERSION, clientCapabilities: capabilities, clientInfo: info };
  const agent = await connection.request("initialize", params, { timeoutMs });
  if (agent.protocolVersion === VERSION) return agent;
  const older = agent.protocolVersion > VERSION ? "this client" : "the agent";
  const message = `the agent speaks version ${agent.protocolVersion} of the protocol, and this client version ${VERSION}: update ${older}`;
  throw new ClientError("unsupportedProtocol", message, { version: agent.protocolVersion });
}
