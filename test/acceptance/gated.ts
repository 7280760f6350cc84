/** A house whose agents ask about their tool calls, and editors in it, anew for each test of the file that takes them from here. */
import { afterEach, beforeEach, expect } from "vitest";
import { type Asked, Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";

export let house: House;
let editors: Editor[];
beforeEach(() => {
  editors = [];
  house = openHouse(["tools", "tools-error", "tools-abort", "tools-limit"].map((name) => `acceptance/${name}.yaml`));
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
export const at = (sessionId: string) => ({ sessionId, cwd: house.cwd, mcpServers: [] });
export const stop = async (editor: Editor, session: string, workflow: string): Promise<unknown> =>
  (await editor.prompt(session, `/${workflow}`)).result;
export const END = { stopReason: "end_turn" };

/** What was asked and answered, in order, questions by number. */
export function story(session: string): string[] {
  const rows = storedRows(house.store, session);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const names = new Map<string, number>();
  return rows.flatMap((row) => {
    if (row.type !== "permission.requested" && row.type !== "permission.resolved") return [];
    const { permission } = row.payload;
    if (!names.has(permission)) names.set(permission, names.size + 1);
    const what = row.type === "permission.requested" ? "asked" : (row.payload.option ?? row.payload.outcome);
    return [`${names.get(permission)} ${what}`];
  });
}
export const pick = (kind: string) => (asked: Asked) =>
  asked.options.find((option) => option.kind === kind)?.optionId ?? null;
