/** T8, T9, T10, T17, T25, T28, T29: every attack of `defences.ts` is stopped, and gets through without its defence. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTroupe, type Troupe } from "../../actors/troupe.ts";
import type { World } from "./attacks.ts";
import { DEFENCES } from "./defences.ts";

let root: string;
let troupe: Troupe;
let world: World;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "troupe-defences-"));
  const store = join(root, "state", "sessions");
  mkdirSync(store, { recursive: true });
  const secret = "what stands outside of the store";
  writeFileSync(join(root, "state", "secret.txt"), secret);
  troupe = createTroupe({ environment: { HOME: root, TROUPE_HOME: join(root, "state") } });
  const { id } = await troupe.as("owner").session({ cwd: root });
  world = { troupe: troupe.as("owner"), session: id, secret, store };
});
afterAll(async () => {
  await troupe.close();
  rmSync(root, { recursive: true, force: true });
});

test.each(DEFENCES.map((one) => [one.threat, one.attack, one] as const))(
  "%s: %s",
  async (_, _attack, { real, off }) => {
    expect([await real(world), await off(world)]).toEqual([false, true]);
  },
);

test("the document shows every defence", () => {
  const document = readFileSync(fileURLToPath(new URL("../../docs/hostile-input.md", import.meta.url)), "utf8");
  const rows = DEFENCES.map(({ threat, attack, stops }) => `| ${threat} | ${attack} | ${stops} |`);
  expect(document.split("\n").filter((line) => /^\| T\d+ \|/.test(line))).toEqual(rows);
});
