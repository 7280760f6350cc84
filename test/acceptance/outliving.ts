/** Editors that may die in a house whose sessions outlive them. */
import type { Editor, Message } from "../support/acp-editor.ts";
import { furnish } from "./furnished.ts";

export { at, enter, house } from "./furnished.ts";

export const furnishOutliving = (): void =>
  furnish(["sessions/talk.yaml", ...["gate", "cut-off", "hello", "stubborn"].map((name) => `acceptance/${name}.yaml`)]);
/** `kill -9` of the agent of an editor. */
export async function die({ agent }: Editor): Promise<void> {
  agent.kill();
  await agent.ended;
}
export type Info = { sessionId: string; title?: string; updatedAt: string; _meta: Message };
/** The sessions that an editor is told of. */
export async function listed(editor: Editor, params: object = {}): Promise<Info[]> {
  return ((await editor.request("session/list", params)).result as { sessions: Info[] }).sessions;
}
