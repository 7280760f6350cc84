/** `session/set_mode`: a mode is a role, and the config option "mode" is the same choice. */
import type { SetSessionModeRequest, SetSessionModeResponse } from "@agentclientprotocol/sdk";
import { choose } from "../choose.ts";
import type { EditorConnection } from "../connection.ts";

export async function setMode(
  connection: EditorConnection,
  { sessionId, modeId }: SetSessionModeRequest,
): Promise<SetSessionModeResponse> {
  await choose(connection, sessionId, { option: "mode", value: modeId });
  return {};
}
