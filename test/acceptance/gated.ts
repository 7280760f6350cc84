/** Agents that ask about their tool calls, in a house with editors. */
import { expect } from "vitest";
import type { Asked, Editor } from "../support/acp-editor.ts";
import { storedRows } from "../support/house.ts";
import { furnish, house } from "./furnished.ts";

export { at, enter, house } from "./furnished.ts";

export const furnishGated = (): void =>
  furnish(["tools", "tools-error", "tools-abort", "tools-limit"].map((name) => `acceptance/${name}.yaml`));

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
