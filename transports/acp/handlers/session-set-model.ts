/** `session/set_model`: gone from the protocol, and still sent by some clients. It is the config option "model". */

import { choose } from "../choose.ts";
import type { Connection } from "../connection.ts";

export type SetModelRequest = { sessionId: string; modelId: string };

export async function setModel(
  connection: Connection,
  { sessionId, modelId }: SetModelRequest,
): Promise<Record<string, never>> {
  await choose(connection, sessionId, { option: "model", value: modelId });
  return {};
}
