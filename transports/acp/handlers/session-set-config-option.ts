/** `session/set_config_option`: the answer holds every option with its value. */
import type { SetSessionConfigOptionRequest, SetSessionConfigOptionResponse } from "@agentclientprotocol/sdk";
import { choose } from "../choose.ts";
import type { EditorConnection } from "../connection.ts";

export async function setConfigOption(
  connection: EditorConnection,
  { sessionId, configId, value }: SetSessionConfigOptionRequest,
): Promise<SetSessionConfigOptionResponse> {
  const session = await choose(connection, sessionId, { option: configId, value: String(value) });
  const { configOptions } = await connection.choices.of(session);
  return { configOptions };
}
