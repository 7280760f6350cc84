/** Editors that may die in a house whose sessions outlive them, anew for each test of the file that takes them from here. */
import { afterEach, beforeEach, expect } from "vitest";
import { Editor, type Message } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

export let house: House;
let editors: Editor[];
beforeEach(() => {
  editors = [];
  house = openHouse([
    "sessions/talk.yaml",
    ...["gate", "cut-off", "hello", "stubborn"].map((name) => `acceptance/${name}.yaml`),
  ]);
});
afterEach(async () => {
  await house.leave();
  expect(editors.flatMap(({ trace }) => faultsOf(trace))).toEqual([]);
});

/** Another editor, which has said the first words. */
export async function enter(): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
/** `kill -9` of the agent of an editor. */
export async function die({ agent }: Editor): Promise<void> {
  agent.kill();
  await agent.ended;
}
export const at = (sessionId: string) => ({ sessionId, cwd: house.cwd, mcpServers: [] });
export type Info = { sessionId: string; title?: string; updatedAt: string; _meta: Message };
/** The sessions that an editor is told of. */
export async function listed(editor: Editor, params: object = {}): Promise<Info[]> {
  return ((await editor.request("session/list", params)).result as { sessions: Info[] }).sessions;
}
