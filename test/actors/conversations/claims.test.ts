/** Covers `kept.ts`: who has a conversation that cannot be written, and a list while others remove some. */
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KeptConversations } from "../../../actors/conversations/kept.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";

const parts = { mask: NO_MASKING, now: () => 1 };
const head = (id: string) =>
  ({ version: 1, id, agent: { id: "a", slug: "mine", name: "Mine" }, cwd: "/w", from: null }) as const;
const { existsSync } = fs;
let state: string;
let kept: KeptConversations;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "claims-"));
  kept = new KeptConversations(state);
});
afterEach(() => {
  fs.existsSync = existsSync;
  syncBuiltinESMExports();
  kept.close();
  rmSync(state, { recursive: true, force: true });
});
function left(id: string): string {
  kept.begin(head(id), parts).close();
  kept.leave(id);
  return join(state, "conversations", id);
}

test("one that cannot be written is free for others at once (I2)", () => {
  const index = join(left("c1"), "index.json");
  rmSync(index);
  mkdirSync(index);
  expect(() => kept.goOn("c1", parts)).toThrow();
  const others = new KeptConversations(state);
  expect(others.find("c1")?.isOpen).toBe(false);
  rmSync(index, { recursive: true });
  others.goOn("c1", parts).close();
  others.close();
});

test("those that another process removes meanwhile, and files of others, are left out of the list", () => {
  left("c1");
  const removed = left("c2");
  writeFileSync(join(state, "conversations", "notes"), "mine");
  fs.existsSync = (path) => {
    const isThere = existsSync(path);
    if (path === removed) rmSync(removed, { recursive: true, force: true });
    return isThere;
  };
  syncBuiltinESMExports();
  expect(kept.list().map((one) => one.head.id)).toEqual(["c1"]);
});
