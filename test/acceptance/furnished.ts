/**
 * A house with editors in it, anew for each test of the file that furnishes it.
 *
 * I1. What an editor and its agent said to each other has the form of the protocol; that is looked at after each test.
 */
import { afterEach, beforeEach, expect } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

export let house: House;
let editors: Editor[];

/** Is called by the test file. `unstable`: methods that the protocol does not have for good. */
export function furnish(workflows: readonly string[], unstable: readonly string[] = []): void {
  beforeEach(() => {
    editors = [];
    house = openHouse(workflows);
  });
  afterEach(async () => {
    await house.leave();
    expect(editors.flatMap(({ trace }) => faultsOf(trace, ["agent", "client"], unstable))).toEqual([]); // I1
  });
}

/** Another editor, which has said the first words. */
export async function enter(args: readonly string[] = []): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp", ...args], { TROUPE_TRUST: "1" }));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
export const at = (sessionId: string) => ({ sessionId, cwd: house.cwd, mcpServers: [] });
