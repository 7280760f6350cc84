/** `session/set_model`: gone from the protocol, and still sent by some clients. It is the config option "model". */

import { choose } from "../choose.ts";
import type { EditorConnection } from "../connection.ts";

export type SetModelRequest = { sessionId: string; modelId: string };

export async function setModel(
  connection: EditorConnection,
  { sessionId, modelId }: SetModelRequest,
): Promise<Record<string, never>> {
  await choose(connection, sessionId, { option: "model", value: modelId });
  return {};
}
