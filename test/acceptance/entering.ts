/** A house with roles, and editors that enter it, anew for each test of the file that takes them from here. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

export let house: House;
let editors: Editor[];
beforeEach(() => {
  editors = [];
  house = openHouse(["acceptance/told.yaml", "acceptance/hello.yaml", "acceptance/stubborn.yaml"]);
});
afterEach(async () => {
  await house.leave();
  const unstable = ["session/fork", "session/set_model", "session/export"];
  expect(editors.flatMap(({ trace }) => faultsOf(trace, ["agent", "client"], unstable))).toEqual([]);
});

/** Writes the user's configuration of the ACP server. */
export function configure(config: object): void {
  const file = join(house.root, "home", ".config", "troupe", "acp.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config));
}
/** Another editor, which has said the first words. */
export async function enter(args: string[] = []): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp", ...args], { TROUPE_TRUST: "1" }));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
